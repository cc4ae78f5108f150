"""Nested folders as pages: each links to its contents, in order."""

from __future__ import annotations

from collections.abc import Iterator

from whatsrelated.stream import Page


class Folders:
    """The open folders, and the pages of closed folders."""

    def __init__(self, root: str) -> None:
        self._open: list[tuple[str, list[str]]] = [(root, [])]
        self._closed: list[Page] = []
        self._titles: dict[str, str] = {}

    def enter(self, name: str) -> None:
        """Open a folder inside the current one."""
        path = f"{self._open[-1][0]}/{name.replace('/', ' ')}"
        self._open[-1][1].append(path)
        self._open.append((path, []))

    def leave(self) -> None:
        """Close the current folder, unless it is the outermost."""
        if len(self._open) > 1:
            path, links = self._open.pop()
            self._closed.append(Page(path, links, path.rpartition("/")[2]))

    def add(self, url: str, title: str = "") -> None:
        """Add a page to the current folder."""
        self._open[-1][1].append(url)
        if title:
            self._titles.setdefault(url, title)

    def pages(self) -> Iterator[Page]:
        """Every folder with its links, then the titles of the pages in them."""
        while len(self._open) > 1:
            self.leave()
        root, links = self._open[0]
        if links or self._closed:
            yield Page(root, links)
        yield from self._closed
        for url, title in self._titles.items():
            yield Page(url, title=title, read=False)
