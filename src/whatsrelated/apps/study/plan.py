"""The plan of a study: the queries, the answers of every method and the pages to rate.

1. Take the first `depth` answers (ten in DH99, sec. 4.1) of every method and every run to every
   query.
2. A query's pool is the union of these answers, so it does not reveal which method found a page.
3. Each judge sees a pool in a different order, drawn from the seed, the judge's name and the query,
   so no method's best answers always come first.

All judges rate the same queries (`own` is false), or each judge rates their own (`owners`). The
plan includes the answers, so the study's tables can be computed without the graph.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from whatsrelated.apps.evaluate.gold import lines_of, page_named
from whatsrelated.apps.evaluate.runs import check_labels, read_run
from whatsrelated.apps.evaluate.trials import Trial, ask_all
from whatsrelated.errors import ReadError
from whatsrelated.stream import Refused

if TYPE_CHECKING:
    from whatsrelated.api import Graph
    from whatsrelated.apps.evaluate.contenders import Contender
    from whatsrelated.stream import Progress

VERSION = 1
UNOPENED, UNRELATED, RELATED, CLOSE = -1, 0, 1, 2
"""The ratings, as `related evaluate` reads them."""


class Candidate(msgspec.Struct, frozen=True):
    """A page of a pool."""

    url: str
    title: str | None = None


class QueryPool(msgspec.Struct, frozen=True):
    """A query, the number of pages that link to it, and the pages to rate, by name."""

    query: Candidate
    in_links: int
    pages: list[Candidate]

    def order_for(self, judge: str, seed: int) -> list[Candidate]:
        """The pages in the order for one judge."""
        return random.Random(f"{seed}\n{judge}\n{self.query.url}").sample(
            self.pages, len(self.pages)
        )


class StudyPlan(msgspec.Struct, tag="plan", frozen=True):
    """A study: its pools, and the answers that they come from."""

    graph: str
    links: int
    n_pages: int
    seed: int
    depth: int
    second_grade: bool
    pools: list[QueryPool]
    answers: dict[str, list[Trial]]
    runs: list[str] = []
    unknown: list[str] = []
    own: bool = False
    owners: dict[str, list[str]] = {}
    version: int = VERSION

    @property
    def ratings(self) -> tuple[int, ...]:
        """The ratings a judge may give."""
        grades = (RELATED, CLOSE) if self.second_grade else (RELATED,)
        return (*grades, UNRELATED, UNOPENED)


class BroughtPage(msgspec.Struct, tag="brought", frozen=True):
    """A page that a judge brought during the study: its pool, and every method's answer."""

    judge: str
    pool: QueryPool
    answers: dict[str, Trial]


def read_queries(path: str | Path, graph: Graph, refused: Refused) -> list[str]:
    """The distinct queries in a file, one per line or in the first tab-separated column."""
    queries: dict[str, None] = {}
    for _, line in lines_of(path, "queries"):
        name = line.partition("\t")[0].strip()
        page = page_named(graph, name)
        if page is None:
            refused.add("not in the graph", name)
        else:
            queries[graph.url(page)] = None
    if not queries:
        raise ReadError(f"No query in {path} is a page of the graph; {refused}.")
    return list(queries)


def plan_study(
    graph: Graph,
    name: str,
    queries: Sequence[str],
    contenders: Sequence[Contender],
    runs: Sequence[str] = (),
    *,
    owners: Mapping[str, list[str]] | None = None,
    depth: int = 10,
    seed: int = 0,
    second_grade: bool = False,
    progress: Progress | None = None,
) -> StudyPlan:
    """Query every method, and pool the answers; `owners` has the queries of each judge."""
    read = [read_run(path, graph, queries, depth) for path in runs]
    labels = [*(one.label for one in contenders), *(run.label for run in read)]
    check_labels(labels)
    answers: dict[str, list[Trial]] = {label: [] for label in labels}
    work = [(number, query) for number in range(len(contenders)) for query in queries]
    for done, (number, trial) in enumerate(ask_all(graph, contenders, work, limit=depth), 1):
        answers[labels[number]].append(trial)
        if progress is not None:
            progress("asking", done, len(work))
    for run in read:
        answers[run.label] = run.answers
    pools = [
        pool_of(graph, query, (trials[at] for trials in answers.values()))
        for at, query in enumerate(queries)
    ]
    if queries and not any(pool.pages for pool in pools):
        raise ReadError("No method answered any of the queries; there is nothing to rate.")
    return StudyPlan(
        graph=name,
        links=graph.n_links,
        n_pages=len(graph),
        seed=seed,
        depth=depth,
        second_grade=second_grade,
        pools=pools,
        answers=answers,
        runs=[run.label for run in read],
        unknown=sorted(frozenset[str]().union(*(run.unknown for run in read))),
        own=owners is not None,
        owners=dict(owners or {}),
    )


def pool_of(graph: Graph, query: str, trials: Iterable[Trial]) -> QueryPool:
    """The pool of a query: every page in any of these answers."""
    page = graph.page(query)
    urls = {url for trial in trials for url in trial.urls}
    return QueryPool(
        Candidate(query, graph.title(page)),
        len(graph.links_to(page)),
        [Candidate(url, _title(graph, url)) for url in sorted(urls)],
    )


def _title(graph: Graph, url: str) -> str | None:
    page = graph.store.look_up(url)
    return None if page is None else graph.title(page)
