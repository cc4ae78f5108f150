"""Merging and edge weights agree with their plain twins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.asking.test_authorities import edges, rows_of, sites
from whatsrelated import kernels
from whatsrelated.kernels.asking import edges as plain

pytestmark = pytest.mark.skipif(kernels.in_use() == "plain", reason="only the twins are here")


@given(edges, st.lists(st.integers(0, 19), min_size=20, max_size=20))
def test_nodes_are_merged_as_by_hand(pairs: list[tuple[int, int]], names: list[int]) -> None:
    starts, targets = rows_of(pairs)
    first = np.array([min(names[name], name) for name in names], np.uint32)
    named = np.array([name if first[name] == name else 0 for name in first], np.uint32)
    named[0] = 0
    ours = kernels.edges.merge_nodes(starts, targets, named)
    twin = plain.merge_nodes(starts, targets, named)
    assert [array.tolist() for array in ours] == [array.tolist() for array in twin]


@given(edges, sites)
def test_weights_share_one_vote_among_the_pages_of_a_site(
    pairs: list[tuple[int, int]], own: list[int]
) -> None:
    starts, targets = rows_of(pairs)
    known = np.array(own, np.uint32)
    ours = kernels.edges.edge_weights(starts, targets, known)
    twin = plain.edge_weights(starts, targets, known)
    assert [array.tolist() for array in ours] == [array.tolist() for array in twin]
