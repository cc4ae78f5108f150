"""The best pages of each of several lists, in NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray


def best(starts: Any, pages: Any, scores: Any, most: int) -> NDArray[int64]:
    """Where the `most` best pages of each list stand, ascending; list i begins at starts[i].

    The best have the highest scores; of equal ones those with the lower numbers.
    """
    starts = np.asarray(starts)
    lists = np.repeat(np.arange(len(starts) - 1), starts[1:] - starts[:-1])
    ranked = np.lexsort((pages, -np.asarray(scores), lists))
    within = np.arange(len(ranked)) - starts[lists[ranked]]
    return np.sort(ranked[within < most])
