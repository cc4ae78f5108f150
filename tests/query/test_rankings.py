"""The ranks of a graph are computed once, and progress is reported."""

from __future__ import annotations

import pytest

from tests.graphs import graph_of
from whatsrelated.errors import NotConverged, OptionError
from whatsrelated.query.rankings import Rankings, ReportedRankings
from whatsrelated.ranks.pagerank import PageRank

LINES = ("a -> b c", "b -> c", "c -> a b d", "d -> c")


def test_a_rank_is_computed_once_whether_named_or_given() -> None:
    rankings = Rankings(graph_of(*LINES).store)
    first = rankings.ranking("pagerank", damping=0.5)
    assert rankings.ranking(PageRank(damping=0.5)) is first
    assert rankings.ranking("pagerank") is not first
    assert rankings.ranking() is rankings.ranking("pagerank")


def test_scores_that_did_not_converge_are_given_once_and_not_held() -> None:
    rankings = Rankings(graph_of(*LINES).store)
    options = {"max_rounds": 1, "tolerance": 1e-12}
    with pytest.raises(NotConverged):
        rankings.ranking("hits", **options)
    accepted = rankings.ranking("hits", accept=True, **options)
    assert not accepted.converged
    with pytest.raises(NotConverged):
        rankings.ranking("hits", **options)


def test_progress_is_reported_while_a_rank_is_computed() -> None:
    steps: list[str] = []
    reported = ReportedRankings(
        Rankings(graph_of(*LINES).store), lambda what, done, of: steps.append(what)
    )
    reported.ranking("pagerank")
    assert steps
    steps.clear()
    reported.ranking("pagerank")
    assert steps == []


def test_an_unknown_rank_lists_the_known() -> None:
    with pytest.raises(OptionError, match="No rank 'magic'; choose from pagerank"):
        Rankings(graph_of(*LINES).store).ranking("magic")
