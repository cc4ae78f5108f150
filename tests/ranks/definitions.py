"""What the tests of several ranks share: graphs, and one iteration of the definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.reference.graphs import LinkLists
from tests.reference.plain_graph import PlainGraph
from whatsrelated.api import Graph
from whatsrelated.ranks.ranking import Ranking
from whatsrelated.stream import Page

in_both_precisions = pytest.mark.parametrize(
    ("tolerance", "within"), [(1e-6, 1e-5), (1e-12, 1e-10)]
)


def built(lists: LinkLists) -> tuple[Graph, PlainGraph]:
    pages = [Page(page, links) for page, links in lists.items()]
    return Graph.from_pages(pages), PlainGraph(lists)


def scores_by_name(graph: Graph, scores: Any) -> dict[str, float]:
    return {graph.url(page): score for page, score in enumerate(scores.tolist())}


def assert_scores(graph: Graph, ranking: Ranking, expected: Any, within: float) -> None:
    """Scores, and hub scores if any, match the definition."""
    if isinstance(expected, dict):
        assert ranking.hubs is None
        assert scores_by_name(graph, ranking.scores) == pytest.approx(expected, abs=within)
    else:
        assert scores_by_name(graph, ranking.scores) == pytest.approx(expected.scores, abs=within)
        assert scores_by_name(graph, ranking.hubs) == pytest.approx(expected.hubs, abs=within)


def web(kind: str) -> Graph:
    """500 pages with plain names, on one host, or on hosts of 1 to 30 pages.

    Half of the links go to a page near by, most of these to an earlier one.
    """
    random = np.random.default_rng(7)
    pairs = random.zipf(1.4, (6000, 2)) % 500
    pairs[:3000, 1] = np.maximum(pairs[:3000, 0] - 20 + random.integers(0, 30, 3000), 0) % 500
    hosts = np.sqrt(np.arange(500) * 2).astype(int) if kind == "hosts" else [0] * 500
    names = [
        f"p{page:03}" if kind == "plain" else f"http://h{host:02}.org/{page:03}"
        for page, host in enumerate(hosts)
    ]
    return Graph.from_links((names[a], names[b]) for a, b in np.unique(pairs, axis=0).tolist())


def link_matrix(graph: Graph) -> Any:
    """L, written out: 1 where the page of a row links to that of a column."""
    dense = np.zeros((len(graph), len(graph)))
    for page in range(len(graph)):
        dense[page, graph.store.links_from(page)] = 1
    return dense


def random_walk(graph: Graph, scores: Any, teleport: Any, damping: float = 0.85) -> Any:
    """The scores after one iteration of PageRank's definition."""
    links = link_matrix(graph)
    degrees = links.sum(axis=1)
    followed = links.T @ (scores / np.maximum(degrees, 1))
    jumps = damping * scores[degrees == 0].sum() + (1 - damping) * scores.sum()
    return damping * followed + jumps * teleport
