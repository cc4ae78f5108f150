"""Sweeps over all links for the ranks, in NumPy; `_sweep.pyx` describes each function."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Offsets = NDArray[np.uint64]
Links = NDArray[np.uint32]
Floats = NDArray[np.floating[Any]]
Doubles = NDArray[np.float64]


def _row_sums(
    offsets: Offsets, links: Links, values: Floats, first: int, last: int, base: int
) -> Doubles:
    """The sum of the values of each page's links, for the pages first … last-1."""
    ends = offsets[first : last + 1].astype(np.int64) - base
    rows = np.repeat(np.arange(last - first), np.diff(ends))
    gathered = np.asarray(values)[links[ends[0] : ends[-1]]]
    return np.bincount(rows, weights=gathered, minlength=last - first).astype(np.float64)


def multiply(
    offsets: Offsets,
    links: Links,
    values: Floats,
    result: Floats,
    *,
    first: int,
    last: int,
    sums: Doubles,
    base: int = 0,
) -> None:
    """result[q] = Σ values[p] over the links p of q; sums: Σ result²."""
    pages = slice(first, last)
    result[pages] = _row_sums(offsets, links, values, first, last, base)
    sums[0] = np.square(result[pages], dtype=np.float64).sum()


def pull(
    offsets: Offsets,
    links: Links,
    contributions: Floats,
    degrees: Floats,
    result: Floats,
    *,
    damping: float,
    jump: float,
    weights: Floats | None,
    previous: Floats | None,
    total: Doubles | None,
    first: int,
    last: int,
    sums: Doubles,
    base: int = 0,
) -> None:
    """score[q] = damping·Σ contributions[p] + jump·weights[q], over the links p of q."""
    pages = slice(first, last)
    scores = damping * _row_sums(offsets, links, contributions, first, last, base)
    scores += jump if weights is None else jump * weights[pages]
    divisors = np.maximum(degrees[pages], 1).astype(np.float64)
    result[pages] = scores / divisors
    if total is not None:
        total[pages] += result[pages]
    before = 0 if previous is None else previous[pages] * divisors
    sums[0] = np.abs(scores - before).sum()
    sums[1] = scores[degrees[pages] == 0].sum()


def gauss_seidel(
    offsets: Offsets,
    links: Links,
    out_offsets: Offsets,
    contributions: Floats,
    *,
    damping: float,
    jump: float,
    weights: Floats | None,
    residual: Floats | None,
    first: int,
    last: int,
    sums: Doubles,
    base: int = 0,
) -> None:
    """Like `pull`, but in place, from the last page to the first; adds residual[q] to score[q]."""
    for page in reversed(range(first, last)):
        score = damping * _row_sums(offsets, links, contributions, page, page + 1, base)[0]
        score += jump if weights is None else jump * weights[page]
        if residual is not None:
            score += residual[page]
        degree = int(out_offsets[page + 1] - out_offsets[page])
        if degree:
            sums[0] += abs(score - float(contributions[page]) * degree)
        else:
            sums[1] += score
        sums[2] += score
        contributions[page] = score / max(degree, 1)
