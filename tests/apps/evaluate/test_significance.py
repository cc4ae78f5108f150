"""The tests and effect sizes agree with their definitions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import measures as plain
from whatsrelated.apps.evaluate import significance

numbers = st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0]), min_size=3, max_size=30)


@given(numbers, numbers)
def test_tests_are_what_their_definitions_say(x: list[float], y: list[float]) -> None:
    length = min(len(x), len(y))
    x, y = x[:length], y[:length]
    assert significance.sign_test(x, y) == pytest.approx(plain.sign_test(x, y))
    assert significance.cliffs_delta(x, y) == pytest.approx(plain.cliffs_delta(x, y))
    if len({*x, *y}) > 1:
        assert significance.rank_sum_test(x, y) == pytest.approx(plain.rank_sum_test(x, y))
    else:
        assert significance.rank_sum_test(x, y) == 1


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_is_what_its_definition_says(p_values: list[float]) -> None:
    assert significance.holm(p_values) == plain.holm(p_values)
