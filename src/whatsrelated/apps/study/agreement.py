"""Measure how well judges agree beyond chance: Cohen's κ for two judges, Fleiss' κ for more.

κ = (P - C) / (1 - C), where P is the observed agreement and C is the agreement by chance. C comes
from each judge's own distribution of ratings (Cohen) or from the pooled distribution (Fleiss). A κ
of 1 means perfect agreement, and 0 means chance. It is None if C is 1 or nothing was rated.

Cohen, *A coefficient of agreement for nominal scales*, 1960; Fleiss, *Measuring nominal
scale agreement among many raters*, 1971.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence


def cohen(pairs: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """Cohen's κ of two judges, from their ratings of every item that both rated."""
    if not pairs:
        return None
    agreed = sum(one == two for one, two in pairs) / len(pairs)
    first, second = (Counter(pair[side] for pair in pairs) for side in (0, 1))
    chance = sum(first[each] * second[each] for each in first) / len(pairs) ** 2
    return _beyond_chance(agreed, chance)


def fleiss(items: Sequence[Sequence[Hashable]]) -> float | None:
    """Fleiss' κ, from the ratings of every item.

    All items must have the same number of ratings, at least two.
    """
    judges = len(items[0]) if items else 0
    if judges < 2:
        return None
    totals = Counter(rating for item in items for rating in item)
    agreed = sum(n * (n - 1) for item in items for n in Counter(item).values())
    chance = sum((n / (len(items) * judges)) ** 2 for n in totals.values())
    return _beyond_chance(agreed / (len(items) * judges * (judges - 1)), chance)


def _beyond_chance(agreed: float, chance: float) -> float | None:
    return None if chance == 1 else (agreed - chance) / (1 - chance)
