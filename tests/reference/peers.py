"""Peers: what pages with similar links link to."""

from __future__ import annotations

from math import sqrt

from tests.reference.plain_graph import NONE, PlainGraph, Scores


def peers(
    graph: PlainGraph, query: str, *, peers: int = 100, stop: frozenset[str] = NONE
) -> Scores:
    stop = graph.stop_pages(stop, [query])
    weights: Scores = {}
    for child in graph.links[query]:
        for parent in graph.parents[child]:
            if child not in stop and parent != query and parent not in stop:
                weights[parent] = weights.get(parent, 0.0) + 1 / sqrt(graph.in_degree(child))
    weights = {page: w / sqrt(graph.out_degree(page)) for page, w in weights.items()}
    largest = max(weights.values(), default=1.0)
    order = sorted(weights, key=lambda p: (-round(weights[p] / largest, 9), graph.number[p]))
    scores: Scores = {}
    for peer in order[:peers]:
        for page in graph.links[peer]:
            if page != query and page not in stop:
                scores[page] = scores.get(page, 0.0) + weights[peer]
    return {page: score / graph.in_degree(page) ** 0.25 for page, score in scores.items()}
