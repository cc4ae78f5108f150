"""One pass over the links for the ranks, in NumPy: see `_sweep.pyx` for what each does."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Offsets = NDArray[np.uint64]
Links = NDArray[np.uint32]
Floats = NDArray[np.floating[Any]]
Doubles = NDArray[np.float64]

SAMPLE = 64
"""From how many pages the gain of a group is estimated."""


def _row_sums(offsets: Offsets, links: Links, values: Floats, first: int, last: int) -> Doubles:
    """For each of the pages first … last-1 the sum of the values of its links."""
    ends = offsets[first : last + 1].astype(np.int64)
    rows = np.repeat(np.arange(last - first), np.diff(ends))
    gathered = np.asarray(values)[links[ends[0] : ends[-1]]]
    return np.bincount(rows, weights=gathered, minlength=last - first).astype(np.float64)


def multiply(
    offsets: Offsets,
    links: Links,
    values: Floats,
    result: Floats,
    total: Doubles | None = None,
    *,
    first: int,
    last: int,
    sums: Doubles,
) -> None:
    """result[q] = Σ values[p] over the links p of q; sums: Σ result², or Σ total²."""
    pages = slice(first, last)
    result[pages] = _row_sums(offsets, links, values, first, last)
    if total is not None:
        total[pages] += result[pages]
    summed = result if total is None else total
    sums[0] = np.square(summed[pages], dtype=np.float64).sum()


def pull(
    offsets: Offsets,
    links: Links,
    contributions: Floats,
    degrees: Floats,
    result: Floats,
    *,
    damping: float,
    constant: float,
    jump: float,
    weights: Floats | None,
    previous: Floats | None,
    total: Doubles | None,
    first: int,
    last: int,
    sums: Doubles,
) -> None:
    """score[q] = damping·Σ contributions[p] + constant + jump·weights[q]; p links to q."""
    pages = slice(first, last)
    scores = damping * _row_sums(offsets, links, contributions, first, last) + constant
    if weights is not None:
        scores += jump * weights[pages]
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
    constant: float,
    jump: float,
    weights: Floats | None,
    groups: Links,
    gains: Floats,
    growths: Floats,
    first: int,
    last: int,
    sums: Doubles,
    base: int = 0,
) -> None:
    """As `pull`, but in place, from the last page to the first, with aggregation by group."""
    offsets = offsets - np.uint64(base)
    for group in reversed(range(first, last)):
        pages = slice(int(groups[group]), int(groups[group + 1]))
        degrees = np.diff(out_offsets[pages.start : pages.stop + 1].astype(np.int64))
        divisors = np.maximum(degrees, 1)
        previous, scores = contributions[pages] * divisors, np.zeros(len(degrees))
        for page in reversed(range(pages.start, pages.stop)):
            pulled = _row_sums(offsets, links, contributions, page, page + 1)[0]
            score = damping * pulled + constant
            if weights is not None:
                score += jump * weights[page]
            scores[page - pages.start] = score
            contributions[page] = score / divisors[page - pages.start]
        growth, total, added = float((scores - previous).sum()), float(scores.sum()), 0.0
        sums[0] += np.abs(scores - previous)[degrees > 0].sum()
        if gains[group] > 0 and total > 0:
            if growth * growths[group] < 0 and 2 * abs(growth) > abs(growths[group]):
                gains[group] /= 2
            growths[group] = growth
            added = min(max(float(gains[group]) * growth / total, -0.5), 1.0)
            contributions[pages] *= np.float32(1 + added)
        sums[1] += abs(added) * total
        sums[2] += (1 + added) * scores[degrees == 0].sum()
        sums[3] += (1 + added) * total


def aggregation_gains(
    out_offsets: Offsets,
    out_links: Links,
    contributions: Floats,
    *,
    groups: Links,
    damping: float,
    gains: Floats,
    first: int,
    last: int,
    base: int = 0,
) -> None:
    """gains[g]: what a group will give to itself for each unit that `gauss_seidel` adds to it."""
    out_offsets = out_offsets - np.uint64(base)
    for group in range(first, last):
        start, end = int(groups[group]), int(groups[group + 1])
        score = inner = late = 0.0
        for page in range(start, end, max((end - start) // SAMPLE, 1)):
            targets = out_links[int(out_offsets[page]) : int(out_offsets[page + 1])]
            inside = targets[(targets >= start) & (targets < end)]
            score += float(contributions[page]) * max(len(targets), 1)
            inner += float(contributions[page]) * len(inside)
            late += float(contributions[page]) * int((inside > page).sum())
        if score > 0:
            gains[group] = damping * late / (score - damping * inner)


def axpby(
    x: Doubles, y: Floats, *, a: float, b: float, first: int, last: int, sums: Doubles
) -> None:
    """y = a·x + b·y; sums: Σ |y|."""
    pages = slice(first, last)
    values = a * x[pages] + b * y[pages].astype(np.float64)
    y[pages] = values
    sums[0] = np.abs(values).sum()
