"""Strengths in words."""

from __future__ import annotations

from whatsrelated.contract.strength import grade_of, least_strength, percent


def test_a_strength_has_the_word_of_the_highest_limit_that_it_reaches() -> None:
    strengths = (1.0, 0.4, 0.39, 0.2, 0.05, 0.049, 0.0)
    words = ["strong", "strong", "likely", "likely", "possible", "weak", "weak"]
    assert [grade_of(strength) for strength in strengths] == words


def test_a_percentage_never_seems_to_reach_the_next_grade() -> None:
    assert [percent(strength) for strength in (0.196, 0.2, 0.29, 1.0)] == [
        "19%",
        "20%",
        "29%",
        "100%",
    ]


def test_a_minimum_strength_is_a_number_or_a_word() -> None:
    assert [least_strength(0.3), least_strength("likely")] == [0.3, 0.2]
