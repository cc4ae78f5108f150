"""What extended cocitation and LLI share: why both halves are empty."""

from __future__ import annotations

from tests.graphs import graph_of


def test_a_page_without_parents_or_children_says_so() -> None:
    graph = graph_of("u -> v", "p -> q", "alone")
    for by in ("extended-cocitation", "lli"):
        assert graph.related("alone", by=by).notes == [
            "no page links to alone, and it has no links"
        ]
        assert graph.related("u", by=by).notes == [
            "no page links to u, and no other site links to the pages it links to"
        ]
        assert graph.related("q", by=by).notes == [
            "the pages that link to q link to no other page, and it has no links"
        ]
    thin = graph_of("p -> u v").related("u", by="extended-cocitation", threshold=2)
    assert thin.notes == ["no page shares 2 parents or children with u (threshold)"]
