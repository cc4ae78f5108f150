"""The texts of links: counted, and shown with the evidence."""

from __future__ import annotations

from whatsrelated.api import Graph
from whatsrelated.query.anchors import calls_of
from whatsrelated.stream import Page

PAGES = [
    Page("p", ["u", "tea"], anchors=("start", "Green tea")),
    Page("q", ["u", "tea"], anchors=("start", " green \n TEA ")),
    Page("r", ["tea", "u"], anchors=("a drink", "")),
    Page("s", ["tea"], anchors=("",)),
]


def test_the_texts_of_links_to_a_page_are_counted_whatever_their_case_and_blanks() -> None:
    graph = Graph.from_pages(PAGES)
    called = calls_of(graph.store, graph.page("tea"))
    assert [(one["text"].casefold(), one["pages"]) for one in called] == [
        ("green tea", 2),
        ("a drink", 1),
    ]
    assert calls_of(graph.store, graph.page("p")) == []


def test_evidence_of_any_method_says_what_pages_call_the_page() -> None:
    graph = Graph.from_pages(PAGES)
    for by in ("cocitation", "blend"):
        (result,) = [one for one in graph.related("u", by=by) if one.url == "tea"]
        assert result.evidence["called"][0]["pages"] == 2
        assert "sentence" in result.evidence
    plain = Graph.from_pages(Page(page.url, page.links) for page in PAGES)
    assert "called" not in plain.related("u", by="cocitation")[0].evidence
    assert calls_of(plain.store, plain.page("tea")) == []
