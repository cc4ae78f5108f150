"""The compiled half round agrees with its plain twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.graphs import Arrays, graphs
from whatsrelated import kernels
from whatsrelated.kernels.asking import all_pairs as plain

compiled = pytest.mark.skipif(kernels.in_use() == "plain", reason="only the twins are here")


@compiled
@given(graphs(), st.floats(0.1, 1), st.integers(0, 9))
def test_a_row_is_the_mean_of_the_parents_rows(graph: Arrays, factor: float, seed: int) -> None:
    n = len(graph.offsets) - 1
    matrix = np.random.default_rng(seed).random((n, n))
    ours, twin = np.full((n, n), 7.0), np.full((n, n), 8.0)
    kernels.all_pairs.average_rows(graph.ours, matrix, factor, ours)
    plain.average_rows(graph.twin, matrix, factor, twin)
    assert ours == pytest.approx(twin, rel=1e-12)


@compiled
@pytest.mark.parametrize("n", [1, 31, 32, 33, 300])
def test_wide_matrices_are_worked_on_in_pieces(n: int) -> None:
    rng = np.random.default_rng(n)
    matrix = rng.random((n, n))
    offsets = np.arange(n + 1, dtype=np.uint64) * np.uint64(6)
    links = rng.integers(n, size=6 * n).astype(np.uint32)
    ours, twin = np.empty((n, n)), np.empty((n, n))
    graph = Arrays(np.zeros_like(offsets), links[:0], offsets, links, None)
    kernels.all_pairs.average_rows(graph.ours, matrix, 0.5, ours)
    plain.average_rows(graph.twin, matrix, 0.5, twin)
    assert ours == pytest.approx(twin, rel=1e-12)
    kernels.all_pairs.transpose(matrix, ours)
    assert (ours == matrix.T).all()
