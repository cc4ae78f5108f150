"""What a strength means in words: strong, likely, possible or weak.

A strength is about how likely people are to list a page as related.  On sets that were never
used for tuning, they list one in two strong results, one in four likely ones, one in ten
possible ones, and one in twenty of the rest, which are usually wrong: their evidence is weak.
docs/explanation/default.md has the figures.
"""

from __future__ import annotations

GRADES = {"strong": 0.4, "likely": 0.2, "possible": 0.05}
"""The smallest strength of each grade, the highest first; below them, evidence is weak."""
WEAK = "weak"


def grade_of(strength: float) -> str:
    """The word for a strength."""
    return next((grade for grade, least in GRADES.items() if strength >= least), WEAK)


def percent(strength: float) -> str:
    """A strength for people, rounded down, so it never seems to reach the next grade."""
    return f"{int(100 * strength + 1e-9)}%"


def least_strength(wanted: float | str) -> float:
    """The number for a minimum strength: itself, or the smallest of a grade."""
    return GRADES[wanted] if isinstance(wanted, str) else wanted
