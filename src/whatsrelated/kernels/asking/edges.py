"""Merge the nodes of a small graph and weight its edges, in plain Python."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy import float64, int64, uint32
    from numpy.typing import NDArray


def merge_nodes(
    starts: NDArray[int64], targets: NDArray[uint32], names: NDArray[uint32]
) -> tuple[NDArray[int64], NDArray[uint32]]:
    """The edges after merging each node p into names[p], a node that names itself."""
    rows: list[dict[int, None]] = [{} for _ in names]
    for node, name in enumerate(names.tolist()):
        for target in targets[starts[node] : starts[node + 1]]:
            other = int(names[target])
            if other != name:
                rows[name][other] = None
    new_starts = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return new_starts, np.array([other for row in rows for other in row], np.uint32)


def edge_weights(
    starts: NDArray[int64], targets: NDArray[uint32], sites: NDArray[uint32]
) -> tuple[NDArray[float64], NDArray[float64]]:
    """The authority and the hub weight of every edge (BH98)."""
    edges = list(zip(sources_of(starts).tolist(), targets.tolist(), strict=True))
    site = sites.tolist()
    into = Counter((site[p], q) for p, q in edges)
    out_of = Counter((p, site[q]) for p, q in edges)
    return (
        np.array([1 / into[site[p], q] for p, q in edges], np.float64),
        np.array([1 / out_of[p, site[q]] for p, q in edges], np.float64),
    )


def sources_of(starts: NDArray[int64]) -> NDArray[int64]:
    """The node that each edge comes from."""
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))
