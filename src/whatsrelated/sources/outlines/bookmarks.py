"""Bookmarks as every browser exports them: Netscape's HTML, folders within folders."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from whatsrelated.sources.outlines.folders import Folders
from whatsrelated.sources.reader import Item, ReadContext, Reader

if TYPE_CHECKING:
    from whatsrelated.sources.files import File

_TAG = re.compile(
    rb"""<h3\b[^>]*>(?P<folder>.*?)</h3>
    | <a\b[^>]*?\bhref\s*=\s*"(?P<url>[^"]*)"[^>]*>(?P<title>.*?)</a>
    | (?P<open><dl\b) | (?P<close></dl\b)""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)


class BookmarksReader(Reader):
    """Folders of bookmarks, each a page that links to what is in it."""

    name: ClassVar[str] = "bookmarks"
    sentence: ClassVar[str] = "bookmarks of a browser, in folders"

    @classmethod
    def recognises(cls, file: File) -> bool:
        return file.sample.lstrip()[:80].lower().startswith(b"<!doctype netscape-bookmark-file")

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        folders = Folders("Bookmarks")
        named = ""
        depth = 0
        for found in _TAG.finditer(file.read()):
            if found["folder"] is not None:
                named = _plain(found["folder"])
            elif found["url"] is not None:
                url = _plain(found["url"])
                if "://" in url and not url.startswith(("javascript:", "place:", "data:")):
                    folders.add(url, _plain(found["title"]))
                else:
                    context.refuse("not a page", f"{file.label}: {url:.80}")
            elif found["open"]:
                depth += 1
                if depth > 1:
                    folders.enter(named or "…")
                named = ""
            elif depth:
                depth -= 1
                if depth:
                    folders.leave()
        yield from folders.pages()


def _plain(text: bytes) -> str:
    """A piece of HTML as plain text."""
    bare = re.sub(rb"<[^>]*>", b"", text).decode("utf-8", "replace")
    return " ".join(html.unescape(bare).split())
