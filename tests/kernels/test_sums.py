"""The compiled sums agree with their plain twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated import kernels
from whatsrelated.kernels.plain import sorting
from whatsrelated.kernels.plain import sums as plain

pytestmark = pytest.mark.skipif(kernels.in_use() == "plain", reason="only the twins are here")

scratch = kernels.sums.Scratch()
Pairs = list[tuple[int, int]]
pairs_of_pages = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1)


def rows_of(pairs: Pairs) -> tuple[np.ndarray, np.ndarray]:
    array = np.array(pairs, np.uint32)
    return sorting.group(array[:, 0], array[:, 1], 0, 31, True)


def same(ours: tuple, twin: tuple) -> None:
    assert ours[0].tolist() == twin[0].tolist()
    assert ours[1].tolist() == pytest.approx(twin[1].tolist(), rel=1e-14)
    assert ours[2:] == twin[2:]


@given(pairs_of_pages, st.lists(st.tuples(st.integers(0, 30), st.floats(-4, 4)), max_size=20))
def test_rows_are_weighted_as_by_hand(pairs: Pairs, weighted: list[tuple[int, float]]) -> None:
    offsets, links = rows_of(pairs)
    rows = np.array([row for row, _ in weighted], np.uint32)
    weights = np.array([weight for _, weight in weighted], np.float64)
    arguments = (offsets, links, rows, weights)
    same(kernels.sums.weighted(scratch, *arguments), plain.weighted(None, *arguments))


@given(pairs_of_pages, st.integers(0, 30), st.floats(0, 3))
def test_distances_are_summed_as_by_hand(pairs: Pairs, page: int, alpha: float) -> None:
    offsets, links = rows_of(pairs)
    rows = np.array(
        [p for p in range(31) if page in links[int(offsets[p]) : int(offsets[p + 1])]], np.uint32
    )
    arguments = (offsets, links, rows, page, alpha)
    same(kernels.sums.nearby(scratch, *arguments), plain.nearby(None, *arguments))


@given(st.lists(st.integers(0, 9)))
def test_each_page_is_kept_once_and_found_again(listed: list[int]) -> None:
    pages = np.array(listed, np.uint32)
    ours, twin = kernels.sums.places(scratch, pages), plain.places(None, pages)
    assert [array.tolist() for array in ours] == [array.tolist() for array in twin]
    assert ours[0][ours[1]].tolist() == listed
    assert len(set(ours[0].tolist())) == len(ours[0])


def test_a_row_longer_than_the_table_of_distances_and_than_the_hash() -> None:
    own = kernels.sums.Scratch()
    links = np.arange(20_000, dtype=np.uint32)
    offsets = np.array([0, 20_000], np.uint64)
    rows = np.array([0], np.uint32)
    for _ in range(2):
        found, sums, read = kernels.sums.nearby(own, offsets, links, rows, 5_000, 0.5)
        assert (len(found), read) == (19_999, 20_000)
        assert sums[found == 6_024] == pytest.approx(1024**-0.5)
        assert sums[found == 0] == pytest.approx(5_000**-0.5)
    few = np.array([0, 3], np.uint64)
    assert kernels.sums.nearby(own, few, links, rows, 1, 1.0)[0].tolist() == [0, 2]
