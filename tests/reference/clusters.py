"""Clusters by the book: average linkage, and the division with the largest silhouette (Rou87)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

Matrix = Sequence[Sequence[float]]


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def silhouette(alike: Matrix, groups: Sequence[Sequence[int]]) -> float:
    """The mean of (b - a) / max(a, b), 0 for a page alone."""
    widths = []
    for group in groups:
        for page in group:
            if len(group) == 1:
                widths.append(0.0)
                continue
            a = mean([1 - alike[page][other] for other in group if other != page])
            b = min(
                mean([1 - alike[page][other] for other in others])
                for others in groups
                if others is not group
            )
            widths.append((b - a) / max(a, b) if max(a, b) > 0 else 0.0)
    return mean(widths)


def divisions(alike: Matrix) -> list[list[tuple[int, ...]]]:
    """Every division that average linkage goes through, from the finest to two clusters."""
    groups: list[tuple[int, ...]] = [(page,) for page in range(len(alike))]
    found = []
    while len(groups) > 2:
        one, other = max(
            combinations(groups, 2),
            key=lambda pair: mean([alike[a][b] for a in pair[0] for b in pair[1]]),
        )
        groups = [group for group in groups if group not in (one, other)]
        groups = sorted([*groups, tuple(sorted(one + other))])
        found.append(groups)
    return found


def clusters(alike: Matrix, least: float = 0.5, most: int = 12) -> list[tuple[int, ...]]:
    able = [groups for groups in divisions(alike) if len(groups) <= most]
    widths = [(silhouette(alike, groups), -len(groups)) for groups in able]
    if not widths or max(widths)[0] < least:
        return [tuple(range(len(alike)))]
    return able[widths.index(max(widths))]
