"""The blend of walk, cpa, coupling and peers, put together as its text says."""

from __future__ import annotations

from math import exp, log, sqrt

from tests.reference.coupling import coupling
from tests.reference.cpa import cpa
from tests.reference.peers import peers
from tests.reference.plain_graph import NONE, PlainGraph, Scores
from tests.reference.plain_graph import page as page_itself

# walk, cpa, coupling, peers, cpa with coupling; four powers; in-degree; linked
EDGE = (0.65, 1.5, 0.05, 2.5, 0, 0.15, 0.14, 0.1, 0.43, 0.1, 0, log(0.14))
ORDERED = (0.8, 0.75, 0.85, 0.25, 1, 0.27, 0.1, 0.13, 0.08, 0.22, 0.03, log(0.82))
UNORDERED = (0.8, 0.2, 0.05, 0.9, 0.75, 0.05, 0.2, 0.05, 0.1, -0.1, 0, log(0.3))


def blend(
    graph: PlainGraph, query: str, walked: Scores, *, seed: int = 0, stop: frozenset[str] = NONE
) -> Scores:
    """`walked` are the scores of walk, which is only computed to within an error."""
    near = cpa(graph, query, seed=seed)
    near = {page: score / graph.in_degree(page) ** 0.4 for page, score in near.items()}
    w, q = scaled(walked, 0), scaled(peers(graph, query), 0)
    alike = {
        page: score * sqrt(graph.out_degree(page) / (graph.out_degree(page) + 4))
        for page, score in coupling(graph, query).items()
    }
    c, k = scaled(near, 1), scaled(alike, 0.3)
    links = graph.links[query]
    read = sum(graph.out_degree(page) > 0 for page in walked) / len(walked) if walked else 0
    whole = min(max((read - 0.85) / 0.1, 0), 1)
    kind = ORDERED if graph.ordered else UNORDERED
    mix = [(1 - whole) * a + whole * b for a, b in zip(EDGE, kind, strict=True)]
    parents = min(sqrt(graph.in_degree(query) / 8), 3)
    children, few = min(len(links) / 8, 4), min(len(links) / 4, 1)
    site_of = graph.site_for([query])
    many_sites = site_of is not page_itself
    scores: Scores = {}
    for page in {*w, *c, *k, *q}:
        x = [each.get(page, 0) for each in (w, c, k, q)]
        score = mix[0] * x[0] + mix[1] * parents * x[1] + mix[2] * children * x[2]
        score += mix[3] * few * x[3] + mix[4] * children * sqrt(x[1] * x[2])
        score *= (0.0025 + x[0]) ** mix[5] * (0.05 + x[1]) ** mix[6]
        score *= (0.03 + x[2]) ** mix[7] * (0.03 + x[3]) ** (mix[8] * few)
        known = max(graph.in_degree(page), 1)
        score *= known ** (mix[9] - mix[10] * log(known))
        linked = page in links and query not in graph.links[page]
        score *= exp(mix[11] * few) if linked else 1
        score *= 0.02 if site_of(page) == site_of(query) else 1
        pointing = many_sites and query in graph.links[page] and not x[1]
        scores[page] = score * (0.3 if pointing else 1)
    dropped = graph.stop_pages(stop, [query])
    return {page: score for page, score in scores.items() if page not in dropped and score > 0}


def scaled(scores: Scores, doubt: float) -> Scores:
    largest = max(scores.values(), default=0.0)
    return {page: score / (largest + doubt) for page, score in scores.items()}
