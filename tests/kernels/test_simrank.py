"""The compiled estimates agree with their plain twins, and are right on the average."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kernels.graphs import Arrays, arrays_of, graphs
from whatsrelated import kernels
from whatsrelated.kernels.plain import simrank as plain

compiled = pytest.mark.skipif(kernels.in_use() == "plain", reason="only the twins are here")

scratch = kernels.simrank.Scratch()
steps = st.floats(0.0005, 0.5)


def runs_of(graph: Arrays, page: int, decay: float, module: Any = None) -> Any:
    return (module or kernels.simrank).Runs(
        scratch, graph.in_offsets, graph.in_links, graph.offsets, graph.links, page, decay
    )


@compiled
@settings(max_examples=150)
@given(graphs(), st.integers(0, 11), st.floats(0.1, 0.95), steps, steps, steps)
def test_an_estimate_is_made_as_by_hand(
    graph: Arrays, page: int, decay: float, back: float, meeting: float, forward: float
) -> None:
    page %= len(graph.offsets) - 1
    both = runs_of(graph, page, decay), runs_of(graph, page, decay, plain)
    for runs in both:
        for key in (3, 4):
            runs.run(key, back, meeting, forward)
    ours, twin = (runs.found(0) for runs in both)
    assert ours[0].tolist() == twin[0].tolist()
    assert ours[1].tolist() == pytest.approx(twin[1].tolist(), rel=1e-9, abs=1e-15)
    assert ours[2].tolist() == pytest.approx(twin[2].tolist(), rel=1e-9, abs=1e-15)
    assert both[0].exact == both[1].exact
    assert both[0].read == both[1].read


@compiled
@given(graphs(), st.integers(0, 99), st.floats(0.1, 0.95))
def test_the_same_walkers_meet(graph: Arrays, key: int, decay: float) -> None:
    n = len(graph.offsets) - 1
    ones, twos = np.arange(n - 1, dtype=np.uint32), np.arange(1, n, dtype=np.uint32)
    counts = np.full(n - 1, 20, np.int64)
    arguments = (graph.in_offsets, graph.in_links, ones, twos, counts, decay, key)
    assert (kernels.simrank.meetings(*arguments) == plain.meetings(*arguments)).all()


def test_walkers_meet_as_often_as_pages_are_alike() -> None:
    # By hand: b and c share one parent of two each, and the others have none: 0.8 / 4.
    graph = arrays_of([(0, 2), (0, 3), (1, 2), (4, 3)], 5)
    one, two, count = np.array([2], np.uint32), np.array([3], np.uint32), np.array([20_000])
    met = kernels.simrank.meetings(graph.in_offsets, graph.in_links, one, two, count, 0.8, 1)
    assert met[0] / 20_000 == pytest.approx(0.2, abs=0.01)


@pytest.mark.parametrize("steps", [(0.3, 1e-3, 1e-3), (1e-3, 0.3, 1e-3), (1e-3, 1e-3, 0.3)])
def test_estimates_are_right_on_the_average(steps: tuple[float, float, float]) -> None:
    """Each step alone leaves much to chance, and nothing to one side."""
    rng = np.random.default_rng(5)
    graph = arrays_of([tuple(pair) for pair in rng.integers(0, 30, (150, 2)).tolist()], 30)
    exact = all_pairs(graph, 0.8)[7]
    exact[7] = 0
    runs = runs_of(graph, 7, 0.8)
    count = 3000
    for key in range(count):
        runs.run(key, *steps)
    pages, sums, squares = runs.found(-np.inf)
    means = np.zeros(30)
    means[pages] = sums / count
    deviations = np.zeros(30)
    deviations[pages] = np.sqrt(squares / count - means[pages] ** 2)
    assert not runs.exact
    off = np.abs(means - exact) / (deviations / np.sqrt(count) + 1e-4)
    assert off.max() < 4.5


def all_pairs(graph: Arrays, decay: float) -> Any:
    n = len(graph.offsets) - 1
    walk = np.zeros((n, n))
    for page in range(n):
        parents = graph.in_links[int(graph.in_offsets[page]) : int(graph.in_offsets[page + 1])]
        walk[page, parents] = 1 / max(len(parents), 1)
    scores = np.eye(n)
    for _ in range(120):
        scores = decay * walk @ scores @ walk.T
        np.fill_diagonal(scores, 1)
    return scores
