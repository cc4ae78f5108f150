"""A DokuWiki, read from its pages' text files: `data/pages/tea/green.txt` is `tea:green`.

1. `[[tea:green]]` is that page, and `[[:start]]` is the start page of the whole wiki. `[[milk]]`
   and `[[.:milk]]` are in the page's namespace, `[[..:milk]]` in its parent.
2. `[[tea:]]` is the start page of a namespace: `tea:start`, `tea:tea` or `tea`.
3. Names are in lower case; `_` replaces everything except letters, digits, `.`, `:` and `-`.

Links to other wikis (`[[wp>Tea]]`), mail addresses and media are left out. So is text in code or
`%%…%%`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from whatsrelated.sources.files import File
from whatsrelated.sources.folder import start_of
from whatsrelated.sources.folder_reader import sample_files
from whatsrelated.sources.markup import MarkupFolder, MarkupTree, path_link
from whatsrelated.sources.spans import without_spans

if TYPE_CHECKING:
    from whatsrelated.sources.page_records import PageRecord
    from whatsrelated.sources.reader import ReadContext
    from whatsrelated.stream import Page

PAGES = ("data/pages", "pages")
"""The folder of pages in a wiki, and in its data folder."""
SAMPLE_PAGES = 20

_PLAIN = re.compile(r"<(code|file|nowiki)\b|%%")
_LINK = re.compile(r"\[\[([^\[\]|\n]++)(?:\|[^\[\]\n]*+)?+\]\]")
_TITLE = re.compile(r"^[ \t]*+={2,}+[ \t]*+(?=\S)(.*[^=\s])[ \t]*+={2,}+[ \t]*+$", re.M)
_CLEANED = re.compile(r"[^\w.:-]+")


class DokuWiki(MarkupTree):
    """The pages of a DokuWiki, named by namespace and page."""

    name = "dokuwiki"
    sentence = "the pages of a DokuWiki, in its folder data/pages"
    suffixes = (".txt",)

    @classmethod
    def as_markdown(cls, text: str) -> str:
        text = without_spans(text, _PLAIN, lambda mark: f"</{mark[1]}>" if mark[1] else "%%")
        links = []
        for match in _LINK.finditer(text):
            target = match[1].strip()
            if re.match(r"(?:https?|ftp)://", target):
                links.append((match.start(), path_link(target)))
            elif not re.search(r"^\\\\|^[\w.-]+>|^\S+@\S+$|^\w+://|^#", target):
                page_name = target.partition("#")[0].partition("?")[0]
                links.append(
                    (match.start(), f"[[{page_name if ':' in page_name else f'.:{page_name}'}]]")
                )
        title = _TITLE.search(text)
        return cls.rewrite(title[1] if title else "", [], links)

    def page_name(self, page: PageRecord) -> str:
        return self._named(self._id(page))

    def add(self, page: PageRecord) -> None:
        self._by_path.setdefault(self._id(page), page.name)

    def by_name(self, page: PageRecord, link: str) -> tuple[str, bool]:
        parts = self._id(page).split(":")[:-1] if link.startswith(".") else []
        for part in link.split(":"):
            if part.startswith("..") and parts:
                parts.pop()
            if part.strip("."):
                parts.append(part.lstrip("."))
        place = clean_id(":".join(parts))
        last = place.rpartition(":")[2]
        starts = [place, f"{place}:start", f"{place}:{last}" if last else "start"]
        if link.endswith(":") or not place:
            starts = [*starts[1:], place]
        for candidate in starts:
            name = self._by_path.get(candidate.strip(":"))
            if name is not None:
                return name, True
        return self._named(starts[0].strip(":")), False

    @staticmethod
    def _id(page: PageRecord) -> str:
        return clean_id(page.path[: -len(".txt")].replace("/", ":"))

    def _named(self, place: str) -> str:
        return self.base + quote(place, ":") if self.base else place


def clean_id(name: str) -> str:
    """The name of a page as DokuWiki stores it."""
    parts = (_CLEANED.sub("_", part).strip("_.-") for part in name.lower().split(":"))
    return ":".join(part for part in parts if part)


class DokuWikiFolder(MarkupFolder):
    """The pages of a DokuWiki."""

    tree = DokuWiki
    guide = "how-to/wikis.md#dokuwiki-tiddlywiki-notion"

    @classmethod
    def recognises(cls, file: File) -> bool:
        if Path(file.path, PAGES[0]).is_dir():
            return True
        if Path(file.path, PAGES[1]).is_dir():
            return any(Path(file.path, sign).is_dir() for sign in ("meta", "attic", "media_meta"))
        root = os.path.realpath(file.path)
        texts = [path for path in sample_files(root) if path.endswith(".txt")][:SAMPLE_PAGES]
        seen = [start_of(f"{root}/{path}") for path in texts]
        titled = sum(_TITLE.search(text) is not None for text in seen)
        return super().recognises(file) and titled * 2 > len(seen)

    def read(self, file: File, context: ReadContext) -> Iterator[Page]:
        inner = next((path for name in PAGES if (path := Path(file.path, name)).is_dir()), None)
        if inner is None:
            return super().read(file, context)
        pages = File(inner)
        pages.label, pages.origin, pages.holder = file.label, file.origin, file.holder
        return super().read(pages, context)
