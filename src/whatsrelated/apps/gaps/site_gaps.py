"""Collect all findings about a site in one pass.

1. The pages of the site are those that were read; pages that are only linked to are outside.
2. Dismissed pages and links are left out.
3. The best `top` missing links are listed, with at most `per_page` on one page and `per_target` to
   one page. The tenth link to the glossary is as valid as the first, but by then the owner has
   decided about such links.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from whatsrelated.api.asking import Decisions, patterns
from whatsrelated.api.limits import check_time
from whatsrelated.apps.gaps.calibration import MAX_ASKED, calibrate, draws_of
from whatsrelated.apps.gaps.findings import (
    BrokenLink,
    Gaps,
    LinkPlace,
    MissingLink,
    PageGroup,
    RedirectingLink,
)
from whatsrelated.apps.gaps.missing import explain, missing_links
from whatsrelated.apps.gaps.pace import Pace
from whatsrelated.apps.gaps.structure import SiteStructure
from whatsrelated.errors import OutOfTime
from whatsrelated.options import Configured, option

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy import bool_
    from numpy.typing import NDArray

    from whatsrelated.api.stores import Store
    from whatsrelated.stream import Progress


class Places(Protocol):
    """Finds the locations for missing links in the text of their pages."""

    def join(
        self,
        ranked: Iterable[tuple[float, int, int]],
        sources: NDArray[bool_],
        targets: NDArray[bool_],
    ) -> Iterable[tuple[float, int, int]]:
        """Missing links from the graph and from mentions, as score, page and target, best first."""

    def link_place(self, page: int, target: int) -> LinkPlace | None:
        """The location for a link from one page to another."""


MIN_SECONDS = 20e-6
"""Minimum time per page; a deadline that leaves less time cannot be met."""


@dataclass(frozen=True)
class GapOptions(Configured):
    """Options for finding gaps."""

    name: ClassVar[str] = "gaps"

    top: int = option(50, "maximum number of missing links to list", low=0)
    per_page: int = option(3, "maximum number of missing links per page", low=1)
    per_target: int = option(5, "maximum number of missing links to the same page", low=1)
    sources: str | None = option(
        None, "pages that may need a link: a glob, re:EXPRESSION, or part of the name", lines=True
    )
    targets: str | None = option(
        None, "pages that a missing link may lead to; patterns as for sources", lines=True
    )
    least: int = option(3, "a page with fewer links to it is under-linked", low=1)


def find_gaps(
    store: Store,
    options: GapOptions,
    ignore: Iterable[str] = (),
    progress: Progress | None = None,
    places: Places | None = None,
) -> Gaps:
    """Suggested fixes for a site; `ignore` has the lines of a file of dismissals.

    `places` finds where each missing link goes in the text of its page.
    """
    try:
        check_time(store.n_pages * MIN_SECONDS)
        return _gaps(SiteStructure(store), options, Decisions(ignore), progress, places)
    except OutOfTime:
        raise OutOfTime(
            f"A report on {store.n_pages:,} pages takes longer than the time limit; raise it, "
            "or run: related gaps GRAPH."
        ) from None


def _gaps(
    site: SiteStructure,
    options: GapOptions,
    dismissals: Decisions,
    progress: Progress | None,
    places: Places | None,
) -> Gaps:
    store = site.store
    pages = np.flatnonzero(site.is_page)
    urls = store.urls(pages.astype(np.uint32))
    shown = np.zeros(store.n_pages, np.bool_)
    shown[pages] = [not dismissals.has_page(url) for url in urls]
    missing, suggested, dismissed = _missing(site, options, dismissals, shown, progress, places)

    def is_wanted(link: BrokenLink | RedirectingLink) -> bool:
        return not dismissals.has_page(link.page) and not dismissals.has_link(link.page, link.link)

    none = shown & (site.in_degrees == 0)
    navigation = site.navigation
    reached = np.zeros(store.n_pages, np.bool_) if navigation is None else navigation > 0
    return Gaps(
        pages=len(pages),
        links=len(site.links[0]),
        missing=missing,
        suggested=suggested,
        orphans=[page for page in site.pages(none & ~reached) if not site.needs_no_link(page.url)],
        only_navigation=site.pages(none & reached),
        dead_ends=site.pages(shown & (site.out_degrees == 0)),
        under_linked=_fewest_first(
            site.pages(shown & (site.in_degrees > 0) & (site.in_degrees < options.least))
        ),
        broken=list(filter(is_wanted, site.broken())),
        redirects=list(filter(is_wanted, site.redirects())),
        hubs=sorted(site.pages(shown & site.is_hub), key=lambda page: -page.links_out),
        duplicates=_without(site.duplicates(), dismissals),
        islands=_without(site.islands(), dismissals),
        unchecked_pages=site.unchecked[0],
        unchecked_links=site.unchecked[1],
        dismissed=dismissed,
        notes=_notes(site),
    )


def _missing(
    site: SiteStructure,
    options: GapOptions,
    dismissals: Decisions,
    shown: NDArray[bool_],
    progress: Progress | None,
    places: Places | None,
) -> tuple[list[MissingLink], int, int]:
    """The best missing links, the number suggested, and the number dismissed."""
    if not options.top:
        return [], 0, 0
    url = site.store.url
    sources = shown & ~site.is_index & _matching(site, options.sources, "from")
    targets = shown & _matching(site, options.targets, "to")
    missing: list[MissingLink] = []
    per_source: Counter[int] = Counter()
    named: Counter[int] = Counter()
    suggested = dismissed = 0
    source_pages, everyone = np.flatnonzero(sources), np.flatnonzero(site.is_page & ~site.is_index)
    trial = draws_of(len(everyone)) * min(len(everyone), MAX_ASKED)
    pace = Pace(trial + len(source_pages), progress)
    formula = calibrate(site, everyone, pace=pace)
    ranked = missing_links(site, source_pages.tolist(), targets, formula, pace)
    for score, page, target in places.join(ranked, sources, targets) if places else ranked:
        if per_source[page] == options.per_page or named[target] == options.per_target:
            continue
        if dismissals.has_link(url(page), url(target)):
            dismissed += 1
            continue
        per_source[page] += 1
        named[target] += 1
        suggested += 1
        if suggested <= options.top:
            place = places.link_place(page, target) if places else None
            missing.append(explain(site, page, target, score, place))
    return missing, suggested, dismissed


def _matching(site: SiteStructure, text: str | None, name: str) -> NDArray[bool_]:
    """Which pages of the site match one of the patterns; all pages if there are none."""
    globs = patterns([text or ""], name)
    if not globs:
        return site.is_page
    chosen = np.zeros(site.store.n_pages, np.bool_)
    pages = np.flatnonzero(site.is_page)
    for page, url in zip(pages.tolist(), site.store.urls(pages.astype(np.uint32)), strict=True):
        chosen[page] = any(pattern.matches(url) for pattern in globs)
    return chosen


def _fewest_first(pages: list[Any]) -> list[Any]:
    return sorted(pages, key=lambda page: page.links_in)


def _without(groups: list[PageGroup], dismissals: Decisions) -> list[PageGroup]:
    """The groups of at least two pages that remain without dismissed pages."""
    remaining = [
        tuple(page for page in group.pages if not dismissals.has_page(page)) for group in groups
    ]
    return [PageGroup(pages) for pages in remaining if len(pages) > 1]


def _notes(site: SiteStructure) -> list[str]:
    notes = []
    pages, links = site.unchecked
    if pages:
        notes.append(
            f"Pages whose links could not be checked: {pages:,}. Their source does not say where "
            "links lead; build from the site's folder, related crawl or a WARC file."
        )
    if links:
        notes.append(
            f"Links that were not checked: {links:,}. They lead to other sites, or to pages that "
            "were not fetched."
        )
    if site.navigation is None:
        notes.append(
            "The source has no navigation links or does not count them, so pages that only "
            "navigation leads to are listed as orphans."
        )
    if count := int(site.is_index.sum()):
        notes.append(
            f"{count:,} pages are indexes or have very many links; no links are suggested for them."
        )
    return notes
