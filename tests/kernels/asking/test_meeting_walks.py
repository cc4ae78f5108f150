"""The compiled walkers agree with their plain twins, and meet as often as they should."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.graphs import Arrays, arrays_of, graphs
from whatsrelated import kernels
from whatsrelated.kernels.asking import meeting_walks as plain

compiled = pytest.mark.skipif(kernels.in_use() == "plain", reason="only the twins are here")


@compiled
@given(graphs(), st.integers(0, 99), st.floats(0.1, 0.95))
def test_the_same_walkers_meet(graph: Arrays, key: int, decay: float) -> None:
    n = len(graph.offsets) - 1
    ones, twos = np.arange(n - 1, dtype=np.uint32), np.arange(1, n, dtype=np.uint32)
    arguments = (ones, twos, np.full(n - 1, 20, np.int64), decay, key)
    ours = kernels.meeting_walks.meetings(graph.ours, *arguments)
    assert ours.tolist() == plain.meetings(graph.twin, *arguments).tolist()


def test_walkers_meet_as_often_as_pages_are_similar() -> None:
    # By hand: b and c share one parent of two each, and the others have none: 0.8 / 4.
    graph = arrays_of([(0, 2), (0, 3), (1, 2), (4, 3)], 5)
    one, two, count = np.array([2], np.uint32), np.array([3], np.uint32), np.array([20_000])
    met = kernels.meeting_walks.meetings(graph.ours, one, two, count, 0.8, 1)
    assert met[0] / 20_000 == pytest.approx(0.2, abs=0.01)
