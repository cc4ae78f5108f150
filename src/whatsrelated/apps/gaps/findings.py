"""What was found out about a site: one value for each finding, and all of them together."""

from __future__ import annotations

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
    """A link to a page of the site that is not there; `line` where it is known."""

    page: str
    line: int | None
    link: str


@dataclass(frozen=True, slots=True)
class PageGroup:
    """Pages that belong together: copies of one another, or linked among themselves alone."""

    pages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gaps:
    """All that was found out about a site; the lists are whole, but for `missing`.

    `orphans` have no link to them at all, `only_navigation` none but those of navigation;
    where navigation was not counted, all are in `orphans` and a note says so.
    """

    pages: int
    links: int
    missing: list[MissingLink] = field(default_factory=list)
    orphans: list[SitePage] = field(default_factory=list)
    only_navigation: list[SitePage] = field(default_factory=list)
    dead_ends: list[SitePage] = field(default_factory=list)
    under_linked: list[SitePage] = field(default_factory=list)
    broken: list[BrokenLink] = field(default_factory=list)
    hubs: list[SitePage] = field(default_factory=list)
    duplicates: list[PageGroup] = field(default_factory=list)
    islands: list[PageGroup] = field(default_factory=list)
    dismissed: int = 0
    notes: list[str] = field(default_factory=list)

    def counts(self) -> dict[str, int]:
        """How long each list is."""
        lists = {name: getattr(self, name) for name in self.__slots__}
        return {name: len(found) for name, found in lists.items() if name in KINDS}

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
    "hubs": "Pages with very many links",
    "duplicates": "Near-duplicates",
    "islands": "Pages that link only among themselves",
}
"""The kinds of findings, and their headings."""
