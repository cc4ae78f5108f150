"""SimRank of every pair of pages in a small graph, in rounds until nothing changes (JW02)."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from whatsrelated import kernels

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from whatsrelated.graph import Store

TOLERANCE = 1e-11
MAX_ROUNDS = 10_000


@dataclass(frozen=True, slots=True)
class Pairs:
    """SimRank of every pair of pages, and a bound on the error of a score."""

    decay: float
    scores: NDArray[float64]
    lacking: float = 0.0


_cache: WeakKeyDictionary[Store, Pairs] = WeakKeyDictionary()


def all_pairs(
    store: Store, decay: float, tolerance: float = TOLERANCE, deadline: float = math.inf
) -> Pairs:
    """SimRank of every pair of pages, in rounds until nothing changes; cached per open graph.

    After k rounds a score is too low by at most decay ** (k + 1), the probability of walking that
    long.
    """
    cached = _cache.get(store)
    if cached is not None and cached.decay == decay:
        return cached
    scores = np.eye(store.n_pages)
    means, transposed = np.empty_like(scores), np.empty_like(scores)
    rounds, moved = 0, math.inf
    while moved > tolerance and rounds < MAX_ROUNDS:
        if rounds and time.monotonic() > deadline:
            return Pairs(decay, scores, decay ** (rounds + 1))
        kernels.all_pairs.average_rows(store.links, scores, decay, means)
        kernels.all_pairs.transpose(means, transposed)
        kernels.all_pairs.average_rows(store.links, transposed, 1.0, means)
        np.fill_diagonal(means, 1.0)
        np.subtract(means, scores, out=transposed)
        moved = max(transposed.max(initial=0.0), -transposed.min(initial=0.0))
        scores, means = means, scores
        rounds += 1
    pairs = Pairs(decay, scores)
    if tolerance <= TOLERANCE:
        _cache[store] = pairs
    return pairs
