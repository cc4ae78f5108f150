"""A vault of notes that link by name, as in Obsidian and Foam.

A note is named by its path without `.md`. `[[Name]]` and `[[folder/Name]]` lead to a note whose
path ends that way, ignoring case. If several notes match:

1. In Obsidian, a path with a folder means the note at exactly that path from the top of the vault.
   Otherwise the note in the linking note's folder wins, then the one that shares the most folders
   with it, then the one with the shortest path. `[text](path)` is read the same way.
2. Foam takes the first note by path. `[text](path)` is relative to the linking note.
3. In both, `./` and `../` are relative to the linking note.
4. We add a rule: if no note has that name, but exactly one has it as an alias, the link leads to
   that note. Obsidian would create a new note, but a writer who uses an alias means the existing
   one.

A name without a note is also a page: a note that has yet to be written.

Pandoc's `[@key]` links to the note about that work (`@key` or `key`), or else to the work itself,
the page `@key`. `zotero://select/…/items/KEY` is the page `zotero:KEY`.
"""

from __future__ import annotations

import json
import posixpath
import re
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import quote

from whatsrelated.sources.folder import MARKDOWN_SUFFIXES
from whatsrelated.sources.trees import Tree, resolve_path, stem

if TYPE_CHECKING:
    from whatsrelated.sources.page_records import PageRecord


_CITATION = re.compile(r"(?<![\\!\]])\[([^\[\]\n]*+)\](?![(\[:])")
_KEY = re.compile(r"(?:^|(?<=[\s;-]))@([\w][\w:.#$%&+?~/-]*+)(?=$|[\s;,\]])")
_DEFINED = re.compile(r"^\[([^\[\]\n]++)\]:", re.M)
_ZOTERO = re.compile(r"/items/([A-Z0-9]{8})(?![A-Z0-9])")


def citations_as_links(text: str) -> str:
    """A note in which the citations of Pandoc (`[see @doe99, p. 3; @roe01]`) are wikilinks."""
    defined = set(_DEFINED.findall(text))

    def links(citation: re.Match[str]) -> str:
        keys = [] if citation[1] in defined else _KEY.findall(citation[1])
        return " ".join(f"[[@{key.rstrip('.:?')}]]" for key in keys) or citation[0]

    return _CITATION.sub(links, text)


class Obsidian(Tree):
    """An Obsidian vault, or any folder of notes with wikilinks.

    A canvas is a page that links to the notes and addresses on its cards.
    """

    name = "obsidian"
    sentence = "a vault of notes that link by name"
    signs: ClassVar[tuple[str, ...]] = (".obsidian",)
    suffixes = (*MARKDOWN_SUFFIXES, ".canvas")

    def __init__(self, root: str, base: str = "") -> None:
        super().__init__(root, base)
        self._by_alias: dict[str, str | None] = {}

    @staticmethod
    def prepare(text: str) -> str:
        return citations_as_links(text) if "@" in text else text

    @classmethod
    def as_markdown(cls, text: str) -> str:
        return _canvas(text) if text.lstrip()[:1] == "{" else text

    def page_name(self, page: PageRecord) -> str:
        if self.base:
            return self.base + quote(page.url.strip("/") or stem(page.path))
        return stem(page.path)

    def add(self, page: PageRecord) -> None:
        super().add(page)
        for alias in page.aliases:
            key = alias.lower()
            self._by_alias[key] = page.name if key not in self._by_alias else None

    def by_name(self, page: PageRecord, link: str) -> tuple[str, bool]:
        if link.startswith(("./", "../")):
            return self.at(resolve_path(page.path, stem(link)))
        if link.startswith("@"):
            return self._cited(page, link)
        name, exists = super().by_name(page, link)
        alias = None if exists else self._by_alias.get(link.lower())
        return (alias, True) if alias is not None else (name, exists)

    def _cited(self, page: PageRecord, key: str) -> tuple[str, bool]:
        """The note about a cited work, named after its key with or without `@`, or the work."""
        for written in (key, key[1:]):
            name, exists = super().by_name(page, written)
            if exists:
                return name, True
        return key, True

    def target(self, page: PageRecord, href: str) -> tuple[str, bool]:
        if href.startswith("zotero://") and (item := _ZOTERO.search(href)):
            return f"zotero:{item[1]}", True
        return super().target(page, href)

    def by_path(self, page: PageRecord, path: str) -> tuple[str, bool]:
        return self.by_name(page, path)

    def at(self, path: str) -> tuple[str, bool]:
        """The note at a path from the top of the vault."""
        name = self._by_path.get(path.lower())
        return (name, True) if name is not None else (path, False)

    def choose(self, page: PageRecord, link: str, paths: list[str]) -> str:
        folders = page.path.split("/")[:-1]
        return min(
            paths,
            key=lambda path: (
                "/" not in link or stem(path).lower() != link,
                path.split("/")[:-1] != folders,
                -len(posixpath.commonprefix([folders, path.split("/")[:-1]])),
                len(path),
                path,
            ),
        )


class Foam(Obsidian):
    """A Foam workspace."""

    name = "foam"
    sentence = "a Foam workspace of notes that link by name"
    signs = (".foam", ".vscode/foam.json")

    def by_path(self, page: PageRecord, path: str) -> tuple[str, bool]:
        return self.at(resolve_path(page.path, stem(path)))

    def choose(self, page: PageRecord, link: str, paths: list[str]) -> str:
        return min(paths)


def _canvas(text: str) -> str:
    """A canvas as Markdown: its cards, in the order of the file; other text unchanged."""
    try:
        canvas = json.loads(text)
    except (ValueError, RecursionError):
        return text
    cards = canvas.get("nodes") if isinstance(canvas, dict) else None
    if not isinstance(cards, list):
        return text
    shapes = {"file": "[[{}]]", "url": "<{}>", "text": "{}"}
    return "\n\n".join(
        shape.format(card[key])
        for card in cards
        if isinstance(card, dict)
        for key, shape in shapes.items()
        if isinstance(card.get(key), str)
    )
