"""What a strength means in words: strong, likely, possible or weak.

A strength is roughly the probability that people list a page as related. On sets that were never
used for tuning, people list one in two strong results, one in four likely ones, one in ten possible
ones and one in twenty weak ones. docs/explanation/default.md has the figures.
"""

from __future__ import annotations

GRADES = {"strong": 0.4, "likely": 0.2, "possible": 0.05}
"""The minimum strength of each grade, highest first; anything below is weak."""
WEAK = "weak"
PINNED = "pinned"
"""The word for a page that a user put first."""


def grade_of(strength: float) -> str:
    """The word for a strength."""
    return next((grade for grade, minimum in GRADES.items() if strength >= minimum), WEAK)


def percent(strength: float) -> str:
    """A strength as a percentage, rounded down so it never seems to reach the next grade."""
    return f"{int(100 * strength + 1e-9)}%"


def least_strength(strength: float | str) -> float:
    """A minimum strength as a number; a grade stands for its own minimum."""
    return GRADES[strength] if isinstance(strength, str) else strength
