"""In-degree and out-degree against their definitions."""

from __future__ import annotations

from hypothesis import assume, given

from tests.ranks.definitions import assert_scores, built
from tests.reference import ranks as reference
from tests.reference.graphs import LinkLists, link_lists


@given(lists=link_lists())
def test_degrees_are_shares_of_all_links(lists: LinkLists) -> None:
    assume(lists)
    graph, plain = built(lists)
    assert_scores(graph, graph.rank("in-degree"), reference.in_degree(plain), 1e-15)
    assert_scores(graph, graph.rank("out-degree"), reference.out_degree(plain), 1e-15)
