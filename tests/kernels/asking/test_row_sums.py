"""The compiled sums agree with their plain twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.graphs import Pairs, in_order, of_rows
from whatsrelated import kernels
from whatsrelated.kernels.asking import row_sums as plain

pytestmark = pytest.mark.skipif(kernels.in_use() == "plain", reason="only the twins are here")

scratch = kernels.row_sums.Scratch()
pairs_of_pages = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1)


def same(ours: tuple, twin: tuple) -> None:
    assert ours[0].tolist() == twin[0].tolist()
    assert ours[1].tolist() == pytest.approx(twin[1].tolist(), rel=1e-14)
    assert ours[2:] == twin[2:]


@given(
    pairs_of_pages,
    st.lists(st.tuples(st.integers(0, 30), st.floats(-4, 4)), max_size=20),
    st.booleans(),
)
def test_rows_are_weighted_as_by_hand(
    pairs: Pairs, weighted: list[tuple[int, float]], backward: bool
) -> None:
    graph = in_order(pairs, 31)
    rows = np.array([row for row, _ in weighted], np.uint32)
    weights = np.array([weight for _, weight in weighted], np.float64)
    ours = kernels.row_sums.weighted_sums(scratch, graph.ours, rows, weights, backward)
    same(ours, plain.weighted_sums(plain.Scratch(), graph.twin, rows, weights, backward))


@given(pairs_of_pages, st.integers(0, 30), st.floats(0, 3))
def test_distances_are_summed_as_by_hand(pairs: Pairs, page: int, alpha: float) -> None:
    graph = in_order(pairs, 31)
    rows = graph.in_links[int(graph.in_offsets[page]) : int(graph.in_offsets[page + 1])]
    ours = kernels.row_sums.proximity_sums(scratch, graph.ours, rows, page, alpha)
    same(ours, plain.proximity_sums(plain.Scratch(), graph.twin, rows, page, alpha))


@given(st.lists(st.integers(0, 9)))
def test_each_page_is_kept_once_and_found_again(listed: list[int]) -> None:
    pages = np.array(listed, np.uint32)
    ours, twin = kernels.row_sums.places(scratch, pages), plain.places(plain.Scratch(), pages)
    assert [array.tolist() for array in ours] == [array.tolist() for array in twin]
    assert ours[0][ours[1]].tolist() == listed
    assert len(set(ours[0].tolist())) == len(ours[0])


def test_a_row_longer_than_the_table_of_distances_and_than_the_hash() -> None:
    own = kernels.row_sums.Scratch()
    listed = np.arange(20_000, dtype=np.uint32)
    links = of_rows(np.array([0, 20_000], np.uint64), listed).ours
    rows = np.array([0], np.uint32)
    for _ in range(2):
        found, sums, read = kernels.row_sums.proximity_sums(own, links, rows, 5_000, 0.5)
        assert (len(found), read) == (19_999, 20_000)
        assert sums[found == 6_024] == pytest.approx(1024**-0.5)
        assert sums[found == 0] == pytest.approx(5_000**-0.5)
    few = of_rows(np.array([0, 3], np.uint64), listed).ours
    assert kernels.row_sums.proximity_sums(own, few, rows, 1, 1.0)[0].tolist() == [0, 2]


offsets_of_rows = st.lists(st.integers(0, 40), min_size=1, max_size=12)


@given(
    st.one_of(offsets_of_rows, offsets_of_rows.map(sorted)),
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 65535)), max_size=40),
    st.lists(st.tuples(st.integers(0, 12), st.floats(-4, 4)), max_size=12),
    st.lists(st.integers(0, 12)),
    st.integers(0, 60),
)
def test_products_are_summed_as_by_hand_even_if_the_rows_are_damaged(
    offsets: list[int],
    entries: list[tuple[int, int]],
    weighted: list[tuple[int, float]],
    known: list[int],
    most: int,
) -> None:
    arrays = (
        np.array(offsets, np.uint64),
        np.array([page for page, _ in entries], np.uint32),
        np.array([weight for _, weight in entries], np.uint16),
        np.array([row for row, _ in weighted], np.uint32),
        np.array([weight for _, weight in weighted], np.float64),
        np.array(known, np.uint32),
        most,
    )
    ours = kernels.row_sums.products(scratch, *arrays)
    twin = plain.products(plain.Scratch(), *arrays)
    assert ours[0].tolist() == twin[0].tolist()
    assert ours[1].tolist() == pytest.approx(twin[1].tolist(), rel=1e-12, abs=1e-9)
    assert ours[2].tolist() == twin[2].tolist()
