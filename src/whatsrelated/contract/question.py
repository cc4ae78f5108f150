"""One question to a method: the pages, and what a method may read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from whatsrelated import kernels
from whatsrelated.contract.sampling import draw, sample

if TYPE_CHECKING:
    from numpy import bool_, float64, uint32
    from numpy.typing import NDArray

    from whatsrelated.graph import Store
    from whatsrelated.options import Configured


class PageScores(Protocol):
    """A score for every page of the graph, by page number; hub scores if the rank has them."""

    @property
    def by(self) -> Configured: ...

    @property
    def scores(self) -> NDArray[Any]: ...

    @property
    def hubs(self) -> NDArray[Any] | None: ...


class RankService(Protocol):
    """The ranks of a graph, for methods that need one: read or computed."""

    def ranking(self, by: Any, **options: Any) -> PageScores:
        """The scores by a rank: its name with options, or the rank itself."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question to a method: the pages, and what a method may read.

    `sites` has the site number of every page; None if each page is its own site.  `stop` holds
    the stop pages, ascending.  `ranks` provides the global ranks of the graph.
    """

    store: Store
    pages: tuple[int, ...]
    sites: NDArray[uint32] | None
    stop: NDArray[uint32]
    seed: int = 0
    ranks: RankService | None = None

    @classmethod
    def about(
        cls,
        store: Store,
        pages: tuple[int, ...],
        *,
        site: str = "auto",
        stop: NDArray[uint32] | None = None,
        seed: int = 0,
        ranks: RankService | None = None,
    ) -> Question:
        """The question for these pages; the stop list is empty if one of them is on it.

        DH99, sec. 2.1.1.
        """
        stop = np.empty(0, np.uint32) if stop is None else stop
        if len(stop) and np.isin(pages, stop).any():
            stop = stop[:0]
        sites = sites_of(store, site_for(store, site, pages))
        return cls(store, pages, sites, stop, seed, ranks)

    @property
    def page(self) -> int:
        """The query page, for methods that are asked for one at a time."""
        return self.pages[0]

    @property
    def deadline(self) -> float:
        """When a method should stop with what it has: a `time.monotonic()`, or infinity.

        It comes from the limits in force in this thread.
        """
        return kernels.limits.time_to_stop()

    def rank(self, by: Any, **options: Any) -> PageScores:
        """The scores of all pages by a rank."""
        assert self.ranks is not None, "a question needs the ranks of the graph"
        return self.ranks.ranking(by, **options)

    def without_stop(self, pages: NDArray[uint32]) -> NDArray[uint32]:
        """The pages that are not on the stop list, in order."""
        return pages[~np.isin(pages, self.stop)] if len(self.stop) else pages

    def answerable(self, pages: NDArray[uint32]) -> NDArray[bool_]:
        """Which of the pages may be results: neither query pages nor stop pages."""
        allowed = np.ones(len(pages), np.bool_)
        for page in self.pages:
            allowed &= pages != page
        if len(self.stop):
            allowed &= ~np.isin(pages, self.stop)
        return allowed

    def parents(self, page: int, most: int) -> NDArray[uint32]:
        """The pages that link to a page, without stop pages; if more than `most`, a sample."""
        parents = self.without_stop(self.store.links_to(page))
        if len(parents) <= most:
            return parents
        return sample(parents, most, draw(self.store.url(page), self.seed))


@dataclass(frozen=True, slots=True)
class Questions:
    """A question for each of many pages, without a stop list, all with these sites."""

    store: Store
    pages: NDArray[uint32]
    sites: NDArray[uint32] | None
    seed: int

    def draws(self, most: int) -> NDArray[float64]:
        """Where the sample of parents starts, for each page that has more than `most`."""
        starts = np.zeros(len(self.pages))
        for place in np.flatnonzero(self.store.in_degree(self.pages) > most).tolist():
            starts[place] = draw(self.store.url(int(self.pages[place])), self.seed)
        return starts


def site_for(store: Store, site: str, pages: tuple[int, ...]) -> str:
    """`site` for these pages: `auto` means `page` if none of them links to another host."""
    if site != "auto":
        return site
    if store.auto_site == "page":
        return "page"
    inward = all(store.links.is_inward(store.hosts, page) for page in pages)
    return "page" if inward else store.auto_site


def sites_of(store: Store, site: str) -> NDArray[uint32] | None:
    """The site number of every page; None if each page is its own site."""
    return {"page": None, "host": store.hosts, "domain": store.domains}[site]
