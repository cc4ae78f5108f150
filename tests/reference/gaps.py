"""The score of a missing link by its definition (whatsrelated.apps.gaps), slow and plain."""

from __future__ import annotations

from math import exp, log, sqrt

from tests.reference.plain_graph import PlainGraph


def missing_scores(graph: PlainGraph, page: str, pages: list[str]) -> dict[str, float]:
    """The score of every page of the site that `page` does not link to and something speaks for."""
    into = {p: [q for q in graph.links if p in graph.links[q]] for p in graph.links}
    weights: dict[str, float] = {}
    for child in graph.links[page]:
        for other in into[child]:
            if other != page:
                weights[other] = weights.get(other, 0.0) + 1 / sqrt(len(into[child]))
    for other in weights:
        weights[other] /= sqrt(len(graph.links[other]))
    peers = sorted(weights, key=lambda p: (-round(weights[p], 12), p))[:100]
    mass: dict[str, float] = {}
    for peer in peers:
        for target in graph.links[peer]:
            if target in pages and target != page and target not in graph.links[page]:
                mass[target] = mass.get(target, 0.0) + weights[peer]
    listed = sorted(mass, key=lambda p: (-round(mass[p] / len(into[p]) ** 0.25, 12), p))
    total = sum(weights[peer] for peer in peers)
    scores = {}
    back = [p for p in into[page] if p in pages and p not in graph.links[page]]
    for target in {*listed, *back}:
        place = listed.index(target) + 1 if target in listed else 100
        z = log(mass.get(target, 0.0) + 0.01) - 0.5 * log(total + 1)
        z += 0.75 * (target in back) + 0.25 * log(weights.get(target, 0.0) + 0.05)
        z -= log(min(place, 100) + 1)
        scores[target] = 1 / (1 + exp(-(1.36 + 2 * z)))
    return scores
