"""Vectors of scores: precision and normalisation."""

from __future__ import annotations

import numpy as np
import pytest

from whatsrelated.ranks.vectors import normalize, uniform


def test_scores_are_divided_by_their_sum_and_never_negative() -> None:
    scores = np.array([2.0, -1e-20, 6.0])
    assert normalize(scores) is scores
    assert scores.tolist() == [0.25, 0, 0.75]


def test_scores_of_nothing_are_uniform() -> None:
    assert normalize(np.zeros(4)).tolist() == [0.25] * 4
    assert normalize(np.zeros(0)).tolist() == []
    assert uniform(5, np.float64).tolist() == [0.2] * 5
    assert uniform(0, np.float32).dtype == np.float32


def test_a_sum_in_single_precision_loses_no_digits() -> None:
    scores = np.full(3_000_000, 0.1, np.float32)
    scores[0] = 1e6
    expected = 1e6 / (1e6 + 2_999_999 * float(np.float32(0.1)))
    assert normalize(scores)[0] == pytest.approx(expected, rel=1e-6)
