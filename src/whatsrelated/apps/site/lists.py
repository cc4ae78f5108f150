"""The lists of every page: what is related to it, and what links to it.

A few pages are asked for in this process; many by worker processes, which share
the graph on disk.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from whatsrelated import api
from whatsrelated.errors import RelatedError
from whatsrelated.kernels.scratch import QUESTION_MEMORY, keep_within, question_limits
from whatsrelated.machine.resources import limit_address_space, processors
from whatsrelated.sources import workers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from whatsrelated.api import Graph
    from whatsrelated.apps.site.pages import SitePages
    from whatsrelated.stream import Progress

FEW_PAGES = 1500
"""Up to this many are asked for in this process."""
TOGETHER = 25
"""Pages that a worker is sent at a time."""
PATIENCE = 600.0
"""Seconds that those may take."""
EVERYTHING = 1 << 40


class Listed(msgspec.Struct, frozen=True, array_like=True):
    """A page of a list."""

    page: int
    score: float
    linked: bool
    why: str = ""


@dataclass
class ListWorker:
    """Answers for pages: the lists of each that may be in them."""

    path: Path | None
    wanted: NDArray[np.bool_]
    kinds: list[str]
    limit: int
    why: bool
    by: str | None
    options: Mapping[str, Any]
    graph: Graph | None = field(default=None, repr=False)

    def __call__(self, item: str) -> bytes:
        try:
            return msgspec.json.encode([self.lists(int(page)) for page in item.split()])
        except RelatedError as error:
            return msgspec.json.encode(str(error))

    def lists(self, page: int) -> list[list[Listed]]:
        """The lists of a page, in the order of `kinds`."""
        if self.graph is None:
            assert self.path is not None
            limit_address_space(None)
            self.graph = api.open(self.path)
        linked = set(self.graph.store.links_from(page).tolist())
        return [
            self._related(self.graph, page, linked)
            if kind == "related"
            else self._backlinks(self.graph, page, linked)
            for kind in self.kinds
        ]

    def _related(self, graph: Graph, page: int, linked: set[int]) -> list[Listed]:
        for enough in (4 * self.limit + 10, EVERYTHING):
            asker = graph.asker(self.by, limit=enough, **self.options)
            with keep_within(question_limits(None, QUESTION_MEMORY)):
                best = asker.best(page)
                places = [n for n, one in enumerate(best.pages.tolist()) if self.wanted[one]]
                if len(places) < self.limit and len(best.pages) == enough:
                    continue
                return [
                    Listed(
                        one := int(best.pages[n]),
                        float(best.scores[n]),
                        one in linked,
                        str(best.evidence(one).get("sentence", "")) if self.why else "",
                    )
                    for n in places[: self.limit]
                ]
        return []

    def _backlinks(self, graph: Graph, page: int, linked: set[int]) -> list[Listed]:
        parents = [one for one in graph.links_to(page).tolist() if self.wanted[one] and one != page]
        return [Listed(one, 1.0, one in linked, "It links here.") for one in parents[: self.limit]]


def all_lists(
    graph: Graph, pages: SitePages, worker: ListWorker, progress: Progress | None
) -> Iterator[tuple[int, list[list[Listed]]]]:
    """The lists of every page of the site, in the order of their addresses."""
    order = sorted(pages.addresses, key=pages.addresses.__getitem__)
    if graph.store.path is None or len(order) <= FEW_PAGES or processors() == 1:
        worker.graph = graph
        for done, page in enumerate(order):
            _say(progress, done, len(order))
            yield page, worker.lists(page)
        return
    batches = [order[first : first + TOGETHER] for first in range(0, len(order), TOGETHER)]
    items = [" ".join(map(str, batch)) for batch in batches]
    worker.path = graph.store.path.absolute()
    answers = workers.results(worker, items, seconds=PATIENCE)
    for number, (batch, (_, answer)) in enumerate(zip(batches, answers, strict=True)):
        _say(progress, number * TOGETHER, len(order))
        if isinstance(answer, workers.Lost):
            raise RelatedError(f"site: a process that asked for pages was lost: {answer.reason}.")
        lists = msgspec.json.decode(answer, type=str | list[list[list[Listed]]])
        if isinstance(lists, str):
            raise RelatedError(lists)
        yield from zip(batch, lists, strict=True)


def _say(progress: Progress | None, done: int, of: int) -> None:
    if progress is not None:
        progress("asking for pages", done, of)
