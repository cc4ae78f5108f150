"""What came of an evaluation: every answer to every query, and its measures.

Queries are looked at in three groups (DH99, sec. 4): all; those that every
contender answered; those that a named one did not, where there are any.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import fmean

from whatsrelated.evaluation import measures
from whatsrelated.evaluation.experiment import Asked

AT = 10
"""Precision, recall and nDCG are over the first so many answers."""


@dataclass(frozen=True, slots=True)
class Scores:
    """The measures of one answer, or their means over a group."""

    average_precision: float
    precision: float
    recall: float
    mean_precision: float
    ndcg: float
    reciprocal_rank: float


MEASURES = {
    "average_precision": "avg. precision",
    "precision": f"precision@{AT}",
    "recall": f"recall@{AT}",
    "mean_precision": "MAP",
    "ndcg": f"nDCG@{AT}",
    "reciprocal_rank": "MRR",
}
"""What the measures are called in a table, DH99's two first."""


@dataclass(frozen=True, slots=True)
class Group:
    """Some of the queries, and which."""

    name: str
    sentence: str
    queries: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """The answers of contenders and runs, by label, each in the order of the queries.

    `in_links` has the in-degree of each query, `unknown` the pages of runs that
    are not in the graph, `runs` the labels that are runs.
    """

    golds: Mapping[str, Mapping[str, float]]
    answers: Mapping[str, Sequence[Asked]]
    in_links: Mapping[str, int] = field(default_factory=dict)
    unknown: frozenset[str] = frozenset()
    runs: tuple[str, ...] = ()
    named: str | None = None

    @property
    def labels(self) -> list[str]:
        return list(self.answers)

    @cached_property
    def scores(self) -> dict[str, dict[str, Scores]]:
        """The measures of each answer, by label and query."""
        return {
            label: {one.query: scores_of(one.urls, self.golds[one.query]) for one in answers}
            for label, answers in self.answers.items()
        }

    @cached_property
    def by_query(self) -> dict[str, dict[str, Asked]]:
        """The answers by label and query."""
        return {label: {a.query: a for a in answers} for label, answers in self.answers.items()}

    @cached_property
    def groups(self) -> list[Group]:
        """All queries, those that all answered, those that the named one did not."""
        answered = {
            label: {query for query, one in answers.items() if one.urls}
            for label, answers in self.by_query.items()
        }
        everything = tuple(self.golds)
        by_all = tuple(q for q in everything if all(q in held for held in answered.values()))
        named = self.named or min(answered, key=lambda label: len(answered[label]))
        rest = tuple(q for q in everything if q not in answered[named])
        return [
            Group("all", "all queries", everything),
            Group("answered by all", "the queries that every method answered", by_all),
            Group(f"not by {named}", f"the queries that {named} did not answer", rest),
        ]

    def values(self, label: str, measure: str, group: Group) -> list[float]:
        """One number for each query of a group."""
        scores = self.scores[label]
        return [float(getattr(scores[query], measure)) for query in group.queries]

    def mean(self, label: str, measure: str, group: Group) -> float | None:
        """Its mean over the group; None where the group is empty."""
        return fmean(self.values(label, measure, group)) if group.queries else None

    def precision_at(self, label: str, group: Group, upto: int = AT) -> list[float]:
        """DH99's precision at r, r = 1 ... upto (Fig. 1); a query without answers counts."""
        hits = [
            measures.hits(self.by_query[label][query].urls[:upto], self.golds[query])
            for query in group.queries
        ]
        count = max(len(hits), 1)
        return [sum(sum(row[:r]) for row in hits) / (r * count) for r in range(1, upto + 1)]

    def unopened(self, label: str) -> int:
        """The answers that could not be opened: rated below 0, or not in the graph."""
        return sum(
            url in self.unknown or self.golds[one.query].get(url, 0) < 0
            for one in self.answers[label]
            for url in one.urls
        )


def scores_of(urls: Sequence[str], gold: Mapping[str, float]) -> Scores:
    """The measures of one answer."""
    return Scores(
        average_precision=measures.average_precision(urls, gold),
        precision=measures.precision(urls, gold, AT),
        recall=measures.recall(urls, gold, AT),
        mean_precision=measures.mean_precision(urls, gold),
        ndcg=measures.ndcg(urls, gold, AT),
        reciprocal_rank=measures.reciprocal_rank(urls, gold),
    )
