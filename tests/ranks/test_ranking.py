"""The best pages of a rank, in order."""

from __future__ import annotations

import pytest

from tests.graphs import graph_of
from whatsrelated.errors import OptionError, PageNotFound


def test_the_top_is_in_the_common_order() -> None:
    graph = graph_of("p -> known rare aaa", "q -> known")
    top = graph.rank("out-degree").top(3)
    assert [(result.url, result.score) for result in top] == [
        ("p", 0.75),
        ("q", 0.25),
        ("aaa", 0.0),
    ]
    assert [result.url for result in graph.rank("in-degree").top()] == [
        "known",
        "aaa",
        "rare",
        "p",
        "q",
    ]


def test_the_top_of_the_hubs_is_another() -> None:
    ranking = graph_of("p -> tea coffee", "q -> tea").rank("hits")
    assert ranking.top(1)[0].url == "tea"
    assert ranking.top(1, hubs=True)[0].url == "p"


def test_an_unknown_name_in_a_ranking_is_an_error() -> None:
    ranking = graph_of("a -> b").rank("pagerank")
    with pytest.raises(OptionError, match="pagerank has no hubs"):
        ranking.top(3, hubs=True)
    with pytest.raises(PageNotFound, match="No page nowhere"):
        ranking["nowhere"]
