"""Pairs of pages: never the second page for the first, or always before all others."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from tests.graphs import graph_of
from whatsrelated.errors import ReadError
from whatsrelated.methods import METHODS
from whatsrelated.query.answer import Answer
from whatsrelated.query.decisions import Decisions

GRAPH = graph_of(
    "one -> tea coffee cocoa", "two -> tea coffee cocoa", "three -> tea coffee", "four -> beer wine"
)


def urls(answer: Answer) -> list[str]:
    return [result.url for result in answer]


def related(tmp_path: Path, text: str, pages: str | list[str] = "tea", **options: object) -> Answer:
    """The pages related to tea, with a file of pairs."""
    file = tmp_path / "pairs.tsv"
    file.write_text(text)
    return GRAPH.related(pages, by="cocitation", pairs=str(file), **options)


def test_a_line_dismisses_a_link_or_a_page() -> None:
    lines = ["# a remark", "", "a.html\tb.html", "*\tlicense.html", "old/*", "c (1).html\t*"]
    decisions = Decisions(lines)
    assert decisions.has_link("a.html", "b.html")
    assert not decisions.has_link("b.html", "a.html")
    assert decisions.has_link("any", "license.html")
    assert not decisions.has_link("any", "my-license.html"), "a plain name is a whole name"
    assert decisions.has_link("c (1).html", "x")
    assert not decisions.has_link("c 1.html", "x")
    assert decisions.has_page("old/x.html")
    assert not decisions.has_page("a.html")


def test_a_pair_is_left_out_of_the_answer_for_its_first_page_only(tmp_path: Path) -> None:
    assert urls(related(tmp_path, "")) == ["coffee", "cocoa"]
    assert urls(related(tmp_path, "tea\tcoffee\n")) == ["cocoa"]
    assert "coffee" in urls(related(tmp_path, "tea\tcoffee\n", "cocoa"))
    assert urls(related(tmp_path, "tea\tco*\n")) == []
    assert urls(related(tmp_path, "coffee\n")) == ["cocoa"]


def test_names_in_a_line_may_be_short_as_in_a_query(tmp_path: Path) -> None:
    graph = graph_of(
        "https://a.example/ -> https://tea.example/ https://pot.example/",
        "https://b.example/ -> https://tea.example/ https://pot.example/",
    )
    file = tmp_path / "pairs.tsv"
    for line in ("tea.example\tpot.example", "*\tpot.example", "pot.example"):
        file.write_text(line)
        assert urls(graph.related("tea.example", by="cocitation", pairs=str(file))) == []
    file.write_text("pot.example\ttea.example")
    assert urls(graph.related("tea.example", by="cocitation", pairs=str(file))) != []


def test_pinned_pages_come_first_in_the_order_of_the_file_whatever_their_score(
    tmp_path: Path,
) -> None:
    answer = related(tmp_path, "+tea\twine\n+tea\tcocoa\n", limit=3)
    assert urls(answer) == ["wine", "cocoa", "coffee"]
    assert [result.pinned for result in answer] == [True, True, False]
    assert answer[0].score == 0
    assert answer[0].evidence == {"sentence": "You pinned this page; the method did not find it."}
    assert answer[1].evidence["shared_parents"] == 2, "the method found this one too"
    assert [answer.grade(result) for result in answer][:2] == ["pinned", "pinned"]
    assert urls(related(tmp_path, "+tea\twine\n+tea\tcocoa\n", limit=1)) == ["wine"]
    assert pickle.loads(pickle.dumps(answer[0])).pinned


@pytest.mark.parametrize("method", METHODS)
def test_every_method_explains_what_it_found_beside_a_pinned_page(
    method: str, tmp_path: Path
) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_text("+tea\twine\n+coffee\twine\n")
    for pages in ("tea", ["tea", "coffee"], ["tea", "beer"]):
        answer = GRAPH.related(pages, by=method, pairs=str(file))
        assert "wine" in urls(answer)
        assert all(result.evidence["sentence"] for result in answer)


def test_a_pin_belongs_to_one_page_and_passes_every_filter(tmp_path: Path) -> None:
    assert urls(related(tmp_path, "+tea\twine\n", "coffee")) == ["tea", "cocoa"]
    assert urls(related(tmp_path, "+tea\twine\n", without="*")) == ["wine"]
    both = related(tmp_path, "+tea\twine\n+coffee\twine\n", ["coffee", "tea"])
    assert urls(both) == ["wine", "cocoa"]


def test_a_pinned_page_that_is_not_in_the_graph_is_a_note(tmp_path: Path) -> None:
    answer = related(tmp_path, "+tea\tmilk\n")
    assert urls(answer) == ["coffee", "cocoa"]
    (note,) = (note for note in answer.notes if "pins" in note)
    assert note.endswith("pairs.tsv: 1 of its 2 names is not in the graph: milk.")
    with pytest.raises(ReadError, match="none cannot be read"):
        GRAPH.related("tea", pairs=str(tmp_path / "none"))


def test_answers_for_many_pages_follow_the_same_decisions(tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_text("+tea\twine\ncoffee\tcocoa\n")
    options = {"by": "cocitation", "pairs": str(file)}
    batches = [batch.to_pylist() for batch in GRAPH.related_all(**options)]
    rows = [(row["url"], row["related_url"]) for batch in batches for row in batch]
    alone = [
        (url, one)
        for url in map(GRAPH.url, range(len(GRAPH)))
        for one in urls(GRAPH.related(url, **options))
    ]
    assert rows == alone
    assert ("tea", "wine") in rows
    assert ("coffee", "cocoa") not in rows
