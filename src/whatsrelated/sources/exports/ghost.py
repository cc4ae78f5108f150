"""Ghost's JSON export: the HTML of its posts and pages.

A page is named by its path on the site, `/slug/`, since the export does not include its address.
Drafts are counted and left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from whatsrelated.errors import ReadError
from whatsrelated.sources.html_pages import WebResolver, read_page
from whatsrelated.sources.json_objects import first_objects, json_objects
from whatsrelated.sources.page_reader import HtmlReader
from whatsrelated.sources.reader import Item, ReadContext
from whatsrelated.stream import Page

if TYPE_CHECKING:
    from whatsrelated.sources.files import File

HOME = "https://ghost.invalid/"
"""A placeholder for the site's address, which the export writes as `__GHOST_URL__`."""


class GhostReader(HtmlReader):
    """The posts and pages of a Ghost site."""

    name = "ghost"
    sentence = "the posts and pages of a Ghost export (JSON)"
    is_site = True

    @classmethod
    def recognises(cls, file: File) -> bool:
        return any({"meta", "data"} <= export.keys() for export in first_objects(file, "db"))

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        counts = context.counter(self.name)
        counts.update({"pages": 0, "links": 0})
        posts = _posts(next((one for _, one in json_objects(file)), None))
        if posts is None:
            raise ReadError(f"{file.label} is a Ghost export without posts.")
        for post in posts:
            slug = post.get("slug") if isinstance(post, dict) else None
            if not isinstance(slug, str) or not slug:
                context.refuse("a post without a slug", file.label)
            elif post.get("status", "published") != "published":
                counts["drafts left out"] += 1
            else:
                yield self._page(slug, post, counts, context)

    def _page(
        self, slug: str, post: dict[str, Any], counts: Counter[str], context: ReadContext
    ) -> Page:
        html = str(post.get("html") or "").replace("__GHOST_URL__", HOME.rstrip("/"))
        record = read_page(html.encode(), f"{HOME}{slug}/", self, WebResolver())
        for reason, count in record.refused.items():
            context.refuse(reason, slug, count)
        links = [_local(link) for link in record.links]
        counts.update({"pages": 1, "links": len(links)})
        title = post.get("title")
        return Page(f"/{slug}/", links, title if isinstance(title, str) else None)


def _posts(export: Any) -> list[Any] | None:
    for key in ("db", 0, "data", "posts"):
        try:
            export = export[key]
        except (LookupError, TypeError):
            return None
    return export if isinstance(export, list) else None


def _local(link: str) -> str:
    """The path of a link within the site, with the final slash that Ghost adds by redirect."""
    if not link.startswith(HOME):
        return link
    path = link.removeprefix(HOME).partition("?")[0].strip("/")
    return f"/{path}/" if path else "/"
