"""HITS against its definition and networkx."""

from __future__ import annotations

import math

import networkx as nx
import pytest
from hypothesis import assume, given

from tests.graphs import graph_of
from tests.ranks.definitions import assert_scores, built, scores_by_name
from tests.reference import ranks as reference
from tests.reference.graphs import LinkLists, link_lists


@pytest.mark.parametrize(("tolerance", "rounds"), [(1e-6, 300), (1e-10, 1000)])
@given(lists=link_lists())
def test_hits_is_its_definition(lists: LinkLists, tolerance: float, rounds: int) -> None:
    assume(lists)
    graph, plain = built(lists)
    ranking = graph.rank("hits", tolerance=tolerance, max_rounds=rounds, accept=True)
    assume(ranking.converged)
    expected = reference.hits(plain, tolerance, rounds)
    assert_scores(graph, ranking, expected, 100 * tolerance)


def test_hits_agrees_with_networkx() -> None:
    lines = ("a -> b c d", "b -> c", "d -> c a", "e -> d c", "f -> a e")
    graph = graph_of(*lines)
    whole = nx.DiGraph(
        (line[0], target) for line in lines for target in line.partition("->")[2].split()
    )
    hubs, authorities = nx.hits(whole, tol=1e-14)
    ranking = graph.rank("hits", tolerance=1e-12)
    for expected, scores in ((authorities, ranking.scores), (hubs, ranking.hubs)):
        length = math.sqrt(sum(score**2 for score in expected.values()))
        assert scores_by_name(graph, scores) == pytest.approx(
            {page: score / length for page, score in expected.items()}, abs=1e-8
        )
