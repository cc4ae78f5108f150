"""Sums over rows of links, in plain Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy import float64, int64, uint32
    from numpy.typing import NDArray


class Scratch:
    """The compiled loops keep their memory here."""


def weighted(
    scratch: Any, offsets: Any, links: Any, rows: Any, weights: Any
) -> tuple[NDArray[uint32], NDArray[float64], int]:
    """For each page that one of the rows holds, the sum of these rows' weights; links read."""
    sums: dict[int, float] = {}
    read = 0
    for row, weight in zip(map(int, rows), map(float, weights), strict=True):
        held = links[int(offsets[row]) : int(offsets[row + 1])].tolist()
        read += len(held)
        for page in held:
            sums[page] = sums.get(page, 0.0) + weight
    return *_arrays(sums), read


def nearby(
    scratch: Any, offsets: Any, links: Any, rows: Any, page: int, alpha: float
) -> tuple[NDArray[uint32], NDArray[float64], int]:
    """For each page beside `page` in the rows, the sum of 1 / distance ** alpha; links read."""
    sums: dict[int, float] = {}
    read = 0
    for row in map(int, rows):
        held = links[int(offsets[row]) : int(offsets[row + 1])].tolist()
        read += len(held)
        at = held.index(page)
        for place, other in enumerate(held):
            if place != at:
                sums[other] = sums.get(other, 0.0) + abs(place - at) ** -alpha
    return *_arrays(sums), read


def places(scratch: Any, pages: Any) -> tuple[NDArray[uint32], NDArray[int64]]:
    """Each page once, and for each entry of `pages` where it is among these."""
    distinct: dict[int, int] = {}
    where = [distinct.setdefault(page, len(distinct)) for page in pages.tolist()]
    return np.array(list(distinct), np.uint32), np.array(where, np.int64)


def _arrays(sums: dict[int, float]) -> tuple[NDArray[uint32], NDArray[float64]]:
    return np.array(list(sums), np.uint32), np.array(list(sums.values()), np.float64)
