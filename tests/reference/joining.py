"""Scores put together: several methods for one page, one method for several pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

from tests.reference.plain_graph import PlainGraph, Scores


def blend(parts: Iterable[tuple[float, Scores]]) -> Scores:
    """Each method's scores over its largest, added with its weight."""
    total: Scores = {}
    for weight, scores in parts:
        largest = max(scores.values(), default=0.0)
        for page, score in scores.items():
            total[page] = total.get(page, 0.0) + weight * score / largest
    return total


def joined(
    graph: PlainGraph, queries: Sequence[str], lists: Sequence[Scores]
) -> list[tuple[str, int, float]]:
    """Pages related to all queries (DH99, sec. 6): page, in how many lists, geometric mean."""
    parts = []
    for scores in lists:
        left = {page: score for page, score in scores.items() if page not in queries}
        if left:
            largest = max(left.values())
            parts.append({page: score / largest for page, score in left.items()})
    held: Scores = {}
    means: Scores = {}
    for page in {page for part in parts for page in part}:
        held[page] = sum(page in part for part in parts)
        means[page] = prod(part.get(page, min(part.values()) / 2) for part in parts) ** (
            1 / len(parts)
        )
    ranked = graph.ordered_list(held, {page: round(mean, 9) for page, mean in means.items()})
    return [(page, int(held[page]), means[page]) for page in ranked]
