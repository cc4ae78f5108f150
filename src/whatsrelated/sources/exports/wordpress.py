"""WordPress's export (WXR): an RSS feed whose items hold the HTML of posts and pages.

Published posts and pages are the pages, named by their links.  Drafts, attachments and
menus are counted and left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from whatsrelated.sources.exports.exported_page import exported_page
from whatsrelated.sources.page_reader import HtmlReader
from whatsrelated.sources.reader import Item, ReadContext
from whatsrelated.sources.recognition import root_element
from whatsrelated.sources.xml import parse

if TYPE_CHECKING:
    from whatsrelated.sources.files import File

_IS_FEED = root_element(b"rss")
_FIELDS = frozenset({"title", "link", "encoded", "status", "post_type"})


class WordPressReader(HtmlReader):
    """The posts and pages of a WordPress site."""

    name = "wordpress"
    sentence = "the posts and pages of a WordPress export (WXR)"
    is_site = True

    @classmethod
    def recognises(cls, file: File) -> bool:
        return _IS_FEED(file) and b"wordpress.org/export" in file.sample

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        counts = context.counter(self.name)
        counts.update({"pages": 0, "links": 0})
        document = _Document()
        parse(file, document)
        for post in document.posts:
            kind, url = post.get("post_type", ""), post.get("link", "").strip()
            if kind not in ("post", "page") or post.get("status", "publish") != "publish":
                counts["drafts, attachments and menu items left out"] += 1
            elif not url.startswith(("http://", "https://")):
                context.refuse("a post without a link", f"{file.label}: {post.get('title')!r:.80}")
            else:
                html, title = post.get("encoded", ""), post.get("title", "")
                yield exported_page(self, html, url, title, context)


class _Document:
    """Collects the items of a feed, keeping the longest text of each field."""

    def __init__(self) -> None:
        self.posts: list[dict[str, str]] = []
        self._post: dict[str, str] | None = None
        self._text: list[str] | None = None

    def start(self, tag: str, attributes: dict[str, Any]) -> None:
        if tag == "item":
            self._post = {}
        self._text = [] if self._post is not None and tag in _FIELDS else None

    def end(self, tag: str) -> None:
        if self._post is None:
            return
        if tag == "item":
            self.posts.append(self._post)
            self._post = None
        elif self._text is not None and tag in _FIELDS:
            self._post[tag] = max(self._post.get(tag, ""), "".join(self._text), key=len)
            self._text = None

    def text(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)
