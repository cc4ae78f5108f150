"""Merging, edge weights and the iteration, with NumPy."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy import float64, int64, uint8, uint32
    from numpy.typing import NDArray


def joined(
    starts: NDArray[int64],
    targets: NDArray[uint32],
    names: NDArray[uint32],
    sites: NDArray[uint32] | None,
) -> tuple[NDArray[int64], NDArray[uint32]]:
    """The edges after every node p has become names[p], a node that names itself."""
    rows: list[dict[int, None]] = [{} for _ in names]
    for node, name in enumerate(names.tolist()):
        for target in targets[starts[node] : starts[node + 1]]:
            other = int(names[target])
            if other != name and (sites is None or sites[other] != sites[name]):
                rows[name][other] = None
    new_starts = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return new_starts, np.array([other for row in rows for other in row], np.uint32)


def edge_weights(
    starts: NDArray[int64], targets: NDArray[uint32], sites: NDArray[uint32]
) -> tuple[NDArray[float64], NDArray[float64]]:
    """The authority and the hub weight of every edge (BH98)."""
    edges = list(zip(_sources(starts).tolist(), targets.tolist(), strict=True))
    site = sites.tolist()
    into = Counter((site[p], q) for p, q in edges)
    out_of = Counter((p, site[q]) for p, q in edges)
    return (
        np.array([1 / into[site[p], q] for p, q in edges], np.float64),
        np.array([1 / out_of[p, site[q]] for p, q in edges], np.float64),
    )


def authorities(
    starts: NDArray[int64],
    targets: NDArray[uint32],
    authority_weights: NDArray[float64] | None,
    hub_weights: NDArray[float64] | None,
    tolerance: float,
    max_rounds: int,
) -> tuple[NDArray[float64], NDArray[float64], int, float]:
    """Authorities, hubs, rounds and the last move of the authorities (L1)."""
    n = len(starts) - 1
    sources = _sources(starts)
    into = 1.0 if authority_weights is None else authority_weights
    out_of = 1.0 if hub_weights is None else hub_weights
    authority, hub = np.ones(n), np.ones(n)
    rounds, moved = 0, 0.0
    while rounds < max_rounds:
        rounds += 1
        before = authority
        authority = _to_length_one(_summed(targets, hub[sources] * into, n))
        hub = _to_length_one(_summed(sources, authority[targets] * out_of, n))
        moved = float(np.abs(authority - before).sum())
        if moved < tolerance:
            break
    return authority, hub, rounds, moved


def best(
    pages: NDArray[uint32],
    authority: NDArray[float64],
    roles: NDArray[uint8],
    apart: int,
    least: float,
) -> tuple[NDArray[uint32], NDArray[float64]]:
    """The pages of more than `least` times the best one's authority, and theirs."""
    others = np.where(roles & apart, 0.0, authority)
    chosen = others > least * others.max(initial=0)
    return pages[chosen], authority[chosen]


def _sources(starts: NDArray[int64]) -> NDArray[int64]:
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))


def _summed(places: NDArray[Any], values: NDArray[float64], n: int) -> NDArray[float64]:
    sums: NDArray[float64] = np.bincount(places, values, minlength=n).astype(np.float64)
    return sums


def _to_length_one(vector: NDArray[float64]) -> NDArray[float64]:
    length = np.sqrt(vector @ vector)
    return vector / length if length > 0 else vector
