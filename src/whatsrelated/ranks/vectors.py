"""Vectors with a number for every page: scores and contributions, in either precision.

Ranks do not multiply the link matrix by scores but by *contributions*: a page's score divided
by its degree, which is what the page gives along each of its links.  It is computed once, and
read for every link.  The contribution of a page without links (a *dangling* page) is its score
itself; no link reads it.
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
"""A number for every page, in the requested precision."""


def uniform(pages: int, dtype: Precision) -> Floats:
    """The same score for every page, 1 in all."""
    return np.full(pages, 1 / max(pages, 1), dtype)


def normalize(scores: Floats) -> Floats:
    """Divide the scores by their sum, in place; make them uniform if the sum is 0.

    Scores are never negative: a negative one was 0 before it was rounded.
    """
    np.maximum(scores, 0, out=scores)
    total = scores.sum(dtype=np.float64)
    if total > 0:
        scores /= total
    else:
        scores[:] = 1 / max(len(scores), 1)
    return scores
