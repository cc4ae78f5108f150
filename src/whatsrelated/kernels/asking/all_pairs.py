"""One round of all-pairs SimRank: average the parents' rows, transpose, average again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.kernels.shared.adjacency import parents_of

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from whatsrelated.kernels.shared.links import Links


def average_rows(
    links: Links, matrix: NDArray[float64], factor: float, means: NDArray[float64]
) -> None:
    """Set each row of `means` to `factor` times the mean of its parents' rows in `matrix`."""
    for page in range(len(matrix)):
        parents = parents_of(links, page)
        means[page] = factor * matrix[parents].mean(axis=0) if len(parents) else 0.0


def transpose(matrix: NDArray[float64], into: NDArray[float64]) -> None:
    """Write the transposed matrix to `into`."""
    np.copyto(into, matrix.T)
