"""The outcome of an experiment: every answer to every query, and its measures.

There are three groups of queries (DH99, sec. 4.2): all of them, those that every contender
answered, and those that one contender did not answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import fmean

from whatsrelated.apps.evaluate import measures
from whatsrelated.apps.evaluate.trials import Trial

AT = 10
"""The cutoff for precision, capped recall and nDCG."""


@dataclass(frozen=True, slots=True)
class Scores:
    """The measures of one answer, or their means over a group."""

    average_precision: float
    precision: float
    capped_recall: float
    mean_precision: float
    ndcg: float
    reciprocal_rank: float


MEASURES = {
    "average_precision": "avg. precision",
    "precision": f"precision@{AT}",
    "capped_recall": f"capped recall@{AT}",
    "mean_precision": "MAP",
    "ndcg": f"nDCG@{AT}",
    "reciprocal_rank": "MRR",
}
"""The names of the measures in a table, starting with DH99's two."""


@dataclass(frozen=True, slots=True)
class QueryGroup:
    """Some of the queries, and a phrase that describes them."""

    name: str
    sentence: str
    queries: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """The answers of contenders and runs, by label, each in the order of the queries.

    `in_links` holds each query's in-degree, `unknown` the runs' pages that are not in the graph,
    and `runs` the labels of runs. The third group consists of the queries that `unanswered_by` did
    not answer; by default, that is the method with the most unanswered queries.
    """

    golds: Mapping[str, Mapping[str, float]]
    answers: Mapping[str, Sequence[Trial]]
    in_links: Mapping[str, int] = field(default_factory=dict)
    unknown: frozenset[str] = frozenset()
    runs: tuple[str, ...] = ()
    unanswered_by: str | None = None

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
    def by_query(self) -> dict[str, dict[str, Trial]]:
        """The answers by label and query."""
        return {label: {a.query: a for a in answers} for label, answers in self.answers.items()}

    @cached_property
    def groups(self) -> list[QueryGroup]:
        """All queries, those that every method answered, and those that one method did not
        answer.
        """
        answered = {
            label: {query for query, trial in answers.items() if trial.urls}
            for label, answers in self.by_query.items()
        }
        everything = tuple(self.golds)
        by_all = tuple(q for q in everything if all(q in trials for trials in answered.values()))
        one = self.unanswered_by or min(answered, key=lambda label: len(answered[label]))
        rest = tuple(q for q in everything if q not in answered[one])
        return [
            QueryGroup("all", "all queries", everything),
            QueryGroup("answered by all", "the queries that every method answered", by_all),
            QueryGroup(f"not by {one}", f"the queries that {one} did not answer", rest),
        ]

    def values(self, label: str, measure: str, group: QueryGroup) -> list[float]:
        """A measure for each query of a group."""
        scores = self.scores[label]
        return [float(getattr(scores[query], measure)) for query in group.queries]

    def mean(self, label: str, measure: str, group: QueryGroup) -> float | None:
        """The mean of a measure over a group; None if the group is empty."""
        return fmean(self.values(label, measure, group)) if group.queries else None

    def precision_at(self, label: str, group: QueryGroup, upto: int = AT) -> list[float]:
        """DH99's precision at r for r = 1 ... upto (Fig. 1), over all queries of the group."""
        hits = [
            measures.hits(self.by_query[label][query].urls[:upto], self.golds[query])
            for query in group.queries
        ]
        count = max(len(hits), 1)
        return [sum(sum(row[:r]) for row in hits) / (r * count) for r in range(1, upto + 1)]

    def unopened(self, label: str) -> int:
        """Pages in answers that could not be opened: rated below 0, or unrated and not in the
        graph.
        """
        return sum(
            self.golds[one.query].get(url, -1 if url in self.unknown else 0) < 0
            for one in self.answers[label]
            for url in one.urls
        )


def scores_of(urls: Sequence[str], gold: Mapping[str, float]) -> Scores:
    """The measures of one answer."""
    return Scores(
        average_precision=measures.average_precision(urls, gold),
        precision=measures.precision(urls, gold, AT),
        capped_recall=measures.capped_recall(urls, gold, AT),
        mean_precision=measures.mean_precision(urls, gold),
        ndcg=measures.ndcg(urls, gold, AT),
        reciprocal_rank=measures.reciprocal_rank(urls, gold),
    )
