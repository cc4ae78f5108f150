"""Lists as HTML: plain, in ASCII, without a style or a script."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from whatsrelated.api.reading import OURS
from whatsrelated.contract import markup


class Item(NamedTuple):
    """A line of a list: the link, its text, and whether the text of the page links there."""

    href: str
    title: str
    linked: bool = False


def render(lists: Iterable[tuple[str, Iterable[Item]]]) -> str:
    """Lists with their headings as one `aside`, for any encoding; empty if they are."""
    filled = [(heading, listed) for heading, items in lists if (listed := list(items))]
    if not filled:
        return ""
    text = markup.render("whatsrelated.apps.site", "lists.html", lists=filled, ours=OURS)
    return f"\n{text}\n".encode("ascii", "xmlcharrefreplace").decode()
