"""One sweep over the links for the ranks, in NumPy: see `_ranking.pyx` for what each does."""

from __future__ import annotations

from typing import Any

import numpy as np


def _sums(offsets: Any, links: Any, values: Any, low: int, high: int) -> Any:
    """For each of the pages low … high-1 the sum of the values of its links, in 64 bits."""
    start, stop = int(offsets[low]), int(offsets[high])
    ends = (offsets[low : high + 1] - offsets[low]).astype(np.int64)
    owners = np.repeat(np.arange(high - low), ends[1:] - ends[:-1])
    gathered = np.asarray(values)[links[start:stop]]
    return np.bincount(owners, weights=gathered, minlength=high - low)


def products(
    offsets: Any,
    links: Any,
    values: Any,
    result: Any,
    bounds: Any,
    first: int,
    last: int,
    tallies: Any,
) -> None:
    """result[q] = Σ values[p] over the links p of q; tallies: Σ result²."""
    for chunk in range(first, last):
        pages = slice(bounds[chunk], bounds[chunk + 1])
        result[pages] = _sums(offsets, links, values, pages.start, pages.stop)
        tallies[chunk, 0] = np.square(result[pages], dtype=np.float64).sum()


def add_products(
    offsets: Any,
    links: Any,
    values: Any,
    total: Any,
    bounds: Any,
    first: int,
    last: int,
    tallies: Any,
) -> None:
    """total[q] += Σ values[p] over the links p of q; tallies: Σ total²."""
    for chunk in range(first, last):
        pages = slice(bounds[chunk], bounds[chunk + 1])
        total[pages] += _sums(offsets, links, values, pages.start, pages.stop)
        tallies[chunk, 0] = np.square(total[pages]).sum()


def spread(
    offsets: Any,
    links: Any,
    shares: Any,
    degrees: Any,
    jumps: Any,
    factor: float,
    constant: float,
    jump: float,
    before: Any,
    result: Any,
    total: Any,
    bounds: Any,
    first: int,
    last: int,
    tallies: Any,
) -> None:
    """A page's score is factor·Σ shares[p] + constant + jump·jumps[q]; its share, score/degree."""
    for chunk in range(first, last):
        pages = slice(bounds[chunk], bounds[chunk + 1])
        scores = factor * _sums(offsets, links, shares, pages.start, pages.stop) + constant
        if jumps is not None:
            scores += jump * jumps[pages]
        divisors = np.where(degrees[pages] > 0, degrees[pages], 1).astype(np.float64)
        result[pages] = scores / divisors
        if total is not None:
            total[pages] += result[pages]
        old = 0 if before is None else before[pages] * divisors
        tallies[chunk, 0] = np.abs(scores - old).sum()
        tallies[chunk, 1] = scores[degrees[pages] == 0].sum()


def approach(
    goal: Any,
    factor: float,
    values: Any,
    steps: Any,
    bounds: Any,
    first: int,
    last: int,
    tallies: Any,
) -> None:
    """values = factor·goal; steps: by how much they moved, in 32 bits; tallies: Σ |step|."""
    for chunk in range(first, last):
        pages = slice(bounds[chunk], bounds[chunk + 1])
        moved = factor * goal[pages] - values[pages]
        steps[pages] = moved
        values[pages] = factor * goal[pages]
        tallies[chunk, 0] = np.abs(moved).sum()
