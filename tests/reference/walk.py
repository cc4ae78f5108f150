"""A random walk with restart over links in either direction, its equation solved."""

from __future__ import annotations

import numpy as np

from tests.reference.plain_graph import NONE, PlainGraph, Scores


def probabilities(graph: PlainGraph, query: str, restart: float = 0.15) -> Scores:
    """Where the walk is: p = restart e_u + (1 - restart) W'p; a mutual pair counts twice."""
    n = len(graph.pages)
    steps = np.zeros((n, n))
    for page in graph.pages:
        for target in graph.links[page]:
            a, b = graph.number[page], graph.number[target]
            steps[a, b] += 1
            steps[b, a] += 1
    degrees = steps.sum(axis=1)
    steps[degrees > 0] /= degrees[degrees > 0, None]
    start = np.zeros(n)
    start[graph.number[query]] = 1
    solved = np.linalg.solve(np.eye(n) - (1 - restart) * steps.T, restart * start)
    return {page: float(solved[i]) for i, page in enumerate(graph.pages)}


def walk(
    graph: PlainGraph,
    query: str,
    *,
    restart: float = 0.15,
    power: float = 0.25,
    stop: frozenset[str] = NONE,
) -> Scores:
    stop = graph.stop_pages(stop, [query])
    return {
        page: p / (graph.in_degree(page) + graph.out_degree(page)) ** power
        for page, p in probabilities(graph, query, restart).items()
        if p > 1e-15 and page != query and page not in stop
    }
