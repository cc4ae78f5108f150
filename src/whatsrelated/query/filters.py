"""Filters on an answer: known pages, the same site or folder, names, near-duplicates.

Filters never change how pages are found or ordered. Rejected pages are skipped, and the list is
filled with the next ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from whatsrelated import kernels
from whatsrelated.contract.candidates import Candidates, order
from whatsrelated.contract.strength import GRADES
from whatsrelated.names.hosts import host_of
from whatsrelated.names.lookup import ancestors, slash_twin
from whatsrelated.options import Configured, declared_options, option
from whatsrelated.query.patterns import patterns
from whatsrelated.vicinity.duplicates import NEAR_DUPLICATE

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy import int64, uint32
    from numpy.typing import NDArray

    from whatsrelated.graph.store import Store
    from whatsrelated.query.decisions import PairDecisions

APPLIED_ELSEWHERE = ("external", "min_strength")
"""Options without a sieve: `external` only switches a filter off, and `min_strength` applies to
scores.
"""


@dataclass(frozen=True)
class Filters(Configured):
    """The pages to leave out of an answer."""

    name: ClassVar[str] = "related"

    min_strength: float | str = option(
        0.0,
        "leave out pages with a lower strength, from 0 to 1, or a word for it",
        low=0,
        high=1,
        words=tuple(GRADES),
        common=True,
    )
    known: str | tuple[str, ...] | None = option(
        None,
        "leave out pages that you know: a file of names, one per line; over HTTP, known=NAME",
        also=lambda known: isinstance(known, tuple),
        common=True,
    )
    pairs: str | None = option(
        None,
        "a file of pairs: never show the second page for the first, or with + in front, always "
        "show it first",
        common=True,
        only_read=True,
    )
    new: bool = option(False, "leave out pages that the page links to", common=True)
    unlinked: bool = option(
        False,
        "leave out pages that the page links to, or that link to it",
        formerly=("strangers",),
    )
    other_site: bool = option(
        False, "leave out pages on the same host (the same domain with site=domain)", common=True
    )
    other_folder: bool = option(
        False, "leave out pages in the same folder or below it, and the pages above it"
    )
    internal: bool = option(
        False, "return only pages on the same host; for a plain name, only plain names"
    )
    external: bool = option(
        False, "include pages outside the folder, which a folder's graph leaves out", common=True
    )
    distinct: bool = option(False, "leave out near-duplicates of better results")
    only: str | None = option(
        None,
        "return only pages whose name matches: a glob, re:EXPRESSION, or part of the name",
        lines=True,
        common=True,
        only_read=True,
    )
    without: str | None = option(
        None,
        "leave out pages whose name matches, as for only",
        lines=True,
        common=True,
        only_read=True,
    )

    def in_force(self, store: Store) -> list[str]:
        """The names of the active filters."""
        fields = [field for field in declared_options(Filters) if field not in APPLIED_ELSEWHERE]
        chosen = [field for field in fields if getattr(self, field)]
        return [*chosen, "not external"] if self.only_own_pages(store) else chosen

    def only_own_pages(self, store: Store) -> bool:
        """Whether to return only pages of the folder."""
        return store.is_site and not self.external


class Sieve:
    """The filters of one question, ready to use."""

    def __init__(
        self,
        filters: Filters,
        store: Store,
        queries: Collection[int],
        sites: NDArray[uint32],
        allowed: NDArray[np.bool_] | None = None,
        known: NDArray[uint32] | None = None,
        chosen: PairDecisions | None = None,
    ) -> None:
        self.filters, self.store, self.queries, self.sites = filters, store, queries, sites
        self.allowed, self.known, self.chosen = allowed, known, chosen
        self.only = patterns([filters.only or ""], "only")
        self.without = patterns([filters.without or ""], "without")

    def select(self, candidates: Candidates, limit: int) -> NDArray[int64]:
        """The positions of the best pages that pass, at most `limit`, best first."""
        ranked = order(candidates, self.store.links)
        ranked = ranked[self._pass_by_number(candidates.pages[ranked])]
        selected: list[int] = []
        for position in ranked.tolist():
            kernels.limits.check()
            page = int(candidates.pages[position])
            if self._passes_by_name(page) and self._is_distinct(page, candidates.pages[selected]):
                selected.append(position)
                if len(selected) == limit:
                    break
        return np.array(selected, np.int64)

    def _pass_by_number(self, pages: NDArray[uint32]) -> NDArray[np.bool_]:
        """Which pages pass the filters that do not use names."""
        passing = np.ones(len(pages), np.bool_)
        if self.allowed is not None:
            passing = self.allowed[pages]
        elif self.filters.only_own_pages(self.store):
            passing = self.store.is_read(pages)
        if self.known is not None:
            passing &= ~np.isin(pages, self.known)
        for query in self.queries:
            if self.filters.new or self.filters.unlinked:
                passing &= ~np.isin(pages, self.store.links_from(query))
            if self.filters.unlinked:
                passing &= ~np.isin(pages, self.store.links_to(query))
            if self.filters.other_site:
                passing &= self.sites[pages] != self.sites[query]
        return passing

    def _passes_by_name(self, page: int) -> bool:
        """Whether a page passes the filters that need its name."""
        filters = self.filters
        if not (
            self.only or self.without or self.chosen or filters.other_folder or filters.internal
        ):
            return True
        name = self.store.url(page)
        if self.chosen and not self.chosen.allows(self._names, name):
            return False
        if self.filters.internal and host_of(name) not in self._hosts:
            return False
        if self.filters.other_folder and (
            name in self._above or any(name.startswith(folder) for folder in self._folders)
        ):
            return False
        if self.only and not any(pattern.matches(name) for pattern in self.only):
            return False
        return not any(pattern.matches(name) for pattern in self.without)

    @cached_property
    def _names(self) -> list[str]:
        """The names of the query pages."""
        return [self.store.url(query) for query in self.queries]

    @cached_property
    def _hosts(self) -> set[str | None]:
        """The hosts of the query pages; plain names have none."""
        return set(map(host_of, self._names))

    @cached_property
    def _folders(self) -> list[str]:
        """The folders of the query pages; a plain name without a slash has none."""
        cut = [name.partition("?")[0].rpartition("/") for name in self._names]
        return [folder + slash for folder, slash, _ in cut if slash]

    @cached_property
    def _above(self) -> set[str]:
        """The pages above the query pages, with and without a trailing slash."""
        higher = {above for name in self._names for above in ancestors(name)}
        return higher | {twin for name in higher if (twin := slash_twin(name))}

    def _is_distinct(self, page: int, better: NDArray[uint32]) -> bool:
        """Whether a page is not a near-duplicate of a better one."""
        if not self.filters.distinct or not len(better):
            return True
        unlike = kernels.duplicates.first_unlike(
            self.store.links, page, better, len(better), None, NEAR_DUPLICATE
        )
        return len(unlike) == len(better)
