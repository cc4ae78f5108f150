"""Randomized HITS against its definition."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from tests.ranks.definitions import assert_scores, built, in_both_precisions
from tests.reference import ranks as reference
from tests.reference.graphs import LinkLists, link_lists


@in_both_precisions
@given(lists=link_lists(), epsilon=st.sampled_from([0.05, 0.15, 0.8, 1.0]))
def test_randomized_hits_is_its_definition(
    lists: LinkLists, epsilon: float, tolerance: float, within: float
) -> None:
    assume(lists)
    graph, plain = built(lists)
    ranking = graph.rank("randomized-hits", epsilon=epsilon, tolerance=tolerance)
    assert_scores(graph, ranking, reference.randomized_hits(plain, epsilon), within / epsilon)
