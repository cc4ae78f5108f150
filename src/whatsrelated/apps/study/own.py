"""Pages that judges bring to a study, and rate themselves (DH99, sec. 4.1).

1. A judge enters pages, at least two in all.
2. Every method answers for each page immediately, and the pools join the study.
3. The judge rates only these pools.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from whatsrelated.api.asking import find_page
from whatsrelated.apps.evaluate.contenders import contenders
from whatsrelated.apps.evaluate.gold import lines_of, page_named
from whatsrelated.apps.evaluate.trials import ask_all
from whatsrelated.apps.study.plan import BroughtPage, StudyPlan, pool_of
from whatsrelated.errors import OptionError, PageNotFound, ReadError
from whatsrelated.stream import Refused

if TYPE_CHECKING:
    from whatsrelated.api import Graph

MIN_OWN, MAX_OWN = 2, 50
"""Minimum and maximum number of pages that a judge brings."""


class PagesRejected(OptionError):
    """Pages that a judge entered cannot be used; `reasons` has a sentence for each."""

    def __init__(self, reasons: Sequence[str]) -> None:
        self.reasons = list(reasons)
        super().__init__(" ".join(self.reasons))


@dataclass(frozen=True)
class OwnPages:
    """Queries the methods of a study for the pages that a judge brings."""

    graph: Graph
    plan: StudyPlan

    def __post_init__(self) -> None:
        if (len(self.graph), self.graph.n_links) != (self.plan.n_pages, self.plan.links):
            raise OptionError(
                f"study: this graph has {len(self.graph):,} pages and {self.graph.n_links:,} "
                f"links, but that of the study, {self.plan.graph}, had {self.plan.n_pages:,} and "
                f"{self.plan.links:,}; name the graph of the study."
            )

    def bring(self, judge: str, text: str, before: Sequence[str] = ()) -> list[BroughtPage]:
        """The pools for the pages entered, one page per line; `before` has the judge's earlier
        pages.
        """
        urls, reasons = self._find(text)
        new = [url for url in urls if url not in before]
        number = len(before) + len(new)
        if not reasons and not MIN_OWN <= number <= MAX_OWN:
            reasons = [f"Enter at least {MIN_OWN} and at most {MAX_OWN} pages, one per line."]
        if reasons:
            raise PagesRejected(reasons)
        return list(self._ask(judge, new))

    def _find(self, text: str) -> tuple[list[str], list[str]]:
        """The pages entered, and a sentence for each line that is not in the graph."""
        urls: dict[str, None] = {}
        reasons = []
        for line in filter(None, map(str.strip, text.splitlines())):
            try:
                page, _ = find_page(self.graph.store, line)
            except PageNotFound as error:
                reasons.append(str(error))
            else:
                urls[self.graph.url(page)] = None
        return list(urls), reasons

    def _ask(self, judge: str, urls: Sequence[str]) -> Iterator[BroughtPage]:
        methods = contenders(",".join(self.plan.answers))
        work = [(number, url) for url in urls for number in range(len(methods))]
        results = ask_all(self.graph, methods, work, limit=self.plan.depth, processes=1)
        trials = [trial for _, trial in results]
        for at, url in enumerate(urls):
            answers = dict(
                zip(self.plan.answers, trials[at * len(methods) :][: len(methods)], strict=True)
            )
            yield BroughtPage(judge, pool_of(self.graph, url, answers.values()), answers)


def read_own_queries(path: str | Path, graph: Graph, refused: Refused) -> dict[str, list[str]]:
    """The pages of each judge in a file of page and judge, separated by a tab."""
    queries: dict[str, dict[str, None]] = {}
    for _, line in lines_of(path, "queries"):
        name, _, judge = (part.strip() for part in line.partition("\t"))
        page = page_named(graph, name)
        if not judge:
            refused.add("without a judge", name)
        elif page is None:
            refused.add("not in the graph", name)
        else:
            queries.setdefault(judge, {})[graph.url(page)] = None
    if not queries:
        raise ReadError(f"No line of {path} has a page of the graph and a judge; {refused}.")
    return {judge: list(pages) for judge, pages in queries.items()}
