"""Findings about a site: one class per kind, and one for all findings together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

VERSION = 1


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page with its link counts: in, out, and in from navigation only (None if not counted)."""

    url: str
    title: str | None
    links_in: int
    links_out: int
    navigation: int | None


@dataclass(frozen=True, slots=True)
class LinkPlace:
    """The location of a missing link: a file in the folder, its line and column counted from 1, and
    the words to link.

    `before` and `after` are the rest of the sentence. If there are no words (`anchor`), the page
    does not mention the target. The link then becomes a new line in its "See also" list, or at the
    end of the page.
    """

    file: str
    line: int
    column: int
    anchor: str | None
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class MissingLink:
    """A link that a page lacks but similar pages have.

    `score` is the share of suggestions like this one that were correct in a test on held-out
    links. `place` is known if the text of the page was read.
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
    place: LinkPlace | None = None


@dataclass(frozen=True, slots=True)
class BrokenLink:
    """A link to a page that does not exist; its line and the HTTP status, if they are known."""

    page: str
    line: int | None
    link: str
    status: int | None = None


@dataclass(frozen=True, slots=True)
class RedirectingLink:
    """A link that redirects: its line, if known, the final target and the number of hops.

    A loop has an empty target.
    """

    page: str
    line: int | None
    link: str
    target: str
    hops: int


@dataclass(frozen=True, slots=True)
class PageGroup:
    """Pages that belong together: copies of each other, or linked only among themselves."""

    pages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gaps:
    """All findings about a site; every list except `missing` is complete.

    `missing` has the best of the `suggested` links. No link leads to `orphans`, and only navigation
    leads to `only_navigation`. If navigation was not counted, `orphans` holds both kinds, and a
    note explains that. `unchecked_pages` is the number of pages without any checked link;
    `unchecked_links` counts the unchecked links on all other pages.
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
    suggested: int = 0
    dismissed: int = 0
    notes: list[str] = field(default_factory=list)

    def counts(self) -> dict[str, int | None]:
        """The length of each list; None if it is unknown."""
        return {kind: None if self.is_unknown(kind) else len(getattr(self, kind)) for kind in KINDS}

    def is_unknown(self, kind: str) -> bool:
        """Whether this kind is unknown, because the source does not check links."""
        checked = self.unchecked_pages < self.pages or getattr(self, kind)
        return kind in CHECKED and not checked

    def count(self, kind: str) -> str:
        """The length of a list, as text; for missing links, also the number of suggestions."""
        if self.is_unknown(kind):
            return "unknown"
        length = len(getattr(self, kind))
        if kind == "missing" and length < self.suggested:
            return f"{length:,} of {self.suggested:,}"
        return f"{length:,}"

    def lists(self) -> dict[str, list[Any]]:
        """All lists, with broken and redirecting links grouped by target."""
        listed = {kind: getattr(self, kind) for kind in KINDS}
        return {kind: by_target(all) if kind in CHECKED else all for kind, all in listed.items()}

    def as_dict(self) -> dict[str, Any]:
        """All findings as plain values, for JSON."""
        return {"version": VERSION, "counts": self.counts(), **asdict(self)}


KINDS = {
    "missing": "Missing links",
    "orphans": "Orphans: no links to them",
    "only_navigation": "Pages that only navigation leads to",
    "dead_ends": "Dead ends: no links from them",
    "under_linked": "Under-linked pages",
    "broken": "Broken links",
    "redirects": "Links that redirect",
    "hubs": "Pages with very many links",
    "duplicates": "Near-duplicates",
    "islands": "Pages that link only among themselves",
}
"""The kinds of findings and their headings."""

CHECKED = ("broken", "redirects")
"""The kinds that only some sources report: folders, crawls and archives."""


def by_target(links: Iterable[BrokenLink | RedirectingLink]) -> list[list[Any]]:
    """These links grouped by target, those on the most pages first."""
    groups: dict[str, list[Any]] = {}
    for one in links:
        groups.setdefault(one.link, []).append(one)
    return sorted(groups.values(), key=lambda group: -len(group))
