"""Gather the pages around a query, and the graph of the links between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated import kernels
from whatsrelated.kernels.scratch import scratch_of

if TYPE_CHECKING:
    from numpy import float64, int64, uint8, uint32
    from numpy.typing import NDArray

    from whatsrelated.contract.question import Question

QUERY, PARENT, SIBLING, CHILD, COPARENT = 1, 2, 4, 8, 16
"""The roles of a page in a vicinity, as bits."""


class Gathering:
    """Collects the pages around a query, each with its roles.

    Stop pages are left out. The memory belongs to the thread, so only one gathering can be active
    at a time.
    """

    def __init__(self, question: Question, expected: int) -> None:
        self.question = question
        self.store = question.store
        self.scratch = scratch_of(kernels.vicinity.Vicinity)
        self.scratch.clear(min(expected, self.store.n_pages))

    def add(self, pages: NDArray[uint32], role: int) -> None:
        self.scratch.add(pages, role, self.question.stop)

    def add_windows(self, page: int, parents: NDArray[uint32], width: int | str) -> None:
        """Add as siblings the pages that the parents link to around their link to the page."""
        links = -1 if width == "all" else int(width)
        self.scratch.add_windows(
            self.store.links, page, parents, links, SIBLING, self.question.stop
        )

    def add_best_parents(self, pages: NDArray[uint32], limit: int) -> None:
        """Add the parents of each page with the highest in-degree."""
        self.scratch.add_best_parents(
            self.store.links,
            pages,
            limit,
            COPARENT,
            self.question.stop,
            np.empty(0, np.uint32),
        )

    def vicinity(self) -> VicinityGraph:
        """The pages, and the links between those on different sites."""
        pages, roles = self.scratch.members()
        numbers, starts, targets = self.scratch.graph(self.store.links, self.question.sites)
        names = np.arange(len(pages), dtype=np.uint32)
        return VicinityGraph(self.question, pages, roles, numbers, names, starts, targets)


@dataclass(frozen=True, slots=True)
class VicinityGraph:
    """A small graph around a query. A page is identified by its position in `pages`.

    The links of page p are targets[starts[p]:starts[p + 1]]. `sites` holds site numbers; None if
    every page is its own site. After near-duplicates are merged (DH99, sec. 2.1.2), `names` maps
    each position to that of the page that represents it: a query page if there is one, otherwise
    the page with the highest in-degree. It gets the links of all merged pages, at most one to each
    other name.
    """

    question: Question
    pages: NDArray[uint32]
    roles: NDArray[uint8]
    sites: NDArray[uint32] | None
    names: NDArray[uint32]
    starts: NDArray[int64]
    targets: NDArray[uint32]

    def edge_weights(self) -> tuple[NDArray[float64], NDArray[float64]]:
        """The authority weight and the hub weight of every link (BH98)."""
        if self.sites is None:
            ones = np.ones(len(self.targets))
            return ones, ones
        return kernels.edges.edge_weights(self.starts, self.targets, self.sites)

    def links_to(self, place: int) -> NDArray[int64]:
        """The positions in `targets` of the links to a page."""
        return np.flatnonzero(self.targets == place)

    def sources(self, links: NDArray[int64]) -> NDArray[int64]:
        """The pages these links come from."""
        return np.searchsorted(self.starts, links, side="right").astype(np.int64) - 1
