"""The work for a name grows with the name, and is bounded."""

from __future__ import annotations

import pytest

from whatsrelated.errors import OptionError
from whatsrelated.query.automaton import MOST_WORK
from whatsrelated.query.patterns import Pattern

EXPLOSIVE = [
    r"(a+)+$",
    r"(a|aa)+$",
    r"(a*)*b",
    r"(.*a){12}$",
    r"(a?){60}a{60}$",
    r"(\w+\s?)*$!",
    r"((?:)*|a)*$",
]


def work_of(expression: str, length: int) -> int:
    pattern = Pattern(f"re:{expression}", "without")
    pattern.matches("".join("ab"[i.bit_count() % 2] for i in range(length)) + "!")
    assert pattern.automaton is not None
    return pattern.automaton.work


@pytest.mark.parametrize("expression", EXPLOSIVE)
def test_the_work_for_a_name_grows_no_faster_than_the_name(expression: str) -> None:
    assert work_of(expression, 2000) <= 2.2 * work_of(expression, 1000)


def test_an_expression_of_too_many_states_at_once_is_given_up_with_its_name() -> None:
    pattern = Pattern("re:(a|b)*a(a|b){900}c", "without")
    name = "".join("ab"[i.bit_count() % 2] for i in range(100_000))
    with pytest.raises(OptionError, match="pattern of without takes too long; use a simpler one"):
        pattern.matches(name)
    assert pattern.automaton is not None
    assert pattern.automaton.work <= MOST_WORK + 1
