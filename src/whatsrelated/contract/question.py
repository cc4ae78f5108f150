"""One question to a method: the query pages, and everything the method may read."""

from __future__ import annotations

from dataclasses import dataclass, replace
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
    """Every page's score, by page number, and its hub score if the rank has one."""

    @property
    def by(self) -> Configured: ...

    @property
    def scores(self) -> NDArray[Any]: ...

    @property
    def hubs(self) -> NDArray[Any] | None: ...


class RankService(Protocol):
    """The ranks of a graph, for methods that need one; each is read from disk or computed."""

    def ranking(self, by: Any, **options: Any) -> PageScores:
        """The scores of a rank, given as its name with options or as the rank itself."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question to a method: the query pages, and everything the method may read.

    `sites` holds the site number of every page; None if each page is its own site. `stop` holds the
    stop pages, ascending. `ranks` provides the global ranks of the graph.
    """

    store: Store
    pages: tuple[int, ...]
    sites: NDArray[uint32] | None
    stop: NDArray[uint32]
    seed: int = 0
    ranks: RankService | None = None
    weights: tuple[float, ...] = ()
    """The weights of the pages; all are 1 if none are given."""
    away: tuple[int, ...] = ()
    """Pages to move away from."""
    away_weights: tuple[float, ...] = ()

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
        """The question for these pages. If one of them is on the stop list, the list is not used.

        DH99, sec. 2.1.1.
        """
        stop = np.empty(0, np.uint32) if stop is None else stop
        if len(stop) and np.isin(pages, stop).any():
            stop = stop[:0]
        sites = sites_of(store, site_for(store, site, pages))
        return cls(store, pages, sites, stop, seed, ranks)

    @property
    def page(self) -> int:
        """The query page, for methods that take one at a time."""
        return self.pages[0]

    @property
    def is_weighted(self) -> bool:
        """Whether the query is more than one page, or has pages to move away from."""
        return len(self.pages) > 1 or bool(self.away)

    @property
    def shares(self) -> NDArray[float64]:
        """The share of each query page in the query: its weight, divided by their sum."""
        weights = np.array(self.weights or (1.0,) * len(self.pages), np.float64)
        shares: NDArray[float64] = weights / weights.sum()
        return shares

    @property
    def away_share(self) -> float:
        """The weight of the pages to move away from, relative to that of the query pages."""
        return sum(self.away_weights) / sum(self.weights or (1.0,) * len(self.pages))

    def opposite(self) -> Question:
        """The question about the pages to move away from."""
        return replace(self, pages=self.away, weights=self.away_weights, away=(), away_weights=())

    def of_one(self, page: int) -> Question:
        """The question about only one of the query pages."""
        return replace(self, pages=(page,), weights=(), away=(), away_weights=())

    @property
    def deadline(self) -> float:
        """When a method should stop and return what it has: a `time.monotonic()` value, or
        infinity.

        It comes from the limits of this thread.
        """
        return kernels.limits.time_to_stop()

    def rank(self, by: Any, **options: Any) -> PageScores:
        """The scores of all pages by a rank."""
        assert self.ranks is not None, "a question needs the ranks of the graph"
        return self.ranks.ranking(by, **options)

    def without_stop(self, pages: NDArray[uint32]) -> NDArray[uint32]:
        """The pages that are not on the stop list, in their order."""
        return pages[~np.isin(pages, self.stop)] if len(self.stop) else pages

    def answerable(self, pages: NDArray[uint32]) -> NDArray[bool_]:
        """Which of the pages may be results: neither query pages nor stop pages."""
        allowed = np.ones(len(pages), np.bool_)
        for page in (*self.pages, *self.away):
            allowed &= pages != page
        if len(self.stop):
            allowed &= ~np.isin(pages, self.stop)
        return allowed

    def parents(self, page: int, limit: int) -> NDArray[uint32]:
        """The pages that link to a page, without stop pages; only a sample if there are more than
        `limit`.
        """
        parents = self.without_stop(self.store.links_to(page))
        if len(parents) <= limit:
            return parents
        return sample(parents, limit, draw(self.store.url(page), self.seed))

    def is_sample(self, count: int) -> bool:
        """Whether `count` parents of the query page are only a sample of all of them."""
        return count < len(self.without_stop(self.store.links_to(self.page)))


@dataclass(frozen=True, slots=True)
class Questions:
    """One question per page, without a stop list; all use these sites."""

    store: Store
    pages: NDArray[uint32]
    sites: NDArray[uint32] | None
    seed: int

    def draws(self, limit: int) -> NDArray[float64]:
        """For each page with more than `limit` parents, where their sample starts."""
        starts = np.zeros(len(self.pages))
        for place in np.flatnonzero(self.store.in_degree(self.pages) > limit).tolist():
            starts[place] = draw(self.store.url(int(self.pages[place])), self.seed)
        return starts


def site_for(store: Store, site: str, pages: tuple[int, ...]) -> str:
    """Resolve `site` for these pages: `auto` becomes `page` if none of them links to another
    host.
    """
    if site != "auto":
        return site
    if store.auto_site == "page":
        return "page"
    inward = all(store.links.is_inward(store.hosts, page) for page in pages)
    return "page" if inward else store.auto_site


def sites_of(store: Store, site: str) -> NDArray[uint32] | None:
    """The site number of every page; None if each page is its own site."""
    return {"page": None, "host": store.hosts, "domain": store.domains}[site]
