"""Agreement beyond chance, checked with published examples."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.apps.study.agreement import cohen, fleiss

FLEISS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]
"""How many of 14 raters put each of 10 subjects into each of 5 categories: a common example."""


def test_cohens_kappa_of_fifty_grants_is_two_fifths() -> None:
    table = {("y", "y"): 20, ("y", "n"): 5, ("n", "y"): 10, ("n", "n"): 15}
    assert cohen([pair for pair, n in table.items() for _ in range(n)]) == pytest.approx(0.4)


def test_fleiss_kappa_of_fourteen_raters_is_21_percent() -> None:
    items = [[at for at, n in enumerate(row) for _ in range(n)] for row in FLEISS]
    assert fleiss(items) == pytest.approx(0.210, abs=5e-4)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1))
def test_two_judges_agree_fully_only_if_their_ratings_are_equal(pairs: list[tuple]) -> None:
    same = all(one == two for one, two in pairs)
    for value in (cohen(pairs), fleiss(pairs)):
        assert value is None or (value == pytest.approx(1)) == same
        assert value is None or -1 <= value <= 1 + 1e-12


def test_agreement_is_undefined_if_chance_explains_all_or_nothing_was_rated() -> None:
    assert cohen([]) is None
    assert cohen([(1, 1), (1, 1)]) is None
    assert fleiss([]) is None
    assert fleiss([[1], [0]]) is None
