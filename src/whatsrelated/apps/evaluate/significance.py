"""Test whether one method is significantly better than another.

One-sided tests of "X is better than Y" use one number per query (DH99, sec. 4.2): the exact sign
test, without ties, and Wilcoxon's rank-sum test (Mann-Whitney, unpaired, corrected for ties and
continuity). Holm's correction accounts for many such tests at once. The effect sizes show how much
better a method is.
"""

from __future__ import annotations

from collections.abc import Sequence


def wins_and_losses(x: Sequence[float], y: Sequence[float]) -> tuple[int, int]:
    """The number of queries on which X beats Y, and on which Y beats X."""
    pairs = list(zip(x, y, strict=True))
    return sum(a > b for a, b in pairs), sum(a < b for a, b in pairs)


def sign_test(x: Sequence[float], y: Sequence[float]) -> float:
    """The probability of that many wins if each query is a toss-up; 1 if all are ties."""
    from scipy.stats import binomtest  # type: ignore[import-untyped]

    wins, losses = wins_and_losses(x, y)
    if not wins + losses:
        return 1.0
    return float(binomtest(wins, wins + losses, alternative="greater").pvalue)


def rank_sum_test(x: Sequence[float], y: Sequence[float]) -> float:
    """The probability of such high ranks if X and Y do not differ; 1 if all values are equal."""
    from scipy.stats import mannwhitneyu

    if len({*x, *y}) < 2:
        return 1.0
    return float(mannwhitneyu(x, y, alternative="greater", method="asymptotic").pvalue)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values, in the given order."""
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for done, i in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - done) * p_values[i]))
        adjusted[i] = largest
    return adjusted


def cliffs_delta(x: Sequence[float], y: Sequence[float]) -> float:
    """Cliff's delta, from -1 to 1: how much more often a value of X beats one of Y than the other
    way round.
    """
    from bisect import bisect_left, bisect_right

    ordered = sorted(y)
    surplus = sum(bisect_left(ordered, a) + bisect_right(ordered, a) - len(y) for a in x)
    return surplus / (len(x) * len(y)) if x and y else 0.0
