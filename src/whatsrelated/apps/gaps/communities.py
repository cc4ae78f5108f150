"""Clusters of a site: pages that link to each other more than to the rest.

This is Louvain's method (BGLL08): move pages to the neighbouring cluster that raises modularity
most, until no page moves; then treat clusters as pages and start again. Links count in both
directions. Pages move in page-number order and ties go to the lower cluster, so a site always has
the same clusters.

Cost: about 5 µs per link.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy import float64, int64
    from numpy.typing import NDArray

    Links = tuple[NDArray[int64], NDArray[int64], NDArray[float64]]
    """The ends and weights of links between nodes, in both directions, sorted."""

MIN_GAIN = 1e-9


def communities(n_pages: int, sources: NDArray[int64], targets: NDArray[int64]) -> NDArray[int64]:
    """The cluster of each page, numbered from the largest; -1 for a page without links."""
    clusters = np.full(n_pages, -1, np.int64)
    if not len(sources):
        return clusters
    pages, ends = np.unique(np.concatenate([sources, targets]), return_inverse=True)
    nodes, others = ends, np.roll(ends, len(sources))
    weights = np.ones(len(ends))
    cluster = np.arange(len(pages))
    while True:
        links = _merge(nodes, others, weights)
        homes, moved = np.unique(_move(links), return_inverse=True)
        if len(homes) == len(moved):
            break
        cluster = moved[cluster]
        nodes, others, weights = moved[links[0]], moved[links[1]], links[2]
    _, sizes = np.unique(cluster, return_counts=True)
    numbers = np.empty(len(sizes), np.int64)
    numbers[np.lexsort((np.arange(len(sizes)), -sizes))] = np.arange(len(sizes))
    clusters[pages] = numbers[cluster]
    return clusters


def _merge(nodes: NDArray[int64], others: NDArray[int64], weights: NDArray[float64]) -> Links:
    """Each pair of nodes once, with its total weight."""
    count = int(nodes.max()) + 1
    keys, place = np.unique(nodes * count + others, return_inverse=True)
    return keys // count, keys % count, np.bincount(place, weights).astype(np.float64)


def _move(links: Links) -> list[int]:
    """The cluster of each node once no move raises modularity."""
    nodes, _, weights = links
    degree = np.bincount(nodes, weights).tolist()
    total = sum(degree)
    neighbours = _rows(links)
    home = list(range(len(degree)))
    sizes = list(degree)
    changed = True
    while changed:
        changed = False
        for node, row in enumerate(neighbours):
            near: dict[int, float] = {}
            for other, weight in row:
                cluster = home[other]
                near[cluster] = near.get(cluster, 0.0) + weight
            current, links_of_node = home[node], degree[node]
            sizes[current] -= links_of_node
            best, best_gain = (
                current,
                near.get(current, 0.0) - sizes[current] * links_of_node / total,
            )
            for other in sorted(near):
                gain = near[other] - sizes[other] * links_of_node / total
                if gain > best_gain + MIN_GAIN:
                    best, best_gain = other, gain
            sizes[best] += links_of_node
            changed |= best != current
            home[node] = best
    return home


def _rows(links: Links) -> list[list[tuple[int, float]]]:
    """The neighbours of each node, without itself, and the weights of the links to them."""
    nodes, others, weights = links
    bounds = np.searchsorted(nodes, np.arange(int(nodes[-1]) + 2)).tolist()
    pairs = list(zip(others.tolist(), weights.tolist(), strict=True))
    return [
        [pair for pair in pairs[first:last] if pair[0] != node]
        for node, (first, last) in enumerate(pairwise(bounds))
    ]
