"""A Notion workspace exported as Markdown, in which every file name ends with an id.

`Tea 0123456789abcdef0123456789abcdef.md` is the page `Tea`; if two pages would have the
same name, both keep their ids.  A link leads to a file, or to the page's address at
notion.so, which ends with the same id.  An HTML export is read as a folder of HTML.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import quote

from whatsrelated.sources.folder import files, is_markdown_file
from whatsrelated.sources.folder_reader import sample_files
from whatsrelated.sources.markdown_folder import MarkdownFolder
from whatsrelated.sources.trees import Tree, stem
from whatsrelated.stream import Refused

if TYPE_CHECKING:
    from whatsrelated.sources.files import File
    from whatsrelated.sources.page_records import PageRecord

_ID = re.compile(r"[ -]([0-9a-f]{32})(?=/|$)")
_ADDRESS = re.compile(r"https?://(?:www\.)?notion\.(?:so|site)/\S*?([0-9a-f]{32})(?:[?#].*)?")


class Notion(Tree):
    """The pages of a Notion workspace."""

    name = "notion"
    sentence = "a workspace of Notion, exported in Markdown"
    wikilinks = False

    def __init__(self, root: str, base: str = "") -> None:
        super().__init__(root, base)
        self._names = Counter(
            _ID.sub("", stem(path)) for path in files(root, is_markdown_file, Refused())
        )
        self._by_id: dict[str, str] = {}

    def page_name(self, page: PageRecord) -> str:
        path = stem(page.path)
        name = _ID.sub("", path)
        name = name if self._names[name] == 1 else path
        return self.base + quote(name) if self.base else name

    def add(self, page: PageRecord) -> None:
        super().add(page)
        ids = _ID.findall(stem(page.path))
        if ids:
            self._by_id[ids[-1]] = page.name

    def target(self, page: PageRecord, href: str) -> tuple[str, bool]:
        address = _ADDRESS.fullmatch(href)
        name = self._by_id.get(address[1]) if address else None
        return (name, True) if name is not None else super().target(page, href)


class NotionExport(MarkdownFolder):
    """A Notion workspace exported as Markdown."""

    tree = Notion
    guide = "how-to/wikis.md#dokuwiki-tiddlywiki-notion"

    @classmethod
    def recognises(cls, file: File) -> bool:
        paths = sample_files(os.path.realpath(file.path))
        pages = [stem(path) for path in paths if is_markdown_file(path)]
        return len(pages) > 0 and sum(bool(_ID.search(path)) for path in pages) * 2 > len(pages)
