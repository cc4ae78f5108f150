"""What a build stores of a page besides its links: title, anchor texts, faults, words."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from whatsrelated.graph import terms
from whatsrelated.graph.plan import Column
from whatsrelated.names.canonical import BadName

if TYPE_CHECKING:
    from collections.abc import Iterable

    from whatsrelated.names.naming import Naming
    from whatsrelated.stream import Page

NAVIGATION, BROKEN, REDIRECTS, UNCHECKED = "navigation", "broken", "redirects", "unchecked"
"""The columns of what a source found besides links that count."""


def columns(naming: Naming, text: bool = False) -> dict[str, Column]:
    """What a build stores of a page besides its links; its words only with `text`."""

    def anchors_of(page: Page) -> bytes | None:
        """A line for each link that has a text: its URL, a tab, the text."""
        if not page.anchors:
            return None
        lines = []
        for link, text in zip(page.links, page.anchors, strict=True):
            with contextlib.suppress(BadName):
                lines.append(f"{naming(link)}\t{' '.join(text.split())}" if text else "")
        return "\n".join(filter(None, lines)).encode("utf-8", "replace") or None

    always: dict[str, Column] = {
        "titles": title_of,
        "anchors": anchors_of,
        NAVIGATION: navigation_of,
        BROKEN: broken_of,
        REDIRECTS: redirects_of,
        UNCHECKED: unchecked_of,
    }
    return {**always, terms.COLUMN: terms.terms_of} if text else always


def title_of(page: Page) -> bytes | None:
    """A page's title as one line."""
    if page.title is None:
        return None
    return " ".join(page.title.split()).encode("utf-8", "replace")


def navigation_of(page: Page) -> bytes | None:
    """How many pages link to it by navigation alone."""
    return None if page.navigation is None else b"%d" % page.navigation


def broken_of(page: Page) -> bytes | None:
    """A row for each broken link: its line in the file, where it leads, its HTTP status."""
    return _rows(page.checked.broken) if page.checked else None


def redirects_of(page: Page) -> bytes | None:
    """A row for each link that redirects: where it leads, where it ends, the hops between."""
    return _rows(page.checked.redirects) if page.checked else None


def unchecked_of(page: Page) -> bytes | None:
    """How many of its links nobody checked; a page without this is unchecked as a whole."""
    return b"%d" % page.checked.unchecked if page.checked else None


def _rows(rows: Iterable[Iterable[int | str | None]]) -> bytes | None:
    """Rows of cells, with tabs between them."""
    cells = (["" if cell is None else " ".join(str(cell).split()) for cell in row] for row in rows)
    return "\n".join(map("\t".join, cells)).encode("utf-8", "replace") or None
