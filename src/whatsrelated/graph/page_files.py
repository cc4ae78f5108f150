"""The files that pages of a folder come from, and the addresses at which readers can open pages.

1. A page on the Web opens at its public URL.
2. A page of a folder opens as its file if the folder still exists. A vault's files open in
   Obsidian, others wherever the application can show files.
3. A template replaces these for the pages of folders, for example with an editor's address.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import numpy as np

from whatsrelated.errors import OptionError
from whatsrelated.graph.page_columns import FILES
from whatsrelated.names.hosts import host_of

if TYPE_CHECKING:
    from whatsrelated.graph.names import StringTable
    from whatsrelated.graph.store import Store

VAULT = ".obsidian"
"""The folder in which Obsidian keeps the settings of a vault."""
_TEMPLATE = re.compile(r"(?!(?:javascript|data|vbscript|blob):)[a-z][a-z0-9+.-]*:", re.I)


class OpenWith:
    """A template for addresses: `{path}` is a file's path, `{name}` its path in the folder.

    Without either, the name is put at the end.
    """

    def __init__(self, template: str) -> None:
        if not _TEMPLATE.match(template):
            raise OptionError(
                f"open-with must be an address such as vscode://file{{path}} or "
                f"https://docs.example.org/, got {template!r:.200}."
            )
        fields = "{path}" in template or "{name}" in template
        self.template = template if fields else template.rstrip("/") + "/{name}"

    def address(self, file: Path, name: str) -> str:
        """The address of a file."""
        # No other fields, and no attributes of these: a template is not a format string.
        text = self.template.replace("{name}", quote(name))
        return text.replace("{path}", quote(file.as_posix()))


class PageAddresses:
    """The address at which each page of a graph can be opened.

    `show` gives the address of a file, from its path and its path in the folder. `local`
    means that the reader is on this machine, so programs can open its files.
    """

    def __init__(
        self,
        store: Store,
        show: Callable[[Path, str], str | None],
        template: str | None = None,
        local: bool = True,
    ) -> None:
        self._store = store
        self._show = OpenWith(template).address if template else show
        self._template = template is not None
        self._local = local

    def __call__(self, url: str) -> str | None:
        """The address of a page; None if it cannot be opened."""
        public = url if host_of(url) is not None and not url.lower().startswith("file:") else None
        if public is not None and not self._template:
            return public
        located = self._file(url)
        if located is None:
            return public
        root, file = located
        if self._local and not self._template and root in self._vaults:
            return f"obsidian://open?path={quote(file.as_posix(), '')}"
        return self._show(file, file.relative_to(root).as_posix())

    def file_at(self, path: str, others: Collection[str]) -> Path | None:
        """The file at a path in a folder: of a page, or with one of these suffixes.

        If it is a link, its target must be in the folder too. Hidden files are never shown.
        """
        for root in self._roots:
            file = _inside(root, path)
            if file is not None and (file.suffix.lower() in others or self._is_page(path)):
                return file
        return None

    def _file(self, url: str) -> tuple[Path, Path] | None:
        """The file of a page, and its folder."""
        page = self._store.names.page_of(url) if self._roots else None
        if page is None or not self._is_read(page):
            return None
        path = self._files.text_of(page) if self._files else ""
        for root in self._roots:
            if _inside(root, path or url) is not None:
                return root, root / (path or url)
        return None

    def _is_page(self, path: str) -> bool:
        """Whether a page of the graph was read from the file at this path."""
        page = self._store.names.page_of(path)
        return path in self._paths or (page is not None and self._is_read(page))

    def _is_read(self, page: int) -> bool:
        return bool(self._store.is_read(np.array([page])).all())

    @cached_property
    def _paths(self) -> frozenset[str]:
        """The paths of files that are not the names of their pages."""
        pages = np.arange(self._store.n_pages if self._files else 0, dtype=np.uint32)
        return frozenset(self._files.texts_of(pages) if self._files else ())

    @cached_property
    def _files(self) -> StringTable | None:
        return self._store.column(FILES)

    @cached_property
    def _roots(self) -> list[Path]:
        return [root.resolve() for root in source_folders(self._store) if root.is_dir()]

    @cached_property
    def _vaults(self) -> set[Path]:
        """The folders that Obsidian knows."""
        return {
            root
            for root in self._roots
            if any((around / VAULT).is_dir() for around in (root, *root.parents))
        }


def _inside(root: Path, path: str) -> Path | None:
    """A regular file in a folder, directly or through links, that is not hidden."""
    try:
        file = (root / path).resolve()
        is_visible = file.is_relative_to(root) and not any(
            part.startswith(".") for part in [*Path(path).parts, *file.relative_to(root).parts]
        )
        return file if is_visible and file.is_file() else None
    except (OSError, ValueError, RuntimeError):  # a path that no file can have, a loop of links
        return None


def source_folders(store: Store) -> Iterator[Path]:
    """Possible paths of a graph's sources: relative to the current folder, or to the one that holds
    the graph.
    """
    beside = store.path.parent if store.path else Path()
    for source in store.manifest.get("built", {}).get("sources", ()):
        yield from dict.fromkeys((Path(source).absolute(), (beside / source).absolute()))
