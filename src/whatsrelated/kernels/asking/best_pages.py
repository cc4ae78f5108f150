"""The best pages of each list, in NumPy."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy import float64, int64, uint32
    from numpy.typing import NDArray

    from whatsrelated.kernels.shared.links import Links


def best(
    starts: NDArray[int64], pages: NDArray[uint32], scores: NDArray[float64], most: int
) -> NDArray[int64]:
    """The positions of the best `most` pages of each list, ascending; list i begins at starts[i].

    Scores are divided by the list's largest and rounded to 9 decimals; ties go to the lower page
    number.
    """
    lists = np.repeat(np.arange(len(starts) - 1), starts[1:] - starts[:-1])
    rounded = [_rounded(scores[a:b]) for a, b in pairwise(starts)]
    ranked = np.lexsort((pages, -np.concatenate([*rounded, np.empty(0)]), lists))
    within = np.arange(len(ranked)) - starts[lists[ranked]]
    return np.sort(ranked[within < most])


def rank_best(
    pages: NDArray[uint32],
    scores: NDArray[float64],
    ties: NDArray[float64] | None,
    links: Links,
    most: int,
) -> NDArray[int64]:
    """The positions of the best `most` pages, best first.

    Scores are divided by the largest and rounded to 9 decimals. Ties are broken by the rows of
    `ties`, if any, higher first; then by lower in-degree, then by lower page number.
    """
    wide = np.asarray(pages, np.int64)
    linked = links.degrees(wide, True)
    keys = [
        wide,
        linked,
        *(-tie for tie in reversed([] if ties is None else ties)),
        -_rounded(scores),
    ]
    return np.lexsort(keys)[:most]


def _rounded(scores: NDArray[float64]) -> NDArray[float64]:
    largest = max(scores, default=0)
    return np.round(scores / largest, 9).astype(np.float64) if largest > 0 else scores
