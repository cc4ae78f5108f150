"""Sums over rows of links, in plain Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.kernels.shared.adjacency import row_of

if TYPE_CHECKING:
    from numpy import float64, int64, uint16, uint32, uint64
    from numpy.typing import NDArray

    from whatsrelated.kernels.shared.links import Links


class Scratch:
    """Memory that the compiled kernels reuse."""


def weighted_sums(
    scratch: Scratch,
    links: Links,
    rows: NDArray[uint32],
    weights: NDArray[float64],
    backward: bool,
) -> tuple[NDArray[uint32], NDArray[float64], int]:
    """Each page in the rows, with the summed weights of the rows that contain it; number of links
    read.

    A row holds the links of a page or, if `backward`, its parents.
    """
    sums: dict[int, float] = {}
    read = 0
    for page, weight in zip(rows.tolist(), weights.tolist(), strict=True):
        row = row_of(links, page, backward)
        read += len(row)
        for other in row:
            sums[other] = sums.get(other, 0.0) + weight
    return *_arrays(sums), read


def proximity_sums(
    scratch: Scratch, links: Links, rows: NDArray[uint32], page: int, alpha: float
) -> tuple[NDArray[uint32], NDArray[float64], int]:
    """Each other page in the rows of `page`, with the sum of 1 / distance ** alpha; number of links
    read.
    """
    sums: dict[int, float] = {}
    read = 0
    for parent in rows.tolist():
        row = row_of(links, parent, backward=False)
        read += len(row)
        at = row.index(page)
        for place, other in enumerate(row):
            if place != at:
                sums[other] = sums.get(other, 0.0) + abs(place - at) ** -alpha
    return *_arrays(sums), read


def products(
    scratch: Scratch,
    offsets: NDArray[uint64],
    pages: NDArray[uint32],
    page_weights: NDArray[uint16],
    rows: NDArray[uint32],
    weights: NDArray[float64],
    known: NDArray[uint32],
    most: int,
) -> tuple[NDArray[uint32], NDArray[float64], NDArray[int64]]:
    """Each page in the rows, with the sum of the products of its weight in a row and the row's
    weight; and the position of each `known` page among them, or -1.

    Row i has the pages from `offsets[i]` to `offsets[i + 1]`. Rows that would exceed `most` pages
    in all are left out, and so are rows that are not in the arrays.
    """
    sums: dict[int, float] = {}
    for row, weight in zip(rows.tolist(), weights.tolist(), strict=True):
        low, high = offsets[row : row + 2].tolist() if row + 1 < len(offsets) else (0, 0)
        if low <= high <= min(len(pages), len(page_weights)) and high - low <= most:
            most -= high - low
            for page, in_row in zip(
                pages[low:high].tolist(), page_weights[low:high].tolist(), strict=True
            ):
                sums[page] = sums.get(page, 0.0) + weight * in_row
    numbers = {page: number for number, page in enumerate(sums)}
    where = [numbers.get(page, -1) for page in known.tolist()]
    return *_arrays(sums), np.array(where, np.int64)


def places(scratch: Scratch, pages: NDArray[uint32]) -> tuple[NDArray[uint32], NDArray[int64]]:
    """The distinct pages, and for each entry of `pages` its position among them."""
    distinct: dict[int, int] = {}
    where = [distinct.setdefault(page, len(distinct)) for page in pages.tolist()]
    return np.array(list(distinct), np.uint32), np.array(where, np.int64)


def _arrays(sums: dict[int, float]) -> tuple[NDArray[uint32], NDArray[float64]]:
    return np.array(list(sums), np.uint32), np.array(list(sums.values()), np.float64)
