"""Template links and copies of pages, found after all pages have been read.

A page that declares another as canonical, or redirects to it, is a copy. Links to the copy lead to
the original, and the copy's links count only if the original was not read. A canonical address
shared by most pages of a site is a mistake in its template and is ignored. So is an unread address
in another domain; otherwise anyone could put links on someone else's page.

Memory: a counter per site, and an entry per copy and per page in navigation, up to
`MAX_NAVIGATION` of these. The pages are in a spool, which is read several times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from whatsrelated.names.hosts import domain_of, host_of
from whatsrelated.sources.html import OUTSIDE
from whatsrelated.sources.page_reader import as_page
from whatsrelated.sources.templates import FEWEST_UNPLACED, SHARE, template_links
from whatsrelated.stream import CheckedLinks, Page

if TYPE_CHECKING:
    from whatsrelated.sources.page_records import PageRecord

MAX_NAVIGATION = 1 << 21
"""Maximum number of pages in navigation (about 200 MB); beyond that, navigation is not counted."""

Spool = Iterable["PageRecord"]
"""Pages that can be iterated repeatedly, in the same order."""


class PageSet:
    """The pages of a source, and their relations: copies, redirects, templates."""

    has_files = False
    """Whether each page is a file of a folder."""

    def __init__(self) -> None:
        self.sizes: Counter[str] = Counter()
        self._same_as: dict[str, str] = {}
        self._redirects: dict[str, str] = {}
        self._templates: dict[str, set[Hashable]] = {}
        self._navigation: Counter[str] | None = Counter()
        self._finals: dict[str, str] = {}
        self._originals: set[str] = set()

    def add(self, page: PageRecord) -> None:
        """Count a page of the spool."""
        self.sizes[_site(page)] += 1
        if page.same_as:
            self._same_as[page.name] = page.same_as
        if self._navigation is not None:
            self._navigation.update(page.navigation)
            if len(self._navigation) > MAX_NAVIGATION:
                self._navigation = None

    def add_redirect(self, name: str, target: str) -> None:
        """Add an address that is not a page but redirects to one."""
        if name != target:
            self._redirects[name] = target

    def find_templates(self, spool: Spool) -> None:
        """Find the links that templates put on pages."""
        self._templates = template_links(_SiteLinks(spool, self.sizes), self.sizes)
        if self._navigation is not None:
            for page in spool:
                self._navigation.update(self._template_links(page))

    def _template_links(self, page: PageRecord) -> frozenset[str]:
        """A page's targets that only template links lead to."""
        templates = self._templates.get(_site(page), set[Hashable]())
        if not page.places:
            return frozenset(page.links) & templates
        return frozenset(
            target
            for target, places in zip(page.links, page.places, strict=True)
            if all(
                place == OUTSIDE
                or (target, place) in templates
                or (label in templates and (target, -label) not in templates)
                for place, label in places
            )
        )

    def find_copies(self, spool: Spool) -> None:
        """Decide which pages are copies, and find out which originals were read."""
        same_as = {
            name: same
            for name, original in self._believed().items()
            if (same := self.local(original)) != name
        }
        foreign = {same for name, same in same_as.items() if not _same_domain(name, same)}
        if foreign:
            read = {page.name for page in spool if page.name in foreign}
            same_as = {
                name: same
                for name, same in same_as.items()
                if same not in foreign or same in read or _same_domain(name, same)
            }
        same_as |= {name: self.local(target) for name, target in self._redirects.items()}
        self._finals = resolve_copies(same_as)
        originals = frozenset(self._finals.values())
        if originals:
            self._originals = {page.name for page in spool if page.name in originals}

    def _believed(self) -> dict[str, str]:
        claimed = Counter((host_of(name) or "", to) for name, to in self._same_as.items())
        believed = {}
        for name, original in self._same_as.items():
            site = host_of(name) or ""
            pages = self.sizes[site]
            if pages < FEWEST_UNPLACED or claimed[site, original] <= SHARE * pages:
                believed[name] = original
        return believed

    def pages(self, spool: Spool, counts: Counter[str]) -> Iterator[Page]:
        """The pages with their remaining links, each leading to the final page."""
        navigation = self._navigation_by_page()
        for page in spool:
            name = self._final(page.name)
            if name != page.name:
                counts["copies of other pages"] += 1
                if name in self._originals:
                    continue
            templates = self._template_links(page)
            links: dict[str, str] = {}
            for number, target in enumerate(page.links):
                if target in templates:
                    counts["template links left out"] += 1
                    continue
                final = self.final(target)
                if final != name and final not in links:
                    links[final] = page.anchors[number] if page.anchors else ""
            counts["links"] += len(links)
            known: dict[str, Any] = {} if navigation is None else {"navigation": navigation[name]}
            known["file"] = page.path if self.has_files else None
            yield as_page(page, name, links, checked=self.check(page, links), **known)

    def check(self, page: PageRecord, links: Collection[str]) -> CheckedLinks | None:
        """The results of checking a page's links; None if the source cannot check them."""
        return None

    def _navigation_by_page(self) -> Counter[str] | None:
        """How many pages link to each page only in navigation; None if there are too many."""
        if self._navigation is None:
            return None
        counts: Counter[str] = Counter()
        for name, count in self._navigation.items():
            counts[self.final(name)] += count
        return counts

    def final(self, target: str) -> str:
        """The page that a link finally leads to."""
        return self._final(self.local(target))

    def local(self, name: str) -> str:
        """The name that the source uses for an address."""
        return name

    def _final(self, name: str) -> str:
        """The page of a name, after copies and redirects."""
        return self._finals.get(name, name)


class _SiteLinks:
    """Each page's site and the keys of its links; can be iterated repeatedly.

    Each link has three keys: its target with its place, its label, and both target and label. The
    sign distinguishes labels from places.
    """

    def __init__(self, spool: Spool, sizes: Mapping[str, int]) -> None:
        self._spool = spool
        self._sizes = sizes

    def __iter__(self) -> Iterator[tuple[str, list[Hashable]]]:
        for page in self._spool:
            site = _site(page)
            keys: set[Hashable] = set()
            if page.places:
                for target, places in zip(page.links, page.places, strict=True):
                    for place, label in places:
                        keys.add((target, place))
                        if label:
                            keys.update((label, (target, -label)))
            elif self._sizes[site] >= FEWEST_UNPLACED:
                keys.update(page.links)
            yield site, list(keys)


def _site(page: PageRecord) -> str:
    return host_of(page.name) or ""


def _same_domain(name: str, other: str) -> bool:
    """Whether two names have the same owner; plain names belong to their source."""
    first, second = host_of(name), host_of(other)
    return first is None or second is None or domain_of(first) == domain_of(second)


def resolve_copies(same_as: Mapping[str, str]) -> dict[str, str]:
    """The original of each copy, through copies of copies; in a loop, the first by name."""
    originals: dict[str, str] = {}
    for name in same_as:
        passed: dict[str, None] = {}
        while name in same_as and name not in originals and name not in passed:
            passed[name] = None
            name = same_as[name]
        if name in passed:
            circle = list(passed)
            name = min(circle[circle.index(name) :])
        originals.update(dict.fromkeys(passed, originals.get(name, name)))
    return originals
