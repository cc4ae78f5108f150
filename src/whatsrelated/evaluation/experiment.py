"""Ask every method for every query, and measure what it answers.

A method that fails on one query is recorded with its error, and the rest goes
on.  With `unlinked`, pages that the query links to count neither as gold nor
as answers: what is left is what a reader could not have clicked.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from whatsrelated.errors import RelatedError
from whatsrelated.evaluation import measures
from whatsrelated.evaluation.contenders import Contender

if TYPE_CHECKING:
    from whatsrelated.api import Graph
    from whatsrelated.evaluation.gold import Judged
    from whatsrelated.methods import Method


@dataclass(frozen=True, slots=True)
class Asked:
    """One query to one method: the answer's URLs, what it cost, and what went wrong.

    `milliseconds` is the time of the processor; `siblings`, and those `cocited`
    at least twice, are told by cocitation alone.
    """

    query: str
    urls: tuple[str, ...]
    milliseconds: float = 0.0
    pages: int = 0
    links: int = 0
    siblings: int | None = None
    cocited: int | None = None
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
    graph: Graph,
    by: Method | Contender,
    queries: Sequence[str],
    limit: int = 10,
    unlinked: bool = False,
) -> list[Asked]:
    """The method's answer to each query."""
    contender = by if isinstance(by, Contender) else Contender(by.name, by)
    return [ask_one(graph, contender, query, limit, unlinked) for query in queries]


def ask_one(
    graph: Graph,
    contender: Contender,
    query: str,
    limit: int,
    unlinked: bool,
    deadline: float | None = None,
) -> Asked:
    """The contender's answer to one query; whatever goes wrong is part of it."""
    begun = time.thread_time()
    try:
        known = linked(graph, query) if unlinked else set()
        begun = time.thread_time()
        answer = graph.related(
            query,
            by=contender.method,
            limit=limit + len(known),
            deadline=deadline,
            **dict(contender.asking),
        )
    except RelatedError as error:
        return Asked(query, (), error=str(error))
    except Exception as error:  # a fault of the method's: the other queries go on
        return Asked(query, (), error=f"{type(error).__name__}: {error}"[:300])
    took = (time.thread_time() - begun) * 1000
    urls = [result.url for result in answer if result.url not in known][:limit]
    return Asked(
        query,
        tuple(urls),
        round(took, 3),
        answer.vicinity["pages"],
        answer.vicinity["links"],
        answer.details.get("siblings"),
        answer.details.get("cocited"),
    )


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
