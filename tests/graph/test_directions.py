"""A link stored in only one direction is detected, whatever the other links."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.graphs import in_order
from whatsrelated.graph import directions
from whatsrelated.graph.directions import first_one_way_link

pairs = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=120)


class Arrays:
    """The part of a store that holds links."""

    def __init__(self, out: tuple[object, object], into: tuple[object, object]) -> None:
        self.out_offsets, self.out_links = out
        self.in_offsets, self.in_links = into
        self.n_pages = 31


@pytest.mark.parametrize(("at_once", "targets"), [(1 << 20, 1 << 22), (7, 5)])
@given(pairs, pairs)
def test_the_first_link_of_one_direction_is_found(
    at_once: int, targets: int, one: list[tuple[int, int]], other: list[tuple[int, int]]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(directions, "LINKS_PER_PIECE", at_once)
        patch.setattr(directions, "TARGETS", targets)
        ours, theirs = in_order(one, 31), in_order(other, 31)
        odd = {(b, a) for a, b in one if a != b} ^ {(b, a) for a, b in other if a != b}
        found = first_one_way_link(Arrays(ours[:2], theirs[2:4]))  # type: ignore[arg-type]
        assert (found and found[::-1]) == min(odd, default=None)


def test_a_duplicate_link_in_one_direction_is_found() -> None:
    into = (np.array([0] * 3 + [2] * 29, np.uint64), np.array([0, 1], np.uint32))
    out = (np.array([0, 1] + [2] * 30, np.uint64), np.array([2, 2], np.uint32))
    assert first_one_way_link(Arrays(out, into)) is None  # type: ignore[arg-type]
    twice = (out[0], np.array([2, 5], np.uint32))
    assert first_one_way_link(Arrays(twice, into)) == (1, 2)  # type: ignore[arg-type]
