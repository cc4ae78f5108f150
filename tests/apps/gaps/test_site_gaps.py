"""All findings about a site, and what they leave out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import whatsrelated as wr
from whatsrelated.api import Graph
from whatsrelated.apps.gaps.audit import gaps_of
from whatsrelated.apps.gaps.findings import KINDS
from whatsrelated.errors import OptionError
from whatsrelated.stream import CheckedLinks, DeadLink, Page

GONE = CheckedLinks([DeadLink(3, "gone")])
SITE = [
    Page("green", ["tea", "china", "kettle"], "Green tea", navigation=1),
    Page("black", ["tea", "china", "kettle", "milk"], navigation=0),
    Page(
        "oolong",
        ["tea", "china", "kettle"],
        navigation=0,
        checked=CheckedLinks([DeadLink(3, "gone")]),
    ),
    Page("white", ["tea", "china", "kettle", "milk"], navigation=0),
    Page("tea", ["green", "black", "oolong"], navigation=5),
    Page("china", ["tea"], navigation=0),
    Page("kettle", ["tea"], navigation=0),
    Page("milk", navigation=0),
    Page("imprint", navigation=8),
    Page("genindex", ["tea", "milk"], navigation=0),
]
GRAPH = Graph.from_pages(SITE)


def urls(found: list[object]) -> list[str]:
    return [page.url for page in found]  # type: ignore[attr-defined]


def test_every_kind_is_found() -> None:
    found = gaps_of(GRAPH)
    assert (found.pages, found.links) == (10, 21)
    assert urls(found.orphans) == ["genindex", "white"]
    assert urls(found.only_navigation) == ["imprint"]
    assert urls(found.dead_ends) == ["imprint", "milk"]
    assert urls(found.under_linked) == ["black", "green", "oolong"]
    assert [(one.page, one.line, one.link) for one in found.broken] == [("oolong", 3, "gone")]
    assert found.missing
    assert all(one.source != "genindex" for one in found.missing), "an index needs no link"
    assert {*found.counts()} == {*KINDS}
    assert json.loads(json.dumps(found.as_dict()))["version"] == 1


def test_missing_links_are_bounded_for_all_and_for_each_page() -> None:
    assert len(gaps_of(GRAPH, top=2).missing) == 2
    assert not gaps_of(GRAPH, top=0).missing
    every = gaps_of(GRAPH, top=1000, per_page=1000, per_target=1000).missing
    one = gaps_of(GRAPH, top=1000, per_page=1, per_target=1000).missing
    assert len({link.source for link in every}) == len(one) < len(every)
    to_one = gaps_of(GRAPH, top=1000, per_page=1000, per_target=1).missing
    assert len({link.target for link in to_one}) == len(to_one)


def test_pages_are_chosen_by_pattern() -> None:
    assert {one.source for one in gaps_of(GRAPH, sources="green").missing} == {"green"}
    assert {one.target for one in gaps_of(GRAPH, targets=["milk", "re:^bl"]).missing} <= {
        "milk",
        "black",
    }


def test_what_was_dismissed_stays_so(tmp_path: Path) -> None:
    best = gaps_of(GRAPH, top=1).missing[0]
    file = tmp_path / "gaps.ignore"
    file.write_text(f"{best.source}\t{best.target}\nimprint\noolong\tgone\n")
    found = gaps_of(GRAPH, ignore=file)
    assert (best.source, best.target) not in [(one.source, one.target) for one in found.missing]
    assert found.dismissed == 1
    assert not found.only_navigation
    assert urls(found.dead_ends) == ["milk"]
    assert not found.broken


def test_a_note_says_if_navigation_was_not_counted() -> None:
    graph = Graph.from_links([("a", "b"), ("b", "c")])
    found = gaps_of(graph)
    assert urls(found.orphans) == ["a"]
    assert any("does not count them" in note for note in found.notes)


def test_a_folder_distinguishes_orphans_from_pages_in_the_menu(tmp_path: Path) -> None:
    menu = '<nav><a href="about.html">About</a></nav>'
    for name, links in {"index": "tea", "tea": "index", "about": "", "lost": "tea"}.items():
        body = "".join(f'<p><a href="{link}.html">x</a></p>' for link in links.split())
        (tmp_path / f"{name}.html").write_text(f"<title>{name}</title>{menu}{body}")
    found = gaps_of(wr.build([tmp_path], tmp_path / "g.graph"))
    assert urls(found.orphans) == ["lost.html"]
    assert urls(found.only_navigation) == ["about.html"]
    assert found.only_navigation[0].navigation == 3, "not by itself"


def test_a_wrong_option_is_one_sentence() -> None:
    with pytest.raises(OptionError, match="gaps: per_page must be at least 1, got 0"):
        gaps_of(GRAPH, per_page=0)
    with pytest.raises(OptionError, match="ignore"):
        gaps_of(GRAPH, ignore=3)  # type: ignore[arg-type]
