"""The blend of walk, cpa, coupling and peers, put together as its text says."""

from __future__ import annotations

from math import sqrt

from tests.reference.coupling import coupling
from tests.reference.cpa import cpa
from tests.reference.peers import peers
from tests.reference.plain_graph import NONE, PlainGraph, Scores


def blend(
    graph: PlainGraph, query: str, walked: Scores, *, seed: int = 0, stop: frozenset[str] = NONE
) -> Scores:
    """`walked` are the scores of walk, which is only computed to within an error."""
    near = cpa(graph, query, seed=seed)
    near = {page: score / graph.in_degree(page) ** 0.4 for page, score in near.items()}
    w = scaled(walked, 0)
    c = scaled(near, 1)
    k = scaled(coupling(graph, query), 0.3)
    q = scaled(peers(graph, query), 0)
    links = graph.links[query]
    read = sum(graph.out_degree(child) > 0 for child in links) / len(links) if links else 0.0
    whole = min(max((read - 0.8) / 0.2, 0), 1)
    parents = min(sqrt(graph.in_degree(query) / 8), 3)
    children = min(len(links) / 8, 4)
    scores: Scores = {}
    for page in {*w, *c, *k, *q}:
        agreed = sqrt(c.get(page, 0) * k.get(page, 0))
        score = (1 + whole) / 2 * w.get(page, 0) + parents * c.get(page, 0)
        score += whole * children * (k.get(page, 0) / 2 + 0.6 * agreed)
        score += (2 - 1.65 * whole) * q.get(page, 0)
        scores[page] = score * (0.9 if page in links else 1)
    dropped = graph.stop_pages(stop, [query])
    return {page: score for page, score in scores.items() if page not in dropped and score > 0}


def scaled(scores: Scores, doubt: float) -> Scores:
    largest = max(scores.values(), default=0.0)
    return {page: score / (largest + doubt) for page, score in scores.items()}
