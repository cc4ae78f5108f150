"""A list as HTML: plain, in ASCII, without a style or a script.

Attributes keep it out of the indexes of search programs (Pagefind, Zensical and
Material, Elastic, Google's snippets) and tell our own reader to pass it over.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import NamedTuple

from whatsrelated.api.reading import OURS
from whatsrelated.names.display import harmless

ATTRIBUTES = (OURS, "data-nosnippet", "data-search-exclude", "data-elastic-exclude")


class Item(NamedTuple):
    """A line of a list: the link, its text, and whether the text of the page links there."""

    href: str
    title: str
    linked: bool = False


def render(lists: Iterable[tuple[str, Iterable[Item]]]) -> str:
    """Lists with their headings as one `aside`; empty where there is nothing in them."""
    parts = []
    for heading, items in lists:
        lines = [_line(item) for item in items]
        if lines:
            parts += [f"<h2>{_text(heading)}</h2>", "<ul>", *lines, "</ul>"]
    if not parts:
        return ""
    marks = "".join(f' {name}=""' for name in ATTRIBUTES)
    opening = f'<aside class="related-pages" data-pagefind-ignore="all"{marks}>'
    return "\n".join(["", opening, *parts, "</aside>", ""])


def _line(item: Item) -> str:
    mark = ' class="linked"' if item.linked else ""
    return f'<li{mark}><a href="{_text(item.href)}">{_text(item.title)}</a></li>'


def _text(text: str) -> str:
    """A text in HTML and in XHTML, in any encoding."""
    return escape(harmless(text)).encode("ascii", "xmlcharrefreplace").decode()
