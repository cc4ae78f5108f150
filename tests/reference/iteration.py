"""Hubs and authorities over weighted edges, until the authorities converge (Kle99, DH99)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import sqrt

Edge = tuple[str, str]


def hubs_and_authorities(
    nodes: Collection[str],
    authority_weights: Mapping[Edge, float],
    hub_weights: Mapping[Edge, float],
    tolerance: float = 1e-9,
    max_rounds: int = 1000,
    queries: Collection[str] = (),
) -> tuple[dict[str, float], dict[str, float]]:
    """Authorities and hubs; both maps have an entry for each edge.

    Components whose only authorities are queries are left out.
    """
    for hubs_of, authorities_of in components(authority_weights):
        if authorities_of <= set(queries):
            authority_weights = {
                edge: weight for edge, weight in authority_weights.items() if edge[0] not in hubs_of
            }
    authorities = dict.fromkeys(nodes, 1.0)
    hubs = dict.fromkeys(nodes, 1.0)
    for _ in range(max_rounds):
        before = authorities
        authorities = dict.fromkeys(nodes, 0.0)
        for (p, q), weight in authority_weights.items():
            authorities[q] += hubs[p] * weight
        authorities = normalised(authorities)
        hubs = dict.fromkeys(nodes, 0.0)
        for (p, q), weight in hub_weights.items():
            hubs[p] += authorities[q] * weight
        hubs = normalised(hubs)
        if sum(abs(authorities[node] - before[node]) for node in nodes) < tolerance:
            break
    return authorities, hubs


def components(edges: Collection[Edge]) -> list[tuple[set[str], set[str]]]:
    """The hubs and the authorities that chains of edges join, a pair of sets each."""
    joined: list[tuple[set[str], set[str]]] = []
    for p, q in edges:
        hubs, authorities = {p}, {q}
        apart = []
        for other in joined:
            if other[0] & hubs or other[1] & authorities:
                hubs |= other[0]
                authorities |= other[1]
            else:
                apart.append(other)
        joined = [*apart, (hubs, authorities)]
    return joined


def normalised(vector: dict[str, float]) -> dict[str, float]:
    length = sqrt(sum(value * value for value in vector.values()))
    return {node: value / length for node, value in vector.items()} if length else vector


def best(authorities: Mapping[str, float], queries: Collection[str]) -> dict[str, float]:
    """The pages other than the queries above a millionth of the best of them."""
    others = {page: score for page, score in authorities.items() if page not in queries}
    largest = max(others.values(), default=0.0)
    return {page: score for page, score in others.items() if score > 1e-6 * largest}
