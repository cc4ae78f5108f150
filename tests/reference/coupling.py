"""Coupling: pages that link to the same children, the rare ones counting more."""

from __future__ import annotations

from math import log, sqrt

from tests.reference.plain_graph import NONE, PlainGraph, Scores


def coupling(graph: PlainGraph, query: str, *, stop: frozenset[str] = NONE) -> Scores:
    stop = graph.stop_pages(stop, [query])
    children = [child for child in graph.links[query] if child not in stop]
    scores: Scores = {}
    for page in graph.pages:
        common = [child for child in children if child in graph.links[page]]
        if common and page != query and page not in stop:
            rarity = sum(1 / log(2 + graph.in_degree(child)) for child in common)
            scores[page] = rarity / sqrt(graph.out_degree(page))
    return scores
