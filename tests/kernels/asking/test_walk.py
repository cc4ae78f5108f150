"""The compiled walk agrees with its plain twin, and both with the equation that they solve."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.graphs import Pairs, in_order
from whatsrelated import kernels
from whatsrelated.kernels.asking import walk as plain

compiled = pytest.mark.skipif(kernels.in_use() == "plain", reason="only the twins are here")

scratch = kernels.walk.Scratch()
links_of_a_graph = st.lists(
    st.tuples(st.integers(0, 14), st.integers(0, 14)).filter(lambda pair: pair[0] != pair[1]),
    min_size=1,
    max_size=60,
    unique=True,
)


def single(page: int) -> tuple[np.ndarray, np.ndarray]:
    """A walk from one page."""
    return np.array([page], np.uint32), np.ones(1)


def exact(pairs: Pairs, page: int, restart: float, pages: int = 15) -> tuple[np.ndarray, ...]:
    steps = np.zeros((pages, pages))
    for a, b in pairs:
        steps[a, b] += 1
        steps[b, a] += 1
    degrees = steps.sum(axis=1)
    steps[degrees == 0] = np.eye(pages)[degrees == 0]
    steps /= steps.sum(axis=1, keepdims=True)
    start = restart * np.eye(pages)[page]
    return np.linalg.solve(np.eye(pages) - (1 - restart) * steps.T, start), degrees


@compiled
@given(links_of_a_graph, st.integers(0, 14), st.floats(0.05, 0.9), st.floats(1e-6, 0.2))
def test_a_walk_is_pushed_as_by_hand(pairs: Pairs, page: int, restart: float, error: float) -> None:
    graph = in_order(pairs, 15)
    ours = kernels.walk.push(scratch, graph.ours, *single(page), restart, error)
    twin = plain.push(plain.Scratch(), graph.twin, *single(page), restart, error)
    assert ours[0].tolist() == twin[0].tolist()
    assert ours[1].tolist() == pytest.approx(twin[1].tolist(), rel=1e-9, abs=1e-15)
    assert ours[2] == twin[2]
    assert ours[3] == pytest.approx(twin[3], rel=1e-9, abs=1e-15)


@given(links_of_a_graph, st.integers(0, 14), st.floats(0.05, 0.9), st.floats(1e-6, 0.2))
def test_no_page_misses_more_than_the_error_times_its_degree(
    pairs: Pairs, page: int, restart: float, error: float
) -> None:
    links = in_order(pairs, 15).ours
    pages, found, _, left = kernels.walk.push(scratch, links, *single(page), restart, error)
    expected, degrees = exact(pairs, page, restart)
    reached = np.zeros(15)
    reached[pages] = found
    lacking = expected - reached
    assert (lacking >= -1e-12).all()
    assert (lacking <= error * degrees + 1e-12).all()
    assert lacking.sum() == pytest.approx(left, abs=1e-12)


@compiled
def test_the_scratch_grows_and_is_clean_afterwards() -> None:
    own = kernels.walk.Scratch()
    star = in_order([(0, i) for i in range(1, 20_000)], 20_000).ours
    for _ in range(2):
        pages, found, _, _ = kernels.walk.push(own, star, *single(0), 0.5, 1e-9)
        assert len(pages) == 20_000
        assert found[0] == pytest.approx(2 / 3, abs=2e-5)  # error times degree
    pages, found, _, _ = kernels.walk.push(own, in_order([(0, 1)], 15).ours, *single(0), 0.5, 1e-9)
    assert found.tolist() == pytest.approx([2 / 3, 1 / 3], abs=1e-8)


def test_a_hub_is_pushed_however_large_the_error() -> None:
    star = in_order([(0, i) for i in range(1, 15)], 15).ours
    _, found, read, _ = kernels.walk.push(scratch, star, *single(0), 0.2, 0.2)
    assert read == 14
    assert found[1:].tolist() == pytest.approx([0.2 * 0.8 / 14] * 14)
