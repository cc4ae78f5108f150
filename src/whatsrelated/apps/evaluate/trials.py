"""Run queries on all processors, and record each answer with its cost or error.

A method that fails, crashes its process or takes too long loses only that query. With `unlinked`,
pages that the query links to are neither gold nor answers, since readers can already reach them
with a click.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from whatsrelated.api.tasks import run_tasks
from whatsrelated.apps.evaluate import measures
from whatsrelated.apps.evaluate.list_members import pages_of
from whatsrelated.errors import OptionError, RelatedError
from whatsrelated.machine.workers import Lost

if TYPE_CHECKING:
    from whatsrelated.api import Graph
    from whatsrelated.apps.evaluate.contenders import Contender


@dataclass(frozen=True, slots=True)
class Trial:
    """One method's answer to one query: the URLs, the cost, and any error.

    `milliseconds` is CPU time. Only cocitation counts `siblings`, and those `cocited` at least
    twice. Only companion and hits have `rounds` and the `residual` of the last round.
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
    """Run one query with one contender; an error becomes part of the trial."""
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
    except Exception as error:  # an error in the method; continue with the other queries
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
        for member in pages_of(query)
        for page in graph.links_from(graph.page(member)).tolist()
    }


def unlinked_gold(
    graph: Graph, queries: Mapping[str, Mapping[str, float]]
) -> dict[str, dict[str, float]]:
    """The gold without pages that the query links to; queries left without gold are dropped."""
    rest: dict[str, dict[str, float]] = {}
    for query, gold in queries.items():
        known = linked_pages(graph, query)
        unknown = {page: rating for page, rating in gold.items() if page not in known}
        if measures.related_count(unknown) or not measures.related_count(gold):
            rest[query] = unknown
    return rest


FEW_QUERIES = 100
"""Up to this many queries run in this process rather than in workers."""
PATIENCE = 60.0
"""Default time limit per query, in seconds."""
MAX_PATIENCE = 1e6
"""Maximum time limit, in seconds."""


@dataclass
class AskContender:
    """A worker's task: run one query with one contender.

    Each contender's first query in a process runs twice, since the first run may compute a rank.
    """

    contenders: Sequence[Contender]
    limit: int
    unlinked: bool
    patience: float
    warm: set[int] = field(default_factory=set)

    def __call__(self, graph: Graph, item: tuple[int, str]) -> Trial:
        number, query = item
        if number not in self.warm:
            self.warm.add(number)
            self._ask(graph, number, query)
        return self._ask(graph, number, query)

    def _ask(self, graph: Graph, number: int, query: str) -> Trial:
        deadline = time.monotonic() + self.patience
        contender = self.contenders[number]
        return ask(graph, contender, query, self.limit, self.unlinked, deadline)


def ask_all(
    graph: Graph,
    contenders: Sequence[Contender],
    items: Iterable[tuple[int, str]],
    *,
    limit: int = 10,
    unlinked: bool = False,
    processes: int = 0,
    patience: float = PATIENCE,
) -> Iterator[tuple[int, Trial]]:
    """Run each item (a contender's number and a query); trials are yielded in the same order."""
    if not 0 < patience <= MAX_PATIENCE:
        raise OptionError(
            f"evaluate: patience must be above 0 and at most {MAX_PATIENCE:g} seconds, "
            f"got {patience}."
        )
    task = AskContender(contenders, limit, unlinked, patience)
    # A method that respects its deadline ends by itself, and its first query may run twice.
    seconds = 3 * patience + 1
    results = run_tasks(
        graph, task, list(items), processes=processes, few=FEW_QUERIES, seconds=seconds
    )
    for (number, query), trial in results:
        if isinstance(trial, Lost):
            trial = Trial(query, (), error=trial.reason)
        yield number, trial
