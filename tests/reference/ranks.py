"""Ranks of the whole graph, each iterated as its formula stands.

pagerank, hubrank (CON04, sec. 3), hits (Kle99), randomized hits (NZJ01), mbcc
(XH14, eq. 16) and the degrees.  All sum to 1, hits has Euclidean length 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from tests.reference.iteration import hubs_and_authorities
from tests.reference.plain_graph import PlainGraph, Scores

TOLERANCE = 1e-14


@dataclass
class HubsAndAuthorities:
    """A rank that knows two kinds of good pages."""

    scores: Scores
    hubs: Scores


def pagerank(
    graph: PlainGraph, damping: float = 0.85, teleport: Mapping[str, float] | None = None
) -> Scores:
    """`teleport` are weights of pages, uniform where absent."""
    return random_walk(graph, graph.links, damping, shares(graph, teleport))


def hubrank(
    graph: PlainGraph, damping: float = 0.85, bias: str = "out", matrix: str = "plain"
) -> Scores:
    degree = graph.out_degree if bias == "out" else graph.in_degree
    links = graph.parents if matrix == "transposed" else graph.links
    return random_walk(graph, links, damping, shares(graph, {p: degree(p) for p in graph.pages}))


def shares(graph: PlainGraph, weights: Mapping[str, float] | None) -> Scores:
    """The weights over their sum; uniform if there are none."""
    total = sum(weights.values()) if weights else 0
    if not weights or not total:
        return dict.fromkeys(graph.pages, 1 / len(graph.pages)) if graph.pages else {}
    return {page: weights.get(page, 0) / total for page in graph.pages}


def random_walk(
    graph: PlainGraph, links: Mapping[str, list[str]], damping: float, teleport: Scores
) -> Scores:
    """x = d (P'x + teleport * what pages without links hold) + (1 - d) teleport."""

    def step(x: Scores) -> Scores:
        idle = sum(x[page] for page in graph.pages if not links[page])
        y = {page: (damping * idle + 1 - damping) * teleport[page] for page in graph.pages}
        for page in graph.pages:
            for target in links[page]:
                y[target] += damping * x[page] / len(links[page])
        return y

    return converged(dict(teleport), step)


def converged(x: Scores, step: Callable[[Scores], Scores], rounds: int = 10_000) -> Scores:
    for _ in range(rounds):
        y = step(x)
        if sum(abs(y[page] - x[page]) for page in x) < TOLERANCE:
            return y
        x = y
    return x


def hits(
    graph: PlainGraph, tolerance: float = 1e-12, max_rounds: int = 10_000
) -> HubsAndAuthorities:
    edges = {(p, q): 1.0 for p in graph.pages for q in graph.links[p]}
    scores, hubs = hubs_and_authorities(graph.pages, edges, edges, tolerance, max_rounds)
    return HubsAndAuthorities(scores, hubs)


def densities(graph: PlainGraph) -> list[float]:
    """The eigenvalues of L'L, largest first; if the first is simple, HITS is unique."""
    matrix = [[float(q in graph.links[p]) for q in graph.pages] for p in graph.pages]
    values = np.linalg.svd(np.array(matrix), compute_uv=False) ** 2
    return values.tolist()  # type: ignore[no-any-return]


def randomized_hits(graph: PlainGraph, epsilon: float = 0.15) -> HubsAndAuthorities:
    """a = e + (1 - e) R'h, h = e + (1 - e) C a: R has rows of sum 1, C columns of sum 1."""

    def authorities(h: Scores) -> Scores:
        each = {p: (1 - epsilon) * h[p] / max(graph.out_degree(p), 1) for p in graph.pages}
        return {q: epsilon + sum(each[p] for p in graph.parents[q]) for q in graph.pages}

    def hubs(a: Scores) -> Scores:
        each = {q: (1 - epsilon) * a[q] / max(graph.in_degree(q), 1) for q in graph.pages}
        return {p: epsilon + sum(each[q] for q in graph.links[p]) for p in graph.pages}

    a = converged(dict.fromkeys(graph.pages, 1.0), lambda a: authorities(hubs(a)))
    return HubsAndAuthorities(summing_to_one(a), summing_to_one(hubs(a)))


def mbcc(graph: PlainGraph, beta: float = 0.9) -> HubsAndAuthorities:
    """x = b (L'L + e v') D^-1 x + (1 - b) e/n, with L'L written out; hubs y = L L' x."""
    n = len(graph.pages)
    common = {
        a: {b: len(set(graph.parents[a]) & set(graph.parents[b])) for b in graph.pages}
        for a in graph.pages
    }
    q = {page: sum(common[page].values()) or n for page in graph.pages}

    def step(x: Scores) -> Scores:
        orphans = sum(x[page] / q[page] for page in graph.pages if not graph.parents[page])
        return {
            a: beta * (sum(common[a][b] * x[b] / q[b] for b in graph.pages) + orphans)
            + (1 - beta) / n
            for a in graph.pages
        }

    x = converged(dict.fromkeys(graph.pages, 1 / n), step)
    y = {
        a: sum(len(set(graph.links[a]) & set(graph.links[b])) * x[b] for b in graph.pages)
        for a in graph.pages
    }
    return HubsAndAuthorities(summing_to_one(x), summing_to_one(y))


def in_degree(graph: PlainGraph) -> Scores:
    return summing_to_one({page: graph.in_degree(page) for page in graph.pages})


def out_degree(graph: PlainGraph) -> Scores:
    return summing_to_one({page: graph.out_degree(page) for page in graph.pages})


def summing_to_one(x: Mapping[str, float]) -> Scores:
    """x over its sum; uniform where that is 0."""
    total = sum(x.values())
    return {page: value / total if total else 1 / len(x) for page, value in x.items()}
