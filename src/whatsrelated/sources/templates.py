"""Template links: targets that stand on most pages of their site.

A link that every page carries (home, imprint, the licence) was put there by a
template, and says nothing of the page that carries it.  On a site of `FEWEST`
pages or more, a target that more than `SHARE` of its pages link to is one.

Which those are is known when the site has been read, and counting every target
would take memory without bound, so they are found by lossy counting (Manku &
Motwani, *Approximate frequency counts over data streams*, VLDB 2002), with a
page as the unit of the stream:

1. count each target once a page; a target that is new at page n is entered with
   the count that it may have had and lost before, `SLACK` · n;
2. every 1/`SLACK` pages, forget the targets whose count, with that, is not above
   `SLACK` · n.

What stands on more than `SHARE` of the pages is never forgotten, and at most
links-per-page / `SLACK` · log targets are held.  Whoever reads the pages again
counts the few candidates exactly.
"""

from __future__ import annotations

from collections.abc import Iterable

SHARE = 0.5
"""A target on more than this share of a site's pages is a template link."""

FEWEST = 20
"""Pages that a site must have before its template links can be recognised."""

SLACK = 0.02
"""Share of the pages by which a count may be short while it is taken."""


class TargetCounts:
    """How many pages of one site link to each target, as far as it matters."""

    def __init__(self) -> None:
        self.pages = 0
        self._counted: dict[str, int] = {}
        self._missed: dict[str, int] = {}

    def add(self, targets: Iterable[str]) -> None:
        """Count the distinct targets of one more page."""
        counted, missed = self._counted, self._missed
        lost = int(SLACK * self.pages)
        for target in targets:
            if target in counted:
                counted[target] += 1
            else:
                counted[target] = 1
                missed[target] = lost
        self.pages += 1
        if int(SLACK * self.pages) > lost:
            self._forget(lost + 1)

    def _forget(self, bound: int) -> None:
        missed = self._missed
        rare = [t for t, count in self._counted.items() if count + missed[t] <= bound]
        for target in rare:
            del self._counted[target], missed[target]

    def __len__(self) -> int:
        return len(self._counted)

    def candidates(self) -> list[str]:
        """The targets that may stand on most pages; no other does."""
        if self.pages < FEWEST:
            return []
        least = SHARE * self.pages
        return [t for t, count in self._counted.items() if count + self._missed[t] > least]
