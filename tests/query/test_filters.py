"""Filters leave pages out, fill the list up again, and change nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graphs import graph_of
from tests.methods.against import graph_from
from tests.reference.graphs import LinkLists, questions
from tests.reference.plain_graph import PlainGraph, domain, host
from whatsrelated import sample
from whatsrelated.api import Graph, build
from whatsrelated.errors import OptionError
from whatsrelated.methods import METHODS

TIMES = "https://www.nytimes.com/"
Asked = tuple[LinkLists, str, frozenset[str]]


LEFT_OUT: dict[str, Callable[[str], bool]] = {
    "*a*": lambda page: "a" in page,
    "http://*": lambda page: page.startswith("http://"),
    r"re:\d": lambda page: any(letter.isdecimal() for letter in page),
}


def web(*lines: str) -> Graph:
    return graph_of(*(line.replace("$", "https://") for line in lines))


def names(graph: Graph, query: str | list[str], **options: Any) -> list[str]:
    options = {"by": "cocitation", "chop": False, **options}
    return [result.url for result in graph.related(query, **options)]


@given(
    questions(max_pages=26),
    st.sampled_from(sorted(METHODS)),
    st.integers(1, 6),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.sampled_from([None, *LEFT_OUT]),
)
def test_every_method_is_filtered_and_filled_up_to_the_limit(
    asked: Asked,
    by: str,
    limit: int,
    new: bool,
    unlinked: bool,
    other_site: bool,
    distinct: bool,
    without: str | None,
) -> None:
    lists, query, _ = asked
    graph, plain = graph_from(lists), PlainGraph(lists)
    whole = names(graph, query, by=by, limit=1000)
    left = []
    for page in whole:
        if (new or unlinked) and page in plain.links[query]:
            continue
        if unlinked and query in plain.links[page]:
            continue
        if other_site and host(page) == host(query):
            continue
        if without and LEFT_OUT[without](page):
            continue
        if distinct and any(plain.near_duplicates(page, better) for better in left):
            continue
        left.append(page)
    options = {
        "new": new,
        "unlinked": unlinked,
        "other_site": other_site,
        "distinct": distinct,
        "without": without,
    }
    assert names(graph, query, by=by, limit=limit, **options) == left[:limit]


def test_new_leaves_out_children_and_unlinked_also_leaves_out_parents() -> None:
    graph = graph_of("p -> u a b c", "q -> u a b c", "u -> a", "b -> u")
    assert names(graph, "u") == ["b", "c", "a"]
    assert names(graph, "u", new=True) == ["b", "c"], "who links here is likely to be missed"
    assert names(graph, "u", unlinked=True) == ["c"]
    assert names(graph, ["u", "b"], new=True) == ["c"]
    assert names(graph, ["a", "b"], unlinked=True) == ["c"], "u is linked with both"


def test_the_same_site_is_a_host_or_with_site_domain_a_domain() -> None:
    graph = web(
        "$p.org/ -> $www.tea.co.uk/ $www.tea.co.uk/2 $shop.tea.co.uk/ $milk.co.uk/",
        "$x.net/ -> $y.net/",
    )
    query = "https://www.tea.co.uk/"
    assert domain("https://shop.tea.co.uk/") == domain(query)
    assert names(graph, query, other_site=True) == [
        "https://milk.co.uk/",
        "https://shop.tea.co.uk/",
    ]
    assert names(graph, query, other_site=True, site="domain") == ["https://milk.co.uk/"]


def test_a_folder_is_left_out_with_the_pages_below_and_above_it() -> None:
    here = "$h.org/docs/tea/green.html"
    graph = web(
        f"$p.org/ -> {here} $h.org/docs/tea/black.html $h.org/docs/tea/old/1.html $h.org/docs/tea"
        " $h.org/docs/ $h.org/ $h.org/docs/coffee.html $h.org/docs/teapot/ $o.org/docs/tea/",
        "$x.net/ -> $y.net/",
    )
    assert names(graph, here.replace("$", "https://"), other_folder=True) == [
        "https://h.org/docs/coffee.html",
        "https://h.org/docs/teapot/",
        "https://o.org/docs/tea/",
    ]
    notes = graph_of("p -> tea/green tea/black tea coffee", "q -> coffee")
    assert names(notes, "tea/green", other_folder=True) == ["tea", "coffee"]
    assert names(notes, "coffee", other_folder=True) == ["tea", "tea/black", "tea/green"]


def test_names_are_kept_or_left_out_by_several_patterns() -> None:
    graph = graph_of("p -> u tea.html coffee.html milk.pdf tea.pdf")
    assert names(graph, "u", only="*.pdf") == ["milk.pdf", "tea.pdf"]
    assert names(graph, "u", only=["*.pdf", "coffee"], without="re:^t") == [
        "coffee.html",
        "milk.pdf",
    ]


def test_mirrors_give_way_to_the_best_of_them() -> None:
    links = " ".join(f"c{i}" for i in range(12))
    graph = graph_of(
        "p -> u one two three",
        "q -> u two three",
        f"one -> {links}",
        f"two -> {links}",
        "three -> c1",
    )
    assert names(graph, "u") == ["three", "two", "one"]
    assert names(graph, "u", distinct=True) == ["three", "two"]


def test_a_short_list_reports_how_many_results_passed_the_filters() -> None:
    graph = graph_of("p -> u tea.html milk.pdf")
    answer = graph.related("u", by="cocitation", only="*.txt")
    assert len(answer) == 0
    assert answer.notes == ["Of 2 pages found, 0 passed the filters (only)."]
    full = graph.related("u", by="cocitation", only="*.pdf", limit=1)
    assert full.notes == []


@pytest.mark.parametrize("pattern", ["re:(", r"re:(a)\1", "re:((a{99}){99}){99}"])
def test_a_wrong_pattern_is_an_error_of_its_option(pattern: str) -> None:
    with pytest.raises(OptionError, match="the pattern of without"):
        graph_of("p -> u v").related("u", without=pattern)


def test_internal_results_are_of_the_same_host_and_plain_names_of_none() -> None:
    graph = graph_of(
        "https://a.org/ -> https://h.org/x https://h.org/y https://o.org/z tea milk",
        "https://b.org/ -> https://h.org/x https://h.org/y https://o.org/z tea milk",
    )
    for page, expected in (("https://h.org/x", {"https://h.org/y"}), ("tea", {"milk"})):
        answer = graph.related(page, by="cocitation", internal=True)
        assert {result.url for result in answer} == expected


@pytest.mark.parametrize("ending", ["html", "md"])
def test_answers_of_a_folder_are_its_own_pages(ending: str, tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    link = {"html": '<p><a href="{0}">x</a>', "md": "[x]({0})"}[ending]
    targets = [f"tea.{ending}", f"milk.{ending}", "https://other.example/"]
    for n, name in enumerate("abc"):
        text = "<p>\n" * n + "\n".join(link.format(one) for one in targets)
        (site / f"{name}.{ending}").write_text(text)
    for name in ("tea", "milk"):
        (site / f"{name}.{ending}").write_text("x")
    graph = build([site], tmp_path / "web.graph")
    milk = f"milk.{ending}"
    assert names(graph, "tea") == [milk]
    assert {*names(graph, "tea", external=True)} == {milk, "https://other.example/"}
    (answer,) = graph.related_all("cocitation", pages=["tea"], as_answers=True, chop=False)
    assert [result.url for result in answer] == [milk]
    links = tmp_path / "links.tsv"
    links.write_text("".join(f"{one}\t{to}\n" for one in "ab" for to in ("tea", "milk", "x")))
    listed = build([links], tmp_path / "listed.graph")
    assert {*names(listed, "tea")} == {"milk", "x"}, "a list of links has no pages of its own"


def test_a_minimum_strength_cuts_the_list() -> None:
    graph = Graph.from_pages(sample.pages())
    every = graph.related(TIMES, limit=100)
    cut = graph.related(TIMES, limit=100, min_strength=0.2)
    assert [r.url for r in cut] == [r.url for r in every if r.score >= 0.2]
    assert [r.url for r in graph.related(TIMES, limit=100, min_strength="likely")] == [
        r.url for r in cut
    ]
    assert [answer.grade(answer[0]) for answer in (every, cut)] == ["likely", "likely"]
    nothing = graph.related(TIMES, min_strength=0.9)
    assert not len(nothing)
    assert nothing.notes == ["the strongest result has 0.39, below min_strength 0.9"]


def test_with_several_pages_the_minimum_strength_applies_to_the_list_of_each() -> None:
    graph = Graph.from_pages(sample.pages())
    both = graph.related([TIMES, "https://www.wsj.com/"], limit=100, min_strength=0.2)
    lists = {
        r.url
        for page in (TIMES, "https://www.wsj.com/")
        for r in graph.related(page, limit=100, min_strength=0.2)
    }
    assert {r.url for r in both} == lists - {TIMES, "https://www.wsj.com/"}


def test_a_minimum_strength_needs_a_method_with_strengths() -> None:
    graph = graph_of("p -> u v")
    with pytest.raises(OptionError, match="cocitation: min_strength works only with"):
        graph.related("u", by="cocitation", min_strength=0.1)
    with pytest.raises(OptionError, match="at most 1, or strong, likely or possible, got 40"):
        graph.related("u", min_strength=40)


def test_known_pages_are_left_out(tmp_path: Path) -> None:
    graph = graph_of("p -> u v w x", "q -> u v w x")
    file = tmp_path / "known.txt"
    file.write_text("# read last week\nv\n\nnowhere\n")
    for known in (str(file), ["v", "nowhere"]):
        answer = graph.related("u", by="cocitation", known=known)
        assert [r.url for r in answer] == ["w", "x"]
        assert answer.notes[0] == (
            "The list of known pages: 1 of its 2 names is not in the graph: nowhere."
        )
    with pytest.raises(
        OptionError,
        match=r"list of known pages .* cannot be read: No such file or dir",
    ):
        graph.related("u", known=str(tmp_path / "missing.txt"))
    with pytest.raises(OptionError, match="known must contain only URLs, got 3"):
        graph.related("u", known=["v", 3])
