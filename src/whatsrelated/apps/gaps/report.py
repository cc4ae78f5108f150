"""The report: one page with the map of the site and every list.

The page is one self-contained file. A short script sorts the tables, but everything can be read
without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from whatsrelated.api.stores import PageAddresses
from whatsrelated.apps.gaps.findings import KINDS, Gaps
from whatsrelated.apps.gaps.picture import PACKAGE, map_of
from whatsrelated.apps.gaps.structure import SiteStructure
from whatsrelated.contract.markup import render_report

if TYPE_CHECKING:
    from whatsrelated.api.stores import Store

MAX_ROWS = 2000
"""Maximum number of rows per table; --json has all."""


def report(store: Store, gaps: Gaps, name: str, open_with: str | None = None) -> str:
    """The whole report as a page; `open_with` is the template of addresses of a folder's pages."""
    opens = PageAddresses(store, lambda file, name: file.as_uri(), open_with)
    return render_report(
        PACKAGE,
        "gaps.html",
        title=f"What to fix: {name}",
        verb="gaps",
        gaps=gaps,
        kinds=KINDS,
        lists=gaps.lists(),
        opens=opens,
        map=map_of(SiteStructure(store)),
        most_rows=MAX_ROWS,
    )
