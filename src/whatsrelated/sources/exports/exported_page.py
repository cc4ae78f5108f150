"""The page of a post in an export, from the HTML of the post."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from whatsrelated.sources.html_pages import WebResolver, read_page
from whatsrelated.stream import Page

if TYPE_CHECKING:
    from whatsrelated.sources.page_reader import HtmlReader
    from whatsrelated.sources.reader import ReadContext


def exported_page(
    reader: HtmlReader,
    html: str,
    url: str,
    title: str,
    context: ReadContext,
    name_of: Callable[[str], str] = str,
) -> Page:
    """A post at this URL, with the links that count; `name_of` names the post and its links."""
    record = read_page(html.encode("utf-8", "replace"), url, reader, WebResolver())
    counts = context.counter(reader.name)
    for reason, count in record.refused.items():
        context.refuse(reason, url, count)
    counts.update({"pages": 1, "links": len(record.links)})
    counts.update({f"{kind} links left out": count for kind, count in record.left_out.items()})
    links = [name_of(link) for link in record.links]
    return Page(name_of(url), links, title.strip() or None, None, record.anchors)
