"""The plan of a study: the queries, the answers of every method, and the pages to rate.

1. Put every query to every method, and look it up in every run: the first `depth`
   answers of each (DH99, sec. 4: ten).
2. The pool of a query is the union of these, which does not reveal who found what.
3. Each judge sees a pool in a different order, drawn from the seed, the judge's name and the
   query, so no method's first answers are always seen first.

The plan includes the answers, so the tables of the study need no graph.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
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
    version: int = VERSION

    @property
    def ratings(self) -> tuple[int, ...]:
        """The ratings a judge may give."""
        grades = (RELATED, CLOSE) if self.second_grade else (RELATED,)
        return (*grades, UNRELATED, UNOPENED)

    @property
    def rateable(self) -> list[QueryPool]:
        """The pools that are not empty."""
        return [pool for pool in self.pools if pool.pages]


def read_queries(path: str | Path, graph: Graph, refused: Refused) -> list[str]:
    """The distinct queries in a file: one per line, or the first tab-separated column."""
    found: dict[str, None] = {}
    for _, line in lines_of(path, "queries"):
        name = line.partition("\t")[0].strip()
        page = page_named(graph, name)
        if page is None:
            refused.add("not in the graph", name)
        else:
            found[graph.url(page)] = None
    if not found:
        raise ReadError(f"No query in {path} is a page of the graph; {refused}.")
    return list(found)


def plan_study(
    graph: Graph,
    name: str,
    queries: Sequence[str],
    contenders: Sequence[Contender],
    runs: Sequence[str] = (),
    *,
    depth: int = 10,
    seed: int = 0,
    second_grade: bool = False,
    progress: Progress | None = None,
) -> StudyPlan:
    """Ask every method, and pool the answers."""
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
        _pool(graph, query, {url for own in answers.values() for url in own[at].urls})
        for at, query in enumerate(queries)
    ]
    if not any(pool.pages for pool in pools):
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
    )


def _pool(graph: Graph, query: str, urls: set[str]) -> QueryPool:
    page = graph.page(query)
    return QueryPool(
        Candidate(query, graph.title(page)),
        len(graph.links_to(page)),
        [Candidate(url, _title(graph, url)) for url in sorted(urls)],
    )


def _title(graph: Graph, url: str) -> str | None:
    page = graph.store.look_up(url)
    return None if page is None else graph.title(page)
