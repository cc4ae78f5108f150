"""What was found out about a site: one value for each finding, and all of them together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

VERSION = 1


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page with its links: to it, from it, and to it by navigation alone (None: not counted)."""

    url: str
    title: str | None
    links_in: int
    links_out: int
    navigation: int | None


@dataclass(frozen=True, slots=True)
class MissingLink:
    """A link that a page does not have and that pages like it have.

    `score` is how often such a link was a true one where links had been taken away.
    """

    source: str
    source_title: str | None
    target: str
    target_title: str | None
    score: float
    reason: str
    peers_linking: int
    peers: int
    links_back: bool
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BrokenLink:
    """A link to a page that does not exist; its line and the HTTP status, if they are known."""

    page: str
    line: int | None
    link: str
    status: int | None = None


@dataclass(frozen=True, slots=True)
class RedirectingLink:
    """A link to an address that redirects: where it ends, after so many hops.

    A loop ends nowhere: its target is empty.
    """

    page: str
    link: str
    target: str
    hops: int


@dataclass(frozen=True, slots=True)
class PageGroup:
    """Pages that belong together: copies of one another, or linked among themselves alone."""

    pages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gaps:
    """What was found on a site; the lists are complete, except `missing`.

    No link leads to `orphans`, and only navigation to `only_navigation`; if navigation was not
    counted, all of them are in `orphans` and a note says so.  Of `unchecked_pages` no link was
    checked; of the other pages, `unchecked_links` were not.
    """

    pages: int
    links: int
    missing: list[MissingLink] = field(default_factory=list)
    orphans: list[SitePage] = field(default_factory=list)
    only_navigation: list[SitePage] = field(default_factory=list)
    dead_ends: list[SitePage] = field(default_factory=list)
    under_linked: list[SitePage] = field(default_factory=list)
    broken: list[BrokenLink] = field(default_factory=list)
    redirects: list[RedirectingLink] = field(default_factory=list)
    hubs: list[SitePage] = field(default_factory=list)
    duplicates: list[PageGroup] = field(default_factory=list)
    islands: list[PageGroup] = field(default_factory=list)
    unchecked_pages: int = 0
    unchecked_links: int = 0
    dismissed: int = 0
    notes: list[str] = field(default_factory=list)

    def counts(self) -> dict[str, int | None]:
        """The length of each list; None if it is unknown."""
        return {kind: None if self.is_unknown(kind) else len(getattr(self, kind)) for kind in KINDS}

    def is_unknown(self, kind: str) -> bool:
        """Whether nobody looked for this kind: the source does not say where links lead."""
        checked = self.unchecked_pages < self.pages or getattr(self, kind)
        return kind in CHECKED and not checked

    def count(self, kind: str) -> str:
        """The length of a list for people."""
        return "unknown" if self.is_unknown(kind) else f"{len(getattr(self, kind)):,}"

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain values, as JSON has it."""
        return {"version": VERSION, "counts": self.counts(), **asdict(self)}


KINDS = {
    "missing": "Missing links",
    "orphans": "Orphans: no link leads here",
    "only_navigation": "Pages that only navigation leads to",
    "dead_ends": "Dead ends: no link leads on",
    "under_linked": "Under-linked pages",
    "broken": "Broken links",
    "redirects": "Links that redirect",
    "hubs": "Pages with very many links",
    "duplicates": "Near-duplicates",
    "islands": "Pages that link only among themselves",
}
"""The kinds of findings, and their headings."""

CHECKED = ("broken", "redirects")
"""The kinds that only some sources can tell: folders, crawls and archives."""


def by_target(links: Iterable[BrokenLink | RedirectingLink]) -> list[list[Any]]:
    """The same links, grouped by where they lead: those that most pages have first."""
    groups: dict[str, list[Any]] = {}
    for one in links:
        groups.setdefault(one.link, []).append(one)
    return sorted(groups.values(), key=lambda group: -len(group))
