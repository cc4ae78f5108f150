"""A round of SimRank for all pairs: means of the parents' rows, twice, turned in between."""

from __future__ import annotations

from typing import Any

import numpy as np


def mean_rows(offsets: Any, links: Any, matrix: Any, factor: float, means: Any) -> None:
    """Each row of `means`: the mean of the parents' rows of `matrix`, times `factor`."""
    for page in range(len(matrix)):
        parents = links[int(offsets[page]) : int(offsets[page + 1])]
        means[page] = factor * matrix[parents].mean(axis=0) if len(parents) else 0.0


def turned(matrix: Any, into: Any) -> None:
    """`into`: the matrix, its rows as columns."""
    np.copyto(into, matrix.T)
