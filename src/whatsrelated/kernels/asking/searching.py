"""Helpers for looking up pages: intersect lists, and measure the edit distance of two strings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy import uint32
    from numpy.typing import NDArray


def in_all(lists: Sequence[NDArray[uint32]], most: int) -> NDArray[uint32]:
    """The first `most` numbers that are in all of these ascending lists."""
    common = lists[0]
    for other in lists[1:]:
        common = np.intersect1d(common, other, assume_unique=True)
    return np.asarray(common[:most], np.uint32)


def distance(a: str, b: str, most: int) -> int:
    """The edit distance of two strings (optimal string alignment), or `most` + 1 if it is more than
    `most`.

    An edit changes, adds or removes a letter, or swaps two neighbours.
    """
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        earlier, before, row = before, row, [i]
        for j, y in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
    return min(row[-1], most + 1)
