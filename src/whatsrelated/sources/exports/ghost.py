"""Ghost's JSON export: the HTML of its posts and pages.

A page is named by its path on the site, `/slug/`, since the export does not include its address.
Drafts are counted and left out.  The links of a post are read from its HTML; a post that has only
Ghost's own format (Lexical, Mobiledoc) is counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from whatsrelated.errors import ReadError
from whatsrelated.sources.exports.exported_page import exported_page
from whatsrelated.sources.json_objects import first_objects, json_objects
from whatsrelated.sources.page_reader import HtmlReader
from whatsrelated.sources.reader import Item, ReadContext

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
        exports = (export.get("meta") for export in first_objects(file, "db"))
        return any(isinstance(meta, dict) and "exported_on" in meta for meta in exports)

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
                if not post.get("html") and (post.get("lexical") or post.get("mobiledoc")):
                    context.refuse("the text of a post without HTML", slug)
                html = str(post.get("html") or "").replace("__GHOST_URL__", HOME.rstrip("/"))
                title = str(post.get("title") or "")
                yield exported_page(self, html, f"{HOME}{slug}/", title, context, _local)


def _posts(export: Any) -> list[Any] | None:
    if isinstance(export, dict) and "db" in export:  # since version 1
        export = export["db"][0] if isinstance(export["db"], list) and export["db"] else None
    for key in ("data", "posts"):
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
