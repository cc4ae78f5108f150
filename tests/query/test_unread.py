"""Evidence marks pages at the edge of a crawl as not read."""

from __future__ import annotations

import numpy as np
import pytest

from whatsrelated.api import Graph
from whatsrelated.query import unread
from whatsrelated.query.unread import at_edge
from whatsrelated.stream import Page

TEA, CAKE, CUP = "https://tea.org/", "https://tea.org/cake", "https://tea.org/cup"
OUTSIDE = "https://far.org/"
UNREAD = "itself was not read, so its own links are unknown."
LISTED = [TEA, CAKE, CUP, OUTSIDE]
PAGES = [
    Page("https://p.org/", LISTED),
    Page("https://q.org/", LISTED),
    Page(TEA, ["https://p.org/"]),
    Page(CAKE),
]


@pytest.mark.parametrize("method", ["blend", "cocitation", "companion"])
def test_evidence_of_any_method_says_that_a_page_was_not_read(method: str) -> None:
    answer = Graph.from_pages(PAGES).related(TEA, by=method, limit=100, site="page")
    evidence = {result.url: result.evidence for result in answer}
    assert evidence[CUP]["sentence"].endswith(f" “tea.org/cup” {UNREAD}")
    assert evidence[CUP]["read"] is False
    for url in (CAKE, OUTSIDE):
        assert UNREAD not in evidence[url]["sentence"]
        assert "read" not in evidence[url]


def test_a_page_is_at_the_edge_if_others_of_its_host_were_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    graph = Graph.from_pages([*PAGES, Page("note", ["stub"])])
    for chunk in (1, 2, 4096):
        monkeypatch.setattr(unread, "CHUNK", chunk)
        pages = np.array([graph.page(url) for url in [*LISTED, "stub"]], np.uint32)
        assert at_edge(graph.store, pages) == {graph.page(CUP)}


def test_a_graph_without_read_marks_reports_none() -> None:
    graph = Graph.from_pages(PAGES)
    del graph.store.arrays["read"]
    for result in graph.related(TEA, by="cocitation", site="page"):
        assert "read" not in result.evidence
