"""A vault of notes: links by name, as Obsidian and Foam understand them.

A note is named by its path without `.md`.  `[[Name]]` and `[[folder/Name]]` mean a
note whose path ends like that, in any case.  Of several:

1. Obsidian: a path with a folder in it is the one at that very path, from the top
   of the vault.  Else the note in the folder of the linking one; then those that
   have the most folders with it in common; of these the one with the shortest
   path.  `[text](path)` is read in the same way.
2. Foam takes the first by path.  `[text](path)` is relative to the linking note.
3. In both, `./` and `../` are relative to the linking note.
4. Ours: where no note has that name, one that alone has it as an alias.  Obsidian
   would make a new note, but whoever writes another's alias means that one.

A name that is no note is a page too: the note that somebody means to write.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import quote

from whatsrelated.sources.trees import Tree, resolve_path, stem

if TYPE_CHECKING:
    from whatsrelated.sources.page_records import PageRecord


class Obsidian(Tree):
    """An Obsidian vault, or any folder of notes with wikilinks."""

    name = "obsidian"
    sentence = "a vault of notes that link by name"
    signs: ClassVar[tuple[str, ...]] = (".obsidian",)

    def __init__(self, root: str, base: str = "") -> None:
        super().__init__(root, base)
        self._by_alias: dict[str, str | None] = {}

    def page_name(self, page: PageRecord) -> str:
        if self.base:
            return self.base + quote(page.url.strip("/") or stem(page.path))
        return stem(page.path)

    def add(self, page: PageRecord) -> None:
        super().add(page)
        for alias in page.aliases:
            key = alias.lower()
            self._by_alias[key] = page.name if key not in self._by_alias else None

    def by_name(self, page: PageRecord, wanted: str) -> tuple[str, bool]:
        if wanted.startswith(("./", "../")):
            return self.at(resolve_path(page.path, stem(wanted)))
        name, there = super().by_name(page, wanted)
        alias = None if there else self._by_alias.get(wanted.lower())
        return (alias, True) if alias is not None else (name, there)

    def by_path(self, page: PageRecord, path: str) -> tuple[str, bool]:
        return self.by_name(page, path)

    def at(self, path: str) -> tuple[str, bool]:
        """The note at a path from the top of the vault."""
        name = self._by_path.get(path.lower())
        return (name, True) if name is not None else (path, False)

    def choose(self, page: PageRecord, wanted: str, found: list[str]) -> str:
        here = page.path.split("/")[:-1]
        return min(
            found,
            key=lambda path: (
                "/" not in wanted or stem(path).lower() != wanted,
                path.split("/")[:-1] != here,
                -len(posixpath.commonprefix([here, path.split("/")[:-1]])),
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

    def choose(self, page: PageRecord, wanted: str, found: list[str]) -> str:
        return min(found)
