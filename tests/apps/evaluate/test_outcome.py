"""The groups of an outcome and its precision at r, worked by hand."""

from __future__ import annotations

import pytest

from tests.apps.evaluate.outcomes import ANSWERS, GOLDS, OUTCOME
from tests.reference import measures as plain
from whatsrelated.apps.evaluate.outcome import Outcome

ALL, BY_ALL, NOT_X = OUTCOME.groups


def test_the_groups_are_all_those_all_answered_and_those_one_did_not() -> None:
    answered = {"": GOLDS, "x": {"q1", "q2"}, "y": set(GOLDS), "z": {"q1"}}
    expected = plain.groups(answered, "x")
    assert set(ALL.queries) == expected["all"]
    assert set(BY_ALL.queries) == expected["answered by all"] == {"q1"}
    assert set(NOT_X.queries) == expected["rest"] == {"q3"}
    assert NOT_X.name == "not by x"


def test_by_default_the_third_group_is_that_of_the_method_with_the_fewest_answers() -> None:
    assert Outcome(GOLDS, ANSWERS).groups[2].name == "not by z"


def test_figure_1_is_precision_at_r() -> None:
    rated = {"x": [[1, 0, 1], [0, 1], []], "y": [[1, 0], [1], [0, 1]], "z": [[1, 0], [], []]}
    for label, queries in rated.items():
        expected = [plain.precision_at(r, queries) for r in range(1, 11)]
        assert OUTCOME.precision_at(label, ALL) == pytest.approx(expected)
    assert OUTCOME.precision_at("y", NOT_X, 3) == [0, 1 / 2, 1 / 3]
