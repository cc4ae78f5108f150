"""One query put to one method: what it answers, what that costs, what goes wrong.

A method that fails on one query is recorded with its error, and the others go
on.  With `unlinked`, pages that the query links to count neither as gold nor
as answers: what is left is what a reader could not have clicked.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from whatsrelated.apps.evaluate import measures
from whatsrelated.apps.evaluate.list_members import pages_of
from whatsrelated.errors import RelatedError

if TYPE_CHECKING:
    from whatsrelated.api import Graph
    from whatsrelated.apps.evaluate.contenders import Contender


@dataclass(frozen=True, slots=True)
class Trial:
    """One query to one method: the URLs of its answer, the cost, and the error if it failed.

    `milliseconds` is CPU time; only cocitation counts `siblings`, and those
    `cocited` at least twice; only companion and hits have `rounds`, and the
    `residual` of the last one.
    """

    query: str
    urls: tuple[str, ...]
    milliseconds: float = 0.0
    pages: int = 0
    links: int = 0
    siblings: int | None = None
    cocited: int | None = None
    error: str = ""
    rounds: int | None = None
    residual: float | None = None


def ask(
    graph: Graph,
    contender: Contender,
    query: str,
    limit: int = 10,
    unlinked: bool = False,
    deadline: float | None = None,
) -> Trial:
    """Put one query to one contender; whatever goes wrong is part of the trial."""
    try:
        known = linked_pages(graph, query) if unlinked else set()
        start = time.thread_time()
        answer = graph.related(
            pages_of(query),
            by=contender.method,
            limit=limit + len(known),
            deadline=deadline,
            **dict(contender.request),
        )
    except RelatedError as error:
        return Trial(query, (), error=str(error))
    except Exception as error:  # a fault of the method: the other queries go on
        return Trial(query, (), error=f"{type(error).__name__}: {error}"[:300])
    milliseconds = (time.thread_time() - start) * 1000
    urls = [result.url for result in answer if result.url not in known][:limit]
    return Trial(
        query,
        tuple(urls),
        round(milliseconds, 3),
        answer.vicinity["pages"],
        answer.vicinity["links"],
        answer.details.get("siblings"),
        answer.details.get("cocited"),
        rounds=answer.details.get("rounds"),
        residual=answer.details.get("moved"),
    )


def linked_pages(graph: Graph, query: str) -> set[str]:
    """The pages that a query links to."""
    return {
        graph.url(page)
        for own in pages_of(query)
        for page in graph.links_from(graph.page(own)).tolist()
    }


def unlinked_gold(
    graph: Graph, queries: Mapping[str, Mapping[str, float]]
) -> dict[str, dict[str, float]]:
    """The gold that its query does not link to, without queries that link to all their related."""
    rest: dict[str, dict[str, float]] = {}
    for query, gold in queries.items():
        known = linked_pages(graph, query)
        unknown = {page: rating for page, rating in gold.items() if page not in known}
        if measures.related_count(unknown) or not measures.related_count(gold):
            rest[query] = unknown
    return rest
