"""Intersections of lists and distances of strings match their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated import kernels
from whatsrelated.kernels.asking import searching as plain

texts = st.text("abé", max_size=7)


@given(st.lists(st.sets(st.integers(0, 40)), min_size=1, max_size=4), st.integers(0, 9))
def test_what_all_lists_have_comes_in_order(sets: list[set[int]], most: int) -> None:
    lists = [np.array(sorted(each), np.uint32) for each in sets]
    expected = sorted(set.intersection(*sets))[:most]
    assert kernels.searching.in_all(lists, most).tolist() == expected
    assert plain.in_all(lists, most).tolist() == expected


@given(texts, texts, st.integers(0, 8))
def test_the_compiled_distance_is_the_plain_one(a: str, b: str, most: int) -> None:
    assert kernels.searching.distance(a, b, most) == plain.distance(a, b, most)


@pytest.mark.parametrize(
    ("a", "b", "apart"),
    [
        ("", "", 0),
        ("tea", "", 3),
        ("zebra", "zebras", 1),
        ("emial", "email", 1),
        ("ca", "abc", 3),
        ("newton", "nwetno", 2),
        ("zürich", "zurich", 1),
    ],
)
def test_a_swap_of_neighbours_is_one_change(a: str, b: str, apart: int) -> None:
    for kernel in (kernels.searching, plain):
        assert kernel.distance(a, b, 9) == apart
        assert kernel.distance(a, b, 0) == min(apart, 1)
