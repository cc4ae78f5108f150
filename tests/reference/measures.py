"""The measures and tests of an evaluation, each summed as it is defined (DH99, sec. 4.2)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import product
from math import comb, erfc, log2, sqrt

Ratings = Sequence[float]
"""The ratings of one query's answers, best first."""


def precision_at(r: int, queries: Sequence[Ratings]) -> float:
    """Answers rated 1 among the first r, over r times the queries, answered or not."""
    good = sum(rating == 1 for ratings in queries for rating in ratings[:r])
    return good / (r * len(queries))


def average_precision(ratings: Ratings) -> float:
    """The mean of the precision at the rank of each answer rated 1; 0 if there is none."""
    precisions = [
        sum(rating == 1 for rating in ratings[:rank]) / rank
        for rank in range(1, len(ratings) + 1)
        if ratings[rank - 1] == 1
    ]
    return sum(precisions) / len(precisions) if precisions else 0.0


def map_over_gold(answer: Sequence[str], gold: Collection[str]) -> float:
    """trec_eval's average precision: gold pages that were not found count as 0."""
    hits, total = 0, 0.0
    for rank, page in enumerate(answer, start=1):
        if page in gold:
            hits += 1
            total += hits / rank
    return total / len(gold)


def recall_at(k: int, answer: Sequence[str], gold: Collection[str]) -> float:
    """Gold pages among the first k, over as many as there could be."""
    return sum(page in gold for page in answer[:k]) / min(k, len(gold))


def reciprocal_rank(answer: Sequence[str], gold: Collection[str]) -> float:
    return next((1 / rank for rank, page in enumerate(answer, start=1) if page in gold), 0.0)


def ndcg_at(k: int, answer: Sequence[str], gold: Mapping[str, float]) -> float:
    """Gains over log2(rank + 1), over those of the best order."""
    gained = sum(gold.get(page, 0) / log2(i + 2) for i, page in enumerate(answer[:k]))
    best = sorted(gold.values(), reverse=True)[:k]
    ideal = sum(gain / log2(i + 2) for i, gain in enumerate(best))
    return gained / ideal if ideal else 0.0


def groups(answered: Mapping[str, Collection[str]], named: str) -> dict[str, set[str]]:
    """All queries, those every method answered, and those the named one did not.

    `answered` has, for each method, the queries that it answered; under "" all queries.
    """
    everything = set(answered[""])
    every = everything.intersection(*(set(answered[m]) for m in answered if m))
    return {"all": everything, "answered by all": every, "rest": everything - set(answered[named])}


def sign_test(x: Sequence[float], y: Sequence[float]) -> float:
    """P(at least this many queries go to X | each is a toss-up), ties left out."""
    wins = sum(a > b for a, b in zip(x, y, strict=True))
    n = wins + sum(a < b for a, b in zip(x, y, strict=True))
    return sum(comb(n, k) for k in range(wins, n + 1)) / 2**n


def rank_sum_test(x: Sequence[float], y: Sequence[float]) -> float:
    """P(U at least this large), normal, with the correction for ties and for continuity."""
    u = sum((a > b) + (a == b) / 2 for a, b in product(x, y))
    n, m = len(x), len(y)
    values = [*x, *y]
    ties = sum(values.count(v) ** 3 - values.count(v) for v in set(values))
    variance = n * m / 12 * (n + m + 1 - ties / ((n + m) * (n + m - 1)))
    if variance <= 0:
        return 1.0
    z = (u - n * m / 2 - 0.5) / sqrt(variance)
    return erfc(z / sqrt(2)) / 2


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values, in the order given."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for done, i in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - done) * p_values[i]))
        adjusted[i] = largest
    return adjusted


def cliffs_delta(x: Sequence[float], y: Sequence[float]) -> float:
    """How much more often a value of X beats one of Y than the other way round."""
    return sum((a > b) - (a < b) for a, b in product(x, y)) / (len(x) * len(y))
