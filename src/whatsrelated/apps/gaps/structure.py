"""Find pages that are hard to reach or to leave, from link counts.

Only links between different pages of the site count, that is, pages that were read. Navigation
links do not count, but are reported if the source counted them.

1. An orphan has no links to it. A page that only navigation leads to is listed separately. A site's
   start page, search page and error page do not need links.
2. A dead end has no links to other pages of the site.
3. An under-linked page has some links to it, but fewer than 3.
4. A hub has far more links than others: at least 20, and more than Tukey's fence. The fence is
   computed on the logarithms of the link counts: the upper quartile plus 1.5 times the distance
   between the quartiles, or plus 0.75 if that is more. An index, a table of contents or a list of
   tags is a hub, whatever its name. A part of an index that is not longer than other pages is
   recognised by its name.
5. Near-duplicates are DH99's (sec. 2.1.2).
6. An island is a group of pages that is not connected with the largest group.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.api.stores import BROKEN, NAVIGATION, REDIRECTS, UNCHECKED, near_duplicates
from whatsrelated.apps.gaps.findings import BrokenLink, PageGroup, RedirectingLink, SitePage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy import bool_, int64, uint32
    from numpy.typing import NDArray

    from whatsrelated.api.stores import Store

FENCE, MIN_SPREAD, FEWEST_LINKS = 1.5, 0.5, 20
_INDEX = re.compile(
    r"(?:^|/)(?:gen-?index[^/]*|(?:py-)?modindex|index-(?:all|[0-9]+|[a-z])|search|contents|sitemap"
    r"|tags?|categor(?:y|ies)|archives?|404)(?:\.\w+)?/?$|(?:^|/)(?:tags?|categor(?:y|ies))/[^/]+/?$",
    re.I,
)
"""Names of pages that consist of lists: indexes, searches, tags, archives."""
_REACHED = re.compile(
    r"(?:(?:index|readme|home|default)(?:\.\w+)?)?|(?:.*/)?(?:404|search)(?:\.\w+)?", re.I
)
"""Names of pages that nothing needs to link to."""


@dataclass(frozen=True)
class SiteStructure:
    """The pages of a graph that were read, and the links between them."""

    store: Store

    @cached_property
    def is_page(self) -> NDArray[bool_]:
        """Which pages of the graph were read."""
        return self.store.is_read(np.arange(self.store.n_pages))

    @cached_property
    def ends(self) -> tuple[NDArray[int64], NDArray[int64]]:
        """Sources and targets of all links, by source."""
        offsets = self.store.out_offsets.astype(np.int64)
        sources = np.repeat(np.arange(self.store.n_pages, dtype=np.int64), np.diff(offsets))
        return sources, np.asarray(self.store.out_links, np.int64)

    @cached_property
    def links(self) -> tuple[NDArray[int64], NDArray[int64]]:
        """Sources and targets of all links between pages of the site."""
        sources, targets = self.ends
        inside = self.is_page[sources] & self.is_page[targets]
        return sources[inside], targets[inside]

    @cached_property
    def out_degrees(self) -> NDArray[int64]:
        return np.bincount(self.links[0], minlength=self.store.n_pages)

    @cached_property
    def in_degrees(self) -> NDArray[int64]:
        return np.bincount(self.links[1], minlength=self.store.n_pages)

    @cached_property
    def navigation(self) -> NDArray[int64] | None:
        """How many pages link to each page only from navigation; None if not counted."""
        column = self.store.column(NAVIGATION)
        if column is None:
            return None
        counts = np.zeros(self.store.n_pages, np.int64)
        for page in np.flatnonzero(self.is_page).tolist():
            counts[page] = _number(column.text_of(page)) or 0
        return counts

    @cached_property
    def unchecked(self) -> tuple[int, int]:
        """The number of pages without any checked link, and the number of unchecked links on all
        others.
        """
        column = self.store.column(UNCHECKED)
        pages = np.flatnonzero(self.is_page).tolist()
        counts = [_number(column.text_of(page)) if column else None for page in pages]
        return counts.count(None), sum(filter(None, counts))

    @cached_property
    def is_index(self) -> NDArray[bool_]:
        """Which pages are lists: hubs, and pages that are recognised by name."""
        is_list = self.is_hub.copy()
        pages = np.flatnonzero(self.is_page)
        urls = self.store.urls(pages.astype(np.uint32))
        is_list[pages] |= np.array([bool(_INDEX.search(url)) for url in urls], np.bool_)
        return is_list

    @cached_property
    def is_hub(self) -> NDArray[bool_]:
        """Which pages have far more links than others."""
        degrees = self.out_degrees
        some = np.log(degrees[degrees > 0])
        if not len(some):
            return np.zeros(len(degrees), np.bool_)
        low, high = np.percentile(some, [25, 75])
        fence = np.exp(high + FENCE * max(high - low, MIN_SPREAD))
        return np.asarray(degrees > max(fence, FEWEST_LINKS))

    def needs_no_link(self, url: str) -> bool:
        """Whether visitors reach a page without links: start page, search, error page."""
        path = url.partition("://")[2].partition("/")[2] if "://" in url else url
        base = str(self.store.manifest["built"].get("options", {}).get("base_url") or "")
        return bool(_REACHED.fullmatch(path)) or url.rstrip("/") == base.rstrip("/")

    def pages(self, chosen: NDArray[bool_]) -> list[SitePage]:
        """These pages of the site, with their link counts."""
        return [self.page(page) for page in np.flatnonzero(chosen & self.is_page).tolist()]

    def page(self, page: int) -> SitePage:
        return SitePage(
            self.store.url(page),
            self.store.title(page),
            int(self.in_degrees[page]),
            int(self.out_degrees[page]),
            None if self.navigation is None else int(self.navigation[page]),
        )

    def broken(self) -> Iterator[BrokenLink]:
        """The links to pages that do not exist, as the source listed them, page by page."""
        for page, (line, link, status) in self._rows(BROKEN, 3):
            yield BrokenLink(page, _number(line), link, _number(status))

    def redirects(self) -> Iterator[RedirectingLink]:
        """The links that redirect, as the source listed them, page by page."""
        for page, (link, target, hops, line) in self._rows(REDIRECTS, 4):
            yield RedirectingLink(page, _number(line), link, target, _number(hops) or 0)

    def _rows(self, name: str, cells: int) -> Iterator[tuple[str, list[str]]]:
        """The rows of a column, each with its page, padded to `cells` cells."""
        column = self.store.column(name)
        if column is None:
            return
        for page in np.flatnonzero(self.is_page).tolist():
            for row in column.text_of(page).splitlines():
                yield self.store.url(page), (row.split("\t") + [""] * cells)[:cells]

    def duplicates(self) -> list[PageGroup]:
        """Groups of near-duplicates, largest first."""
        pages = np.flatnonzero(self.is_page).astype(np.uint32)
        return self._groups(pages, near_duplicates(self.store, pages))

    def islands(self) -> list[PageGroup]:
        """Connected groups of pages except the largest one, in order of size."""
        groups = connected(self.store.n_pages, *self.links)
        pages = np.flatnonzero(self.is_page).astype(np.uint32)
        return self._groups(pages, groups[pages])[1:]

    def _groups(self, pages: NDArray[uint32], groups: NDArray[uint32]) -> list[PageGroup]:
        """Groups of at least two pages: by size, then by their first page."""
        order = np.argsort(groups, kind="stable")
        starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
        parts = np.split(pages[order], starts[1:])
        large = sorted((part for part in parts if len(part) > 1), key=lambda p: (-len(p), p[0]))
        return [PageGroup(tuple(self.store.urls(part))) for part in large]


def connected(n_pages: int, sources: NDArray[int64], targets: NDArray[int64]) -> NDArray[uint32]:
    """For each page, the first page connected with it in either direction."""
    first = np.arange(n_pages, dtype=np.int64)
    while True:
        before = first.copy()
        lowest = np.minimum(first[sources], first[targets])
        np.minimum.at(first, first[sources], lowest)
        np.minimum.at(first, first[targets], lowest)
        first = first[first]
        if np.array_equal(first, before):
            return first.astype(np.uint32)


def _number(text: str) -> int | None:
    """A number from text; None if the text is far too long."""
    return int(text) if text.isdecimal() and len(text) < 10 else None
