"""Compute every page's lists: its related pages, and the pages that link to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.api.tasks import run_tasks
from whatsrelated.errors import RelatedError
from whatsrelated.machine.workers import Lost

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

    from whatsrelated.api import Graph
    from whatsrelated.api.batches import Batch
    from whatsrelated.apps.site.pages import SitePages
    from whatsrelated.stream import Progress

    PageList = list[tuple[int, float, str]]
    """The pages of a list, by number, each with its score and a reason."""

FEW_PAGES = 1500
"""Up to this many pages are queried in this process."""
TOGETHER = 25
"""Number of pages sent to a process at a time."""
PATIENCE = 600.0
"""Time limit for those pages, in seconds."""


@dataclass(frozen=True)
class ListPages:
    """A worker's task: compute the lists of some pages, in the order of `kinds`."""

    batch: Batch
    """The query for related pages."""
    allowed: NDArray[bool_]
    """For each page of the graph, whether it may be in a list."""
    kinds: list[str]

    def __call__(self, graph: Graph, pages: list[int]) -> list[tuple[PageList, ...]]:
        lists = {"related": self._related, "backlinks": self._backlinks}
        return list(zip(*(lists[kind](graph, pages) for kind in self.kinds), strict=True))

    def _related(self, graph: Graph, pages: list[int]) -> Iterator[PageList]:
        query_pages = np.array(pages, np.uint32)
        for block in graph.answer_blocks(self.batch, query_pages, allowed=self.allowed):
            for error in block.failed.values():
                raise RelatedError(error)
            yield from block.lists()

    def _backlinks(self, graph: Graph, pages: list[int]) -> Iterator[PageList]:
        for page in pages:
            parents = graph.links_to(page)
            parents = parents[self.allowed[parents] & (parents != page)][: self.batch.limit]
            yield [(parent, 1.0, "It links here.") for parent in parents.tolist()]


def all_lists(
    graph: Graph, pages: SitePages, task: ListPages, progress: Progress | None
) -> Iterator[tuple[int, tuple[PageList, ...]]]:
    """The lists of every page of the site, sorted by address."""
    order = sorted(pages.addresses, key=pages.addresses.__getitem__)
    items = [order[first : first + TOGETHER] for first in range(0, len(order), TOGETHER)]
    answers = run_tasks(graph, task, items, few=FEW_PAGES // TOGETHER, seconds=PATIENCE)
    for number, (some, lists) in enumerate(answers):
        if progress is not None:
            progress("finding related pages", number * TOGETHER, len(order))
        if isinstance(lists, Lost):
            raise RelatedError(f"site: a worker process failed: {lists.reason}.")
        yield from zip(some, lists, strict=True)
