"""Lists as plain ASCII HTML, without styles or scripts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from whatsrelated.api.reading import OURS
from whatsrelated.contract import markup


class Item(NamedTuple):
    """An item of a list: its link, its text, and whether the page already links there."""

    href: str
    title: str
    linked: bool = False


def render(lists: Iterable[tuple[str, Iterable[Item]]]) -> str:
    """Lists with headings as one `aside`, valid in any encoding; empty if all lists are empty."""
    filled = [(heading, listed) for heading, items in lists if (listed := list(items))]
    if not filled:
        return ""
    text = markup.render("whatsrelated.apps.site", "lists.html", lists=filled, ours=OURS)
    return f"\n{text}\n".encode("ascii", "xmlcharrefreplace").decode()
