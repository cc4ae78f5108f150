"""What a build stores of a page besides its links: title, anchor texts, words."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from whatsrelated.graph import terms
from whatsrelated.graph.plan import Column
from whatsrelated.names.canonical import BadName

if TYPE_CHECKING:
    from whatsrelated.names.naming import Naming
    from whatsrelated.stream import Page


def columns(naming: Naming, text: bool = False) -> dict[str, Column]:
    """What a build stores of a page besides its links; its words only with `text`."""

    def anchors_of(page: Page) -> bytes | None:
        """A line for each link that has a text: its URL, a tab, the text."""
        lines = []
        for link, text in zip(page.links, page.anchors, strict=bool(page.anchors)):
            with contextlib.suppress(BadName):
                lines.append(f"{naming(link)}\t{' '.join(text.split())}" if text else "")
        return "\n".join(filter(None, lines)).encode("utf-8", "replace") or None

    always: dict[str, Column] = {"titles": title_of, "anchors": anchors_of}
    return {**always, terms.COLUMN: terms.terms_of} if text else always


def title_of(page: Page) -> bytes | None:
    """A page's title as one line."""
    if page.title is None:
        return None
    return " ".join(page.title.split()).encode("utf-8", "replace")
