"""Decisions by a site's owner: pairs of pages that are never or always listed.

`whatsrelated.query.decisions` describes the file format.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.api.asking import Decisions, read_decisions
from whatsrelated.errors import OptionError

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

    from whatsrelated.apps.site.lists import PageList
    from whatsrelated.apps.site.pages import SitePages

PINNED = "The owner of the site chose it."


class Curation:
    """The decisions in a file, for the pages of a site."""

    def __init__(self, pages: SitePages, file: str | None) -> None:
        decided = Decisions(read_decisions(file) if file else ())
        names = {page: pages.store.url(page) for page in pages.addresses} if file else {}
        numbers = {name: page for page, name in names.items()}
        self.barred: NDArray[bool_] = np.zeros(pages.store.n_pages, np.bool_)
        self.barred[[page for page, name in names.items() if decided.has_page(name)]] = True
        self._never = {
            page: never
            for page, name in names.items()
            if (never := decided.targets_of(name, numbers))
        }
        self._pins: dict[int, list[int]] = {}
        for source, target in decided.pins:
            for name in (source, target):
                if name not in numbers:
                    raise OptionError(
                        f"site: {file} pins {name!r:.200}, which is not a page of the site; "
                        "write its path or URL as it appears on the site."
                    )
            self._pins.setdefault(numbers[source], []).append(numbers[target])

    @property
    def most_removed(self) -> int:
        """The largest number of results that `apply` removes from a list."""
        return max(map(len, self._never.values()), default=0)

    def apply(self, page: int, listed: PageList) -> PageList:
        """A page's list, with pinned pages first and without pages that must never be listed."""
        pinned = self._pins.get(page, [])
        gone = {*self._never.get(page, ()), *pinned}
        kept = [result for result in listed if result[0] not in gone]
        return [(pin, 1.0, PINNED) for pin in pinned] + kept
