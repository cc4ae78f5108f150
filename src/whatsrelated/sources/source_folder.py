"""The files of a folder of pages: the page in each file, and the page that a link leads to.

A reader turns a folder into links and forgets the files. Applications that show or edit the text
itself use this instead: add every file with its text, then resolve links as the reader would.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from whatsrelated.errors import ReadError
from whatsrelated.names.canonical import BadName
from whatsrelated.sources.folder import Addresses, files
from whatsrelated.sources.front_matter import split_front_matter
from whatsrelated.sources.html_folder import HtmlFolder, is_html_file
from whatsrelated.sources.markdown import heading_of
from whatsrelated.sources.markdown_folder import MarkdownFolder, record_of
from whatsrelated.sources.url_joins import UrlBase
from whatsrelated.stream import Refused

if TYPE_CHECKING:
    from whatsrelated.sources.page_records import PageRecord
    from whatsrelated.sources.reader import Reader
    from whatsrelated.sources.trees import Tree


class SourcePage(NamedTuple):
    """The page in a file; HTML has its title in the text, which is not read here."""

    path: str
    name: str
    title: str = ""
    aliases: tuple[str, ...] = ()


class SourceFolder:
    """The pages of a folder by their files."""

    def __init__(self, root: str, reader: Reader) -> None:
        if not isinstance(reader, HtmlFolder | MarkdownFolder):
            raise ReadError(f"{root} was read as {reader.name}; its text cannot be shown.")
        self.root = os.path.realpath(root)
        self.format = reader.name
        """The name of the reader."""
        self.base = reader.base()
        self.tree: Tree | None = None
        self._addresses = Addresses(self.root, self.base)
        self._records: dict[str, PageRecord] = {}
        if isinstance(reader, MarkdownFolder):
            self.tree = reader.tree(self.root, self.base)

    def paths(self) -> Iterator[str]:
        """The files that are pages, in order."""
        tree = self.tree
        is_page = tree.is_page if tree is not None else lambda path: is_html_file(self.root, path)
        return files(self.root, is_page, Refused())

    def add(self, path: str, text: str) -> SourcePage:
        """Register the page in a file."""
        if self.tree is None:
            return SourcePage(path, self._addresses.name(path))
        front = split_front_matter(self.tree.as_markdown(text).removeprefix("\ufeff"))
        record = record_of(path, front, heading_of(front.body), type(self.tree))
        record.name = self.tree.page_name(record)
        self._records[path] = record
        self.tree.add(record)
        return SourcePage(path, record.name, record.title, tuple(record.aliases))

    def target(self, path: str, href: str) -> str:
        """The name of the page that a link in a file leads to; empty for the page itself.

        All pages must have been added.
        """
        if self.tree is not None:
            return self.tree.target(self._records[path], href.partition("#")[0])[0]
        try:
            return self._addresses.targets(UrlBase(self._addresses.url(path)))[
                href.partition("#")[0]
            ]
        except BadName:
            return ""


def source_folder(
    path: str | os.PathLike[str], format: str | None = None, **options: Any
) -> SourceFolder:
    """A folder of pages, recognised as `build` does; raises ReadError for other sources."""
    from whatsrelated.sources import open_sources
    from whatsrelated.sources.reader import ReadOptions

    opened = open_sources([os.fspath(path)], ReadOptions(format=format), options=options)
    (_, reader), *_ = opened.parts
    return SourceFolder(os.fspath(path), reader)
