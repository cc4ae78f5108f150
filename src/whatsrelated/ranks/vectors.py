"""Vectors with one number per page: scores and contributions, in either precision.

Ranks multiply the link matrix by *contributions* instead of scores. A page's contribution is its
score divided by its degree: the amount it passes along each link. It is computed once and read for
every link. The contribution of a page without links (a *dangling* page) is its score, which no link
passes on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.floating[Any]]
"""An array in single or double precision."""
Precision: TypeAlias = type[np.floating[Any]]
"""np.float32 or np.float64."""
Vector: TypeAlias = Callable[[Precision], Floats]
"""Computes one number per page in the requested precision."""


def uniform(pages: int, dtype: Precision) -> Floats:
    """The same score for every page, summing to 1."""
    return np.full(pages, 1 / max(pages, 1), dtype)


def normalize(scores: Floats) -> Floats:
    """Divide the scores by their sum, in place; make them uniform if the sum is 0.

    Scores are never negative: a negative number is a 0 with a rounding error.
    """
    np.maximum(scores, 0, out=scores)
    total = scores.sum(dtype=np.float64)
    if total > 0:
        scores /= total
    else:
        scores[:] = 1 / max(len(scores), 1)
    return scores
