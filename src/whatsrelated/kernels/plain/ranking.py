"""One sweep over the links for the ranks, in NumPy: see `_ranking.pyx` for what each does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

BLOCK = 256
"""How many pages are finished together."""


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
    shares: Any,
    result: Any,
    kept: Any,
    bounds: Any,
    first: int,
    last: int,
    tallies: Any,
) -> None:
    """As `spread`, block after block of 256 pages; the shares before are put into `kept`."""
    degrees = np.diff(out_offsets.astype(np.int64))
    halves = shares.dtype == np.uint16
    for chunk, pages in _chunks(bounds, first, last):
        tallies[chunk] = 0
        for start in range(pages.start, pages.stop, BLOCK):
            block = slice(start, min(start + BLOCK, pages.stop))
            wide = widened(shares) if halves else shares.copy()
            if kept is not None:
                kept[block] = wide[block]
            after, sums = wide.copy(), np.zeros((1, 2))
            numbers = (degrees, jumps, factor, constant, jump, wide, after, None)
            spread(offsets, links, wide, *numbers, [block.start, block.stop], 0, 1, sums)
            tallies[chunk, :2] += sums[0]
            tallies[chunk, 2] += (after[block] * _divisors(degrees, block)).sum()
            result[block] = halved(after[block]) if halves else after[block]


def widened(halves: Any) -> Any:
    """Numbers of 32 bits from their first 16 after the sign."""
    return (halves.astype(np.uint32) << 15).view(np.float32)


def halved(values: Any) -> Any:
    """Numbers from 0 up, rounded to 16 bits: eight of the exponent, and eight digits."""
    return ((values.view(np.uint32) + np.uint32(1 << 14)) >> 15).astype(np.uint16)


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


def alignment(
    first_shares: Any,
    second: Any,
    third: Any,
    fourth: Any,
    out_offsets: Any,
    bounds: Any,
    first: int,
    last: int,
    tallies: Any,
) -> None:
    """tallies: the products of the three steps between four shares, as scores, with one another."""
    degrees = np.diff(out_offsets.astype(np.int64))
    for chunk, pages in _chunks(bounds, first, last):
        divisors = _divisors(degrees, pages)
        stages = np.stack([part[pages] for part in (first_shares, second, third, fourth)])
        steps = np.diff(stages, axis=0) * divisors
        tallies[chunk, :6] = (steps @ steps.T)[np.triu_indices(3)]


def leap(
    second: Any,
    third: Any,
    one: float,
    two: float,
    out_offsets: Any,
    shares: Any,
    bounds: Any,
    first: int,
    last: int,
    tallies: Any,
) -> None:
    """shares += one·(second - shares) + two·(third - shares), and at least 0."""
    degrees = np.diff(out_offsets.astype(np.int64))
    for chunk, pages in _chunks(bounds, first, last):
        moved = one * (second[pages] - shares[pages]) + two * (third[pages] - shares[pages])
        shares[pages] = np.maximum(shares[pages] + moved, 0)
        held = shares[pages].astype(np.float64)
        tallies[chunk, 0] = 0
        tallies[chunk, 1] = held[degrees[pages] == 0].sum()
        tallies[chunk, 2] = (held * _divisors(degrees, pages)).sum()
