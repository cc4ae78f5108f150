"""Hubs and authorities of a small graph by power iteration, in NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.kernels.asking.edges import sources_of

if TYPE_CHECKING:
    from numpy import float64, int64, uint8, uint32
    from numpy.typing import NDArray


def authorities(
    starts: NDArray[int64],
    targets: NDArray[uint32],
    authority_weights: NDArray[float64] | None,
    hub_weights: NDArray[float64] | None,
    tolerance: float,
    max_rounds: int,
    roles: NDArray[uint8] | None = None,
    apart: int = 0,
) -> tuple[NDArray[float64], NDArray[float64], int, float]:
    """Authorities, hubs, rounds and the last change of the authorities (L1).

    A component whose only authorities have the role `apart` starts from 0.
    """
    n = len(starts) - 1
    sources = sources_of(starts)
    into = 1.0 if authority_weights is None else authority_weights
    out_of = 1.0 if hub_weights is None else hub_weights
    authority, hub = np.ones(n), np.ones(n)
    if roles is not None:
        hub[sources[_is_alone(sources, targets, (roles & apart) > 0)[targets]]] = 0
    rounds, moved = 0, 0.0
    while rounds < max_rounds:
        rounds += 1
        before = authority
        authority = _to_length_one(_sums(targets, hub[sources] * into, n))
        hub = _to_length_one(_sums(sources, authority[targets] * out_of, n))
        moved = float(np.abs(authority - before).sum())
        if moved < tolerance:
            break
    return authority, hub, rounds, moved


def _is_alone(
    sources: NDArray[int64], targets: NDArray[uint32], apart: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Which nodes share hubs, directly or indirectly, only with nodes of the role `apart`."""
    alone = apart.copy()
    before = -1
    while before != (before := int(np.count_nonzero(alone))):
        sharing = np.zeros(len(alone), np.bool_)
        sharing[sources[~alone[targets]]] = True
        alone[targets[sharing[sources]]] = False
    return alone


def best(
    pages: NDArray[uint32],
    authority: NDArray[float64],
    roles: NDArray[uint8],
    apart: int,
    least: float,
) -> tuple[NDArray[uint32], NDArray[float64]]:
    """The pages with more than `least` times the best page's authority, and their authorities."""
    others = np.where(roles & apart, 0.0, authority)
    chosen = others > least * others.max(initial=0)
    return pages[chosen], authority[chosen]


def _sums(places: NDArray[Any], values: NDArray[float64], n: int) -> NDArray[float64]:
    return np.bincount(places, values, minlength=n).astype(np.float64)


def _to_length_one(vector: NDArray[float64]) -> NDArray[float64]:
    length = np.sqrt(vector @ vector)
    return vector / length if length > 0 else vector
