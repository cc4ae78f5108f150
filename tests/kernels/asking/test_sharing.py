"""The compiled lists of shared pages agree with their plain twin, and with lists made by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.graphs import Pairs, in_order
from whatsrelated import kernels
from whatsrelated.kernels.asking import sharing as plain

scratch = kernels.sharing.Scratch()
pairs_of_pages = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=1)
pages = st.lists(st.integers(0, 20), unique=True)


def same(ours: tuple[Any, ...], twin: tuple[Any, ...]) -> None:
    for one, other in zip(ours, twin, strict=True):
        assert one.dtype == other.dtype
        assert one.tolist() == other.tolist()


@pytest.mark.skipif(kernels.in_use() == "plain", reason="only the twins are here")
@given(pairs_of_pages, st.integers(0, 20), pages, pages, st.integers(0, 4))
def test_shared_pages_are_found_as_by_hand(
    pairs: Pairs, page: int, some: list[int], others: list[int], limit: int
) -> None:
    graph = in_order(pairs, 21)
    listed, few = np.array(some, np.uint32), np.array(others, np.uint32)
    twin = plain.Scratch()
    same(
        kernels.sharing.shared_parents(scratch, graph.ours, listed, page, few, limit),
        plain.shared_parents(twin, graph.twin, listed, page, few, limit),
    )
    same(
        kernels.sharing.shared_children(scratch, graph.ours, listed, few, limit),
        plain.shared_children(twin, graph.twin, listed, few, limit),
    )
    same(
        kernels.sharing.pages_between(scratch, graph.ours, page, few, limit),
        plain.pages_between(twin, graph.twin, page, few, limit),
    )


@pytest.mark.parametrize("kernel", [kernels.sharing, plain])
def test_the_first_pages_are_those_with_the_fewest_links(kernel: Any) -> None:
    links = [(2, 0), (2, 1), (3, 4), (3, 1), (3, 0), (5, 1), (5, 0), (0, 6), (1, 6), (1, 0)]
    graph = in_order(links, 7)
    graph_links = graph.twin if kernel is plain else graph.ours
    others = np.array([1, 4], np.uint32)
    parents = np.array([3, 5, 2], np.uint32)
    own = kernel.Scratch()
    counts, listed, sizes, distances = kernel.shared_parents(
        own, graph_links, parents, 0, others, 2
    )
    assert counts.tolist() == [3, 1]
    assert listed.tolist() == [[2, 5], [3, 0]]
    assert sizes.tolist() == [[2, 2], [3, 0]]
    assert distances.tolist() == [[1, -1], [-2, 0]]
    children = np.array([4, 0, 6], np.uint32)
    counts, listed = kernel.shared_children(own, graph_links, children, others[:1], 9)
    assert (counts.tolist(), listed[0, :2].tolist()) == ([2], [0, 6])
    counts, listed, ties = kernel.pages_between(own, graph_links, 0, others, 3)
    assert counts.tolist() == [4, 1]
    assert listed.tolist() == [[2, 5, 6], [3, 0, 0]]
    assert ties.tolist() == [2, 0]
