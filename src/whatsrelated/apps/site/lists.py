"""The lists of every page: what is related to it, and what links to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from whatsrelated.api.tasks import run_tasks
from whatsrelated.errors import RelatedError
from whatsrelated.kernels.scratch import QUESTION_MEMORY, keep_within, question_limits
from whatsrelated.machine.workers import Lost

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from whatsrelated.api import Graph
    from whatsrelated.apps.site.pages import SitePages
    from whatsrelated.stream import Progress

FEW_PAGES = 1500
"""Up to this many are asked for in this process."""
TOGETHER = 25
"""Pages that a process is sent at a time."""
PATIENCE = 600.0
"""Seconds that those may take."""
EVERYTHING = 1 << 40


class Listed(msgspec.Struct, frozen=True, array_like=True):
    """A page of a list."""

    page: int
    score: float
    linked: bool
    why: str = ""


@dataclass(frozen=True)
class ListPages:
    """The task: the lists of each of some pages, in the order of `kinds`."""

    wanted: NDArray[np.bool_]
    kinds: list[str]
    limit: int
    why: bool
    by: str | None
    options: Mapping[str, Any]

    def __call__(self, graph: Graph, pages: list[int]) -> list[list[list[Listed]]]:
        return [self.lists(graph, page) for page in pages]

    def lists(self, graph: Graph, page: int) -> list[list[Listed]]:
        """The lists of a page."""
        linked = set(graph.store.links_from(page).tolist())
        return [
            self._related(graph, page, linked)
            if kind == "related"
            else self._backlinks(graph, page, linked)
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
    graph: Graph, pages: SitePages, task: ListPages, progress: Progress | None
) -> Iterator[tuple[int, list[list[Listed]]]]:
    """The lists of every page of the site, in the order of their addresses."""
    order = sorted(pages.addresses, key=pages.addresses.__getitem__)
    items = [order[first : first + TOGETHER] for first in range(0, len(order), TOGETHER)]
    answers = run_tasks(graph, task, items, few=FEW_PAGES // TOGETHER, seconds=PATIENCE)
    for number, (some, lists) in enumerate(answers):
        if progress is not None:
            progress("asking for pages", number * TOGETHER, len(order))
        if isinstance(lists, Lost):
            raise RelatedError(f"site: a process that asked for pages was lost: {lists.reason}.")
        yield from zip(some, lists, strict=True)
