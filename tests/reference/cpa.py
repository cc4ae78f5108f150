"""Co-citation proximity: links close together on a page count more (SG16)."""

from __future__ import annotations

from tests.reference.plain_graph import NONE, PlainGraph, Scores


def cpa(
    graph: PlainGraph,
    query: str,
    *,
    parents: int = 2000,
    alpha: float = 0.85,
    seed: int = 0,
    stop: frozenset[str] = NONE,
) -> Scores:
    stop = graph.stop_pages(stop, [query])
    scores: Scores = {}
    for parent in graph.sampled_parents(query, parents, seed, stop):
        links = graph.links[parent]
        at = links.index(query)
        for place, sibling in enumerate(links):
            if sibling != query and sibling not in stop:
                distance = abs(place - at) if graph.ordered else 1
                scores[sibling] = scores.get(sibling, 0.0) + 1 / distance**alpha
    return scores
