"""The columns a build stores for a page: title, anchor texts, broken links, words."""

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
"""Columns about links that are not counted, and about link checks."""
FILES = "files"
"""The column with each page's file, for pages of a folder."""


def columns(naming: Naming, text: bool = False) -> dict[str, Column]:
    """The columns a build stores for a page; its words only with `text`."""

    def anchors_of(page: Page) -> bytes | None:
        """One line per link that has text: its URL, a tab, the text."""
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
        FILES: file_of,
    }
    return {**always, terms.COLUMN: terms.terms_of} if text else always


def title_of(page: Page) -> bytes | None:
    """A page's title as one line."""
    if page.title is None:
        return None
    return " ".join(page.title.split()).encode("utf-8", "replace")


def navigation_of(page: Page) -> bytes | None:
    """The number of pages that link to the page only in their navigation."""
    return None if page.navigation is None else b"%d" % page.navigation


def broken_of(page: Page) -> bytes | None:
    """One row per broken link: its line in the file, its target, its HTTP status."""
    return _rows(page.checked.broken) if page.checked else None


def redirects_of(page: Page) -> bytes | None:
    """One row per redirecting link: its target, the final target, the number of hops, its line."""
    return _rows(page.checked.redirects) if page.checked else None


def unchecked_of(page: Page) -> bytes | None:
    """The number of the page's links that were not checked; empty if the page was not checked at
    all.
    """
    return b"%d" % page.checked.unchecked if page.checked else None


def file_of(page: Page) -> bytes | None:
    """The path of the page's file in its folder, if it is not the page's name."""
    if page.file is None or page.file == page.url:
        return None
    return page.file.encode("utf-8", "replace")


def _rows(rows: Iterable[Iterable[int | str | None]]) -> bytes | None:
    """Rows of tab-separated cells."""
    cells = (["" if cell is None else " ".join(str(cell).split()) for cell in row] for row in rows)
    return "\n".join(map("\t".join, cells)).encode("utf-8", "replace") or None
