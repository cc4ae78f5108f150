"""Where pages are in a picture: similar ones close together, no names overlapping."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.apps.serve.layout import (
    circle,
    labels,
    line_labels,
    overlapping,
    settle,
    text_width,
)

NAMES = st.lists(st.text("ab -", min_size=1, max_size=60), max_size=8, unique=True)


def test_two_groups_are_apart_on_the_circle_and_similar_pages_side_by_side() -> None:
    alike = np.array([[0.9 if a % 2 == b % 2 else 0.1 for b in range(6)] for a in range(6)])
    angles = circle(alike)
    order = np.argsort(angles).tolist()
    assert angles[0] == 0
    turns = sum(a % 2 != b % 2 for a, b in zip(order, [*order[1:], order[0]], strict=True))
    assert turns == 2, "each group is one run"
    assert len(set(angles.tolist())) == 6
    assert circle(np.zeros((1, 1))).tolist() == [0]


def test_boxes_that_overlap_are_pushed_apart_within_the_frame() -> None:
    sizes = np.full((12, 2), (90.0, 40.0))
    centres = np.full((12, 2), (200.0, 200.0)) + np.arange(12)[:, None]
    assert overlapping(centres, sizes).sum() == 11
    settled = settle(centres, sizes, 600, 500)
    assert not overlapping(settled, sizes).any()
    assert (settled >= sizes / 2).all()
    assert (settled <= np.array([600, 500]) - sizes / 2).all()


@given(NAMES)
def test_names_with_different_ends_are_never_cut_to_the_same_text(
    names: list[str],
) -> None:
    for lines in labels(names, 14):
        assert 1 <= len(lines) <= 2
        assert all(len(line) <= 14 for line in lines)


def test_names_with_the_same_beginning_are_distinguished_by_the_rest() -> None:
    names = [f"A common beginning of many long titles, {end}" for end in ("tea", "milk", "milky")]
    for way in (labels(names, 16), line_labels(names, 16)):
        assert all(one != two for one, two in combinations(way, 2)), way
    assert labels(["The Washington Post"], 16) == [["The Washington", "Post"]]


def test_wide_letters_take_more_room() -> None:
    assert text_width("茶茶", 10) == 20
    assert text_width("ill", 10) < text_width("abc", 10) < text_width("MWM", 10)
