"""Confluence's space export in XML: `entities.xml`, alone or in its zip file.

A page or blog post is named by its title.  Links come from its body, in the storage format:
`<ri:page ri:content-title="Tea"/>`, `<ri:blog-post …/>` and `<a href="https://…">`, in order.
Drafts, older versions and deleted pages are counted and left out, as are links to attachments and
people.  An export in HTML is read as a folder of HTML.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from whatsrelated.sources.reader import Item, ReadContext, Reader
from whatsrelated.sources.recognition import root_element
from whatsrelated.sources.xml import parse
from whatsrelated.stream import Page

if TYPE_CHECKING:
    from whatsrelated.sources.files import File

PAGES = ("Page", "BlogPost")
_LINK = re.compile(
    r"""<ri:(?:page|blog-post)\b[^<>]*?\bri:content-title="([^"<>]*+)\""""
    r"""|<a\s[^<>]*?\bhref="(https?://[^"<>]*+)\""""
    r"""|<ac:link\b[^<>]*+>\s*+<ri:(?!page\b|blog-post\b)[\w-]++|<a\s[^<>]*?\bhref="[^"<>]*+\""""
)


class ConfluenceReader(Reader):
    """The pages of a Confluence space."""

    name = "confluence"
    sentence = "the pages of a Confluence space, exported as XML"
    is_site = True
    contents = root_element(b"hibernate-generic")

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        counts = context.counter(self.name)
        counts.update({"pages": 0, "links": 0})
        document = _Document()
        parse(file, document)
        for page in document.pages:
            title = page.get("title", "").strip()
            if page.get("originalVersion") or page.get("contentStatus", "current") != "current":
                counts["drafts and older versions left out"] += 1
            elif not title:
                place = f"{file.label}: {page.get('id', '')!r:.40}"
                context.refuse("a page without a title", place)
            else:
                links = dict.fromkeys(_links(document.bodies.get(page.get("id", ""), ""), counts))
                links.pop(title, None)
                counts.update({"pages": 1, "links": len(links)})
                yield Page(title, list(links), title=title)


def _links(body: str, counts: Counter[str]) -> Iterator[str]:
    for match in _LINK.finditer(body):
        name = html.unescape(match[1] or (match[2] or "").partition("#")[0]).strip()
        if name:
            yield name
        else:
            counts["links to attachments, people and other places left out"] += 1


class _Document:
    """Collects the pages of an export, and the bodies by the page they belong to."""

    def __init__(self) -> None:
        self.pages: list[dict[str, str]] = []
        self.bodies: dict[str, str] = {}
        self._object: dict[str, str] | None = None
        self._kind = ""
        self._path: list[str] = []
        self._text: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._text = []
        if tag == "object":
            self._kind, self._object, self._path = attributes.get("class", ""), {}, []
        else:
            self._path.append(attributes.get("name", tag))

    def end(self, tag: str) -> None:
        if self._object is None:
            return
        if tag == "object":
            if self._kind in PAGES:
                self.pages.append(self._object)
            elif self._kind == "BodyContent":
                self.bodies[self._object.get("content", "")] = self._object.get("body", "")
            self._object = None
        elif self._path:
            text = "".join(self._text)
            if text.strip():
                self._object.setdefault(self._path[0], text)
            self._path.pop()
        self._text = []

    def text(self, text: str) -> None:
        self._text.append(text)
