"""Sitemaps: lists of a site's pages or of further sitemaps; translations link to each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from whatsrelated.sources.reader import Item, ReadContext, Reader
from whatsrelated.sources.recognition import root_element
from whatsrelated.sources.xml import parse
from whatsrelated.stream import Page

if TYPE_CHECKING:
    from whatsrelated.sources.files import File


class SitemapReader(Reader):
    """A page named after the file, which links to everything in the sitemap."""

    name = "sitemap"
    sentence = "a sitemap: the pages of a site"
    contents = root_element(b"urlset", b"sitemapindex")

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        document = _Document()
        parse(file, document)
        yield Page(file.path.name, list(dict.fromkeys(document.listed)))
        for url, others in document.alternates.items():
            yield Page(url, [other for other in others if other != url], read=False)


class _Document:
    def __init__(self) -> None:
        self.listed: list[str] = []
        self.alternates: dict[str, list[str]] = {}
        self._others: list[str] = []
        self._text: list[str] | None = None
        self._inside: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._inside.append(tag)
        if self._inside[-2:] in (["url", "loc"], ["sitemap", "loc"]):
            self._text = []
        elif tag == "link" and attributes.get("rel") == "alternate" and attributes.get("href"):
            self._others.append(attributes["href"])

    def end(self, tag: str) -> None:
        self._inside.pop()
        if self._text is not None and tag == "loc":
            url = "".join(self._text).strip()
            self.listed += [url] if url else []
            self._text = None
        elif tag == "url":
            if self._others and self.listed:
                self.alternates[self.listed[-1]] = self._others
            self._others = []

    def text(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)
