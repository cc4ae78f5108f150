"""Where pages are in a picture: similar ones close together, no names overlapping."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.apps.serve.layout import (
    Spot,
    arrange,
    circle,
    distances,
    labels,
    line_labels,
    text_width,
)

NAMES = st.lists(st.text("ab -", min_size=1, max_size=60), max_size=8, unique=True)


def test_two_groups_are_apart_on_the_circle_and_similar_pages_side_by_side() -> None:
    alike = np.array([[0.9 if a % 2 == b % 2 else 0.1 for b in range(6)] for a in range(6)])
    angles = circle(alike, [0] * 6)
    order = np.argsort(angles).tolist()
    assert angles[0] == 0
    turns = sum(a % 2 != b % 2 for a, b in zip(order, [*order[1:], order[0]], strict=True))
    assert turns == 2, "each group is one run"
    assert len(set(angles.tolist())) == 6
    assert circle(np.zeros((1, 1)), [0]).tolist() == [0]


def test_pages_of_one_group_are_one_run_whatever_their_similarity() -> None:
    rng = np.random.default_rng(7)
    groups = [1, 2, 1, 2, 1, 2, 1, 2]
    order = np.argsort(circle(rng.random((8, 8)), groups)).tolist()
    kinds = [groups[place] for place in order]
    assert sum(a != b for a, b in zip(kinds, [*kinds[1:], kinds[0]], strict=True)) == 2


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_a_stronger_page_is_always_nearer_and_an_equal_one_equally_near(
    strengths: list[float],
) -> None:
    away = distances(np.array(strengths), 90, 280)
    assert ((away >= 90) & (away <= 280 + 1e-9)).all()
    for (one, near), (other, far) in combinations(zip(strengths, away, strict=True), 2):
        assert (one > other) == (near < far), (one, other)
        assert (one == other) == (near == far), (one, other)


def test_crowded_names_move_along_their_circles_and_never_overlap() -> None:
    spots = [Spot(60 + 8.0 * n, 0.1 * n, 12, ((100, 34), (70, 17))) for n in range(24)]
    placed, taken = arrange(spots, 600, 600)
    for spot, at in zip(spots, placed, strict=True):
        assert abs(np.hypot(at.x - 300, at.y - 300) - spot.distance) < 0.02
    assert sum(at.form is not None for at in placed) > 15
    assert len(taken) == sum(1 + (at.form is not None) for at in placed)
    assert (taken[:, :2] >= 0).all()
    assert (taken[:, 2:] <= 600).all()
    for one, two in combinations(taken, 2):
        assert (one[2:] < two[:2]).any() or (two[2:] < one[:2]).any()


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
