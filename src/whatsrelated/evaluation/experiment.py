"""Ask every method for every query, and measure what it answers.

A method that fails on one query is recorded with its error, and the rest goes
on.  With `unlinked`, pages that the query links to count neither as gold nor
as answers: what is left is what a reader could not have clicked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from whatsrelated.errors import RelatedError
from whatsrelated.evaluation import measures

if TYPE_CHECKING:
    from whatsrelated.api import Graph
    from whatsrelated.evaluation.gold import Judged
    from whatsrelated.methods import Method


@dataclass(frozen=True, slots=True)
class Asked:
    """One query to one method: the answer's URLs, what it cost, and what went wrong."""

    query: str
    urls: tuple[str, ...]
    milliseconds: float = 0.0
    pages: int = 0
    links: int = 0
    error: str = ""


@dataclass(frozen=True, slots=True)
class Measured:
    """The means of one method over all queries; one without an answer counts as 0."""

    answered: int
    failed: int
    precision: float
    average_precision: float
    recall: float
    mean_precision: float
    ndcg: float
    reciprocal_rank: float


def ask(
    graph: Graph, method: Method, queries: Sequence[str], limit: int = 10, unlinked: bool = False
) -> list[Asked]:
    """The method's answer to each query."""
    return [_asked(graph, method, query, limit, unlinked) for query in queries]


def _asked(graph: Graph, method: Method, query: str, limit: int, unlinked: bool) -> Asked:
    known = linked(graph, query) if unlinked else set()
    try:
        answer = graph.related(query, by=method, limit=limit + len(known), chop=False)
    except RelatedError as error:
        return Asked(query, (), error=str(error))
    urls = [result.url for result in answer if result.url not in known][:limit]
    vicinity = answer.vicinity
    return Asked(query, tuple(urls), answer.took_ms, vicinity["pages"], vicinity["links"])


def linked(graph: Graph, query: str) -> set[str]:
    """What a page links to."""
    return {graph.url(page) for page in graph.links_from(graph.page(query)).tolist()}


def without_linked(graph: Graph, judged: Judged) -> dict[str, dict[str, float]]:
    """The gold that its query does not link to; queries that have any."""
    left: dict[str, dict[str, float]] = {}
    for query, gold in judged.queries.items():
        known = linked(graph, query)
        kept = {page: rating for page, rating in gold.items() if page not in known}
        if measures.related(kept):
            left[query] = kept
    return left


def measured(
    asked: Sequence[Asked], golds: Mapping[str, Mapping[str, float]], at: int = 10
) -> Measured:
    """The means over the queries."""
    pairs = [(one.urls, golds[one.query]) for one in asked]
    count = max(len(pairs), 1)
    return Measured(
        answered=sum(bool(one.urls) for one in asked),
        failed=sum(bool(one.error) for one in asked),
        precision=sum(measures.precision(a, g, at) for a, g in pairs) / count,
        average_precision=sum(measures.average_precision(a, g) for a, g in pairs) / count,
        recall=sum(measures.recall(a, g, at) for a, g in pairs) / count,
        mean_precision=sum(measures.mean_precision(a, g) for a, g in pairs) / count,
        ndcg=sum(measures.ndcg(a, g, at) for a, g in pairs) / count,
        reciprocal_rank=sum(measures.reciprocal_rank(a, g) for a, g in pairs) / count,
    )
