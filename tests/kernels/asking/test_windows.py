"""The compiled windows and counts agree with their plain twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.graphs import Pairs, in_order, of_rows
from whatsrelated import kernels
from whatsrelated.kernels.asking import windows as plain

pytestmark = pytest.mark.skipif(kernels.in_use() == "plain", reason="only the twins are here")

scratch = kernels.windows.Scratch()


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=300),
    st.integers(-1, 9),
    st.booleans(),
    st.data(),
)
def test_siblings_are_counted_as_by_hand(
    pairs: Pairs, width: int, whole: bool, data: st.DataObject
) -> None:
    graph = in_order(pairs, 31)
    page = data.draw(st.integers(0, 30))
    parents = graph.in_links[int(graph.in_offsets[page]) : int(graph.in_offsets[page + 1])]
    ours = kernels.windows.count_siblings(scratch, graph.ours, parents, page, width, whole)
    twin = plain.count_siblings(plain.Scratch(), graph.twin, parents, page, width, whole)
    assert dict(zip(ours[0].tolist(), ours[1].tolist(), strict=True)) == dict(
        zip(twin[0].tolist(), twin[1].tolist(), strict=True)
    )
    assert ours[2:] == twin[2:]


def test_the_scratch_is_clean_after_a_large_query() -> None:
    own = kernels.windows.Scratch()
    targets = np.arange(1, 50_001, dtype=np.uint32)
    large = of_rows(np.array([0, 50_000, *[50_000] * 50_000], np.uint64), targets).ours
    parents = np.array([0], np.uint32)
    for _ in range(2):
        found, counts, *_ = kernels.windows.count_siblings(own, large, parents, 5, -1, True)
        assert len(found) == 49_999
        assert set(counts.tolist()) == {1}
    few = of_rows(np.array([0, 3, *[3] * 50_000], np.uint64), targets).ours
    found, *_ = kernels.windows.count_siblings(own, few, parents, 2, 8, True)
    assert found.tolist() == [1, 3]


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=300),
    st.integers(-1, 9),
    st.booleans(),
    st.integers(1, 6),
    st.integers(1, 8),
)
def test_the_best_siblings_of_many_pages_are_those_of_each(
    pairs: Pairs, width: int, whole: bool, parents: int, limit: int
) -> None:
    graph = in_order(pairs, 31)
    pages = np.arange(31, dtype=np.uint32)
    draws = np.random.default_rng(0).random(31)
    how = (draws, parents, width, whole, 2, limit)
    ours = kernels.windows.best_siblings(scratch, graph.ours, pages, *how)
    twin = plain.best_siblings(plain.Scratch(), graph.twin, pages, *how)
    for one, other in zip(ours, twin, strict=True):
        assert one.tolist() == other.tolist()


@pytest.mark.parametrize("links", [600, 3_000, 50_000])
@pytest.mark.parametrize("limit", [1, 10, 400])
@pytest.mark.parametrize("width", [-1, 4])
def test_the_best_are_ranked_as_by_hand_however_often_they_are_counted(
    links: int, limit: int, width: int
) -> None:
    pairs = np.random.default_rng(1).integers(0, 200, (links, 2)).tolist()
    graph = in_order([(one, other) for one, other in pairs], 200)
    pages = np.arange(0, 200, 20, dtype=np.uint32)
    how = (np.zeros(len(pages)), 200, width, True, 3, limit)
    ours = kernels.windows.best_siblings(scratch, graph.ours, pages, *how)
    twin = plain.best_siblings(plain.Scratch(), graph.twin, pages, *how)
    assert (ours[2].max() > 63) == (links == 50_000)
    for one, other in zip(ours, twin, strict=True):
        assert one.tolist() == other.tolist()
