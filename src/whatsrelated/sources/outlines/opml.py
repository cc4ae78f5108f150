"""OPML: nested outlines, as written by feed readers and outliners."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from whatsrelated.sources.outlines.folders import Folders
from whatsrelated.sources.reader import Item, ReadContext, Reader
from whatsrelated.sources.recognition import root_element
from whatsrelated.sources.xml import parse

if TYPE_CHECKING:
    from whatsrelated.sources.files import File

ADDRESSES = ("htmlUrl", "url", "xmlUrl")
"""The attributes that hold an outline's address; its site is preferred to its feed."""


class OpmlReader(Reader):
    """Folders of subscriptions, each a page that links to its contents."""

    name = "opml"
    sentence = "OPML: subscriptions in folders"
    contents = root_element(b"opml")
    suffixes = (".opml",)

    def read(self, file: File, context: ReadContext) -> Iterator[Item]:
        document = _Document(file.path.name)
        parse(file, document)
        yield from document.folders.pages()


class _Document:
    def __init__(self, root: str) -> None:
        self.folders = Folders(root)
        self._are_folders: list[bool] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag != "outline":
            return
        name = attributes.get("text") or attributes.get("title") or ""
        url = next((attributes[key] for key in ADDRESSES if attributes.get(key)), "")
        self._are_folders.append(not url)
        if url:
            self.folders.add(url, name)
        else:
            self.folders.enter(name or "…")

    def end(self, tag: str) -> None:
        if tag == "outline" and self._are_folders.pop():
            self.folders.leave()

    def text(self, text: str) -> None:
        """Text between tags is ignored."""
