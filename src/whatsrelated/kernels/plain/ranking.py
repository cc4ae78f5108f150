"""One sweep over the links for the ranks, in NumPy: see `_ranking.pyx` for what each does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

SEEN = 64
"""How many pages tell how much of a group stays in it."""


def _sums(offsets: Any, links: Any, values: Any, low: int, high: int) -> Any:
    """For each of the pages low … high-1 the sum of the values of its links, in 64 bits."""
    start, stop = int(offsets[low]), int(offsets[high])
    ends = (offsets[low : high + 1] - offsets[low]).astype(np.int64)
    owners = np.repeat(np.arange(high - low), ends[1:] - ends[:-1])
    gathered = np.asarray(values)[links[start:stop]]
    return np.bincount(owners, weights=gathered, minlength=high - low)


def _chunks(bounds: Any, first: int, last: int) -> Iterator[tuple[int, slice]]:
    """The chunks first … last-1, each with its pages."""
    for chunk in range(first, last):
        yield chunk, slice(int(bounds[chunk]), int(bounds[chunk + 1]))


def _divisors(degrees: Any, pages: slice) -> Any:
    """By what a page's score is divided: its links, or 1 where it has none."""
    return np.where(degrees[pages] > 0, degrees[pages], 1).astype(np.float64)


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
    for chunk, pages in _chunks(bounds, first, last):
        result[pages] = _sums(offsets, links, values, pages.start, pages.stop)
        tallies[chunk, 0] = np.square(result[pages], dtype=np.float64).sum()


def add_products(
    offsets: Any,
    links: Any,
    values: Any,
    total: Any,
    added: Any,
    bounds: Any,
    first: int,
    last: int,
    tallies: Any,
) -> None:
    """added[q] = Σ values[p] over the links p of q, total += added; tallies: Σ total²."""
    for chunk, pages in _chunks(bounds, first, last):
        added[pages] = _sums(offsets, links, values, pages.start, pages.stop)
        total[pages] += added[pages]
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
    for chunk, pages in _chunks(bounds, first, last):
        scores = factor * _sums(offsets, links, shares, pages.start, pages.stop) + constant
        if jumps is not None:
            scores += jump * jumps[pages]
        divisors = _divisors(degrees, pages)
        result[pages] = scores / divisors
        if total is not None:
            total[pages] += result[pages]
        old = 0 if before is None else before[pages] * divisors
        tallies[chunk, 0] = np.abs(scores - old).sum()
        tallies[chunk, 1] = scores[degrees[pages] == 0].sum()


def flow(
    offsets: Any,
    links: Any,
    out_offsets: Any,
    jumps: Any,
    factor: float,
    constant: float,
    jump: float,
    groups: Any,
    gains: Any,
    changes: Any,
    shares: Any,
    first: int,
    last: int,
    tallies: Any,
) -> None:
    """As `spread`, in place, from the last page to the first, page by page and group by group."""
    tallies[:] = 0
    for group in reversed(range(first, last)):
        pages = slice(int(groups[group]), int(groups[group + 1]))
        degrees = np.diff(out_offsets[pages.start : pages.stop + 1].astype(np.int64))
        divisors = np.maximum(degrees, 1)
        before, scores = shares[pages] * divisors, np.zeros(len(degrees))
        for page in reversed(range(pages.start, pages.stop)):
            score = factor * _sums(offsets, links, shares, page, page + 1)[0] + constant
            if jumps is not None:
                score += jump * jumps[page]
            scores[page - pages.start] = score
            shares[page] = score / divisors[page - pages.start]
        growth, total, part = float((scores - before).sum()), float(scores.sum()), 0.0
        tallies[0] += np.abs(scores - before)[degrees > 0].sum()
        if gains[group] > 0 and total > 0:
            if growth * changes[group] < 0 and 2 * abs(growth) > abs(changes[group]):
                gains[group] /= 2
            changes[group] = growth
            part = min(max(float(gains[group]) * growth / total, -0.5), 1.0)
            shares[pages] *= np.float32(1 + part)
        tallies[1] += abs(part) * total
        tallies[2] += (1 + part) * scores[degrees == 0].sum()
        tallies[3] += (1 + part) * total


def echoes(
    out_offsets: Any,
    out_links: Any,
    shares: Any,
    groups: Any,
    damping: float,
    gains: Any,
    first: int,
    last: int,
) -> None:
    """gains[g]: what a group will get from itself, for each part that `flow` has brought it."""
    for group in range(first, last):
        start, end = int(groups[group]), int(groups[group + 1])
        held = own = late = 0.0
        for page in range(start, end, max((end - start) // SEEN, 1)):
            targets = out_links[int(out_offsets[page]) : int(out_offsets[page + 1])]
            inside = targets[(targets >= start) & (targets < end)]
            held += float(shares[page]) * max(len(targets), 1)
            own += float(shares[page]) * len(inside)
            late += float(shares[page]) * int((inside > page).sum())
        if held > 0:
            gains[group] = damping * late / (held - damping * own)


def combine(
    goal: Any,
    one: float,
    two: float,
    steps: Any,
    bounds: Any,
    first: int,
    last: int,
    tallies: Any,
) -> None:
    """steps = one·goal + two·steps; tallies: Σ |step|."""
    for chunk, pages in _chunks(bounds, first, last):
        moved = one * goal[pages] + two * steps[pages].astype(np.float64)
        steps[pages] = moved
        tallies[chunk, 0] = np.abs(moved).sum()
