"""Vectors of scores: their precision, and how they are normalised."""

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
"""A number for every page, in the precision that is asked for."""

SINGLE = 1e-6
"""The least tolerance for which single precision is enough."""


def precision_for(tolerance: float) -> Precision:
    """The precision that a tolerance asks for."""
    return np.float32 if tolerance >= SINGLE else np.float64


def uniform(pages: int, dtype: Precision) -> Floats:
    """The same score for every page, 1 in all."""
    return np.full(pages, 1 / max(pages, 1), dtype)


def cached(vector: Vector) -> Vector:
    """The same vector, made only once in each precision."""
    made: dict[Precision, Floats] = {}

    def get(dtype: Precision) -> Floats:
        if dtype not in made:
            made[dtype] = vector(dtype)
        return made[dtype]

    return get


def normalize(scores: Floats) -> Floats:
    """Divide the scores by their sum, in place; make them uniform where that is 0.

    No score is negative: what is, was 0 before it was rounded.
    """
    np.maximum(scores, 0, out=scores)
    total = scores.sum(dtype=np.float64)
    if total > 0:
        scores /= total
    else:
        scores[:] = 1 / max(len(scores), 1)
    return scores
