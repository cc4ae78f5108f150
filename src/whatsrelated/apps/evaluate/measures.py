"""Measures of one answer: its URLs, best first, against the gold.

`gold` maps pages to ratings: above 0 means related, 0 means unrelated, and below 0 means that the
page could not be opened, which counts as unrelated. Precision and average precision are DH99's
(sec. 4.2). The others match trec_eval, except for capped recall, whose divisor is at most `at`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log2

Gold = Mapping[str, float]


def related_count(gold: Gold) -> int:
    """The number of related pages."""
    return sum(rating > 0 for rating in gold.values())


def hits(answer: Sequence[str], gold: Gold) -> list[bool]:
    """For each page of the answer, whether it is related."""
    return [gold.get(page, 0) > 0 for page in answer]


def precision(answer: Sequence[str], gold: Gold, at: int = 10) -> float:
    """The number of related pages among the first `at`, divided by `at`."""
    return sum(hits(answer[:at], gold)) / at


def average_precision(answer: Sequence[str], gold: Gold) -> float:
    """The mean precision at the positions of the related pages that were found (DH99)."""
    precisions = _precisions(answer, gold)
    return sum(precisions) / len(precisions) if precisions else 0.0


def mean_precision(answer: Sequence[str], gold: Gold) -> float:
    """Like average precision, but over all related pages, found or not; its mean is MAP."""
    return sum(_precisions(answer, gold)) / related_count(gold) if related_count(gold) else 0.0


def capped_recall(answer: Sequence[str], gold: Gold, at: int = 10) -> float:
    """The number of related pages among the first `at`, divided by all related pages or by `at`,
    whichever is smaller.
    """
    return (
        sum(hits(answer[:at], gold)) / min(at, related_count(gold)) if related_count(gold) else 0.0
    )


def reciprocal_rank(answer: Sequence[str], gold: Gold) -> float:
    """1 divided by the position of the first related page."""
    return next((1 / place for place, hit in enumerate(hits(answer, gold), 1) if hit), 0.0)


def ndcg(answer: Sequence[str], gold: Gold, at: int = 10) -> float:
    """The sum of rating / log2(position + 1), divided by the same sum for the best order."""
    best = _gain(sorted((max(rating, 0) for rating in gold.values()), reverse=True)[:at])
    return _gain([max(gold.get(page, 0), 0) for page in answer[:at]]) / best if best else 0.0


def _precisions(answer: Sequence[str], gold: Gold) -> list[float]:
    precisions: list[float] = []
    for place, hit in enumerate(hits(answer, gold), 1):
        if hit:
            precisions.append((len(precisions) + 1) / place)
    return precisions


def _gain(ratings: Sequence[float]) -> float:
    return sum(rating / log2(place + 1) for place, rating in enumerate(ratings, 1))
