"""Bookmarks in the format that every browser exports: Netscape's HTML, with nested folders."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from whatsrelated.errors import ReadError
from whatsrelated.sources.nodes import DEEPEST
from whatsrelated.sources.outlines.folders import Folders
from whatsrelated.sources.reader import Item, ReadContext, Reader
from whatsrelated.sources.recognition import begins

if TYPE_CHECKING:
    from whatsrelated.sources.files import File

_TAG = re.compile(rb'<(/?(?:h3|a|dl))\b((?:[^<>"]++|"[^"]*+")*+)>', re.IGNORECASE)
_HREF = re.compile(rb'\bhref\s*+=\s*+"([^"]*+)"', re.IGNORECASE)
_MARKUP = re.compile(rb"<[^<>]*+>")


class BookmarksReader(Reader):
    """Folders of bookmarks, each a page that links to its contents."""

    name = "bookmarks"
    sentence = "bookmarks of a browser, in folders"
    contents = begins(rb"<!doctype netscape-bookmark-file")

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        folders = Folders("Bookmarks")
        named = url = ""
        depth = start = 0
        data = file.read()
        for tag in _TAG.finditer(data):
            kind = tag[1].lower()
            if kind == b"/h3":
                named = _plain(data[start : tag.start()])
            elif kind == b"/a" and url:
                if "://" in url and not url.startswith(("javascript:", "place:", "data:")):
                    folders.add(url, _plain(data[start : tag.start()]))
                else:
                    context.refuse("not a page", f"{file.label}: {url:.80}")
                url = ""
            elif kind == b"a" and (href := _HREF.search(tag[2])):
                url = _plain(href[1])
            elif kind == b"dl":
                depth += 1
                if depth > DEEPEST:
                    raise ReadError(
                        f"{file.label}: folders are nested more than {DEEPEST} levels deep."
                    )
                if depth > 1:
                    folders.enter(named or "…")
                named = ""
            elif kind == b"/dl" and depth:
                depth -= 1
                if depth:
                    folders.leave()
            start = tag.end()
        yield from folders.pages()


def _plain(text: bytes) -> str:
    """Convert HTML to plain text."""
    bare = _MARKUP.sub(b"", text).decode("utf-8", "replace")
    return " ".join(html.unescape(bare).split())
