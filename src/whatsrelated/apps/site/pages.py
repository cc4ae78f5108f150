"""Map the files of a site to pages of the graph, and write links between them."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from itertools import compress
from typing import TYPE_CHECKING
from urllib.parse import quote_from_bytes, unquote, urljoin, urlsplit

import numpy as np

from whatsrelated.api.reading import INDEX_FILES, NOWHERE, Addresses, files, is_html_file
from whatsrelated.names.hosts import host_of
from whatsrelated.stream import Refused

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

    from whatsrelated.api.stores import Store

SKIPPED = (
    *("404.html", "404/*", "*/404.html", "search.html", "search/*", "genindex*", "*/genindex*"),
    *("py-modindex*", "*/py-modindex*", "*-modindex.html", "tags.html", "tags/*", "tag/*"),
    *("_modules/*", "_static/*", "_sources/*", "_downloads/*"),
    *("print.html", "print/*", "print_page/*", "print_page.html"),
)
"""Paths of pages that have no topic, such as indexes and search pages."""

_SAFE = "/~!$&'()*+,;=@"
_LINK = re.compile(rb"""\bhref\s*+=\s*+["']?+([^"'\s>]*+)""", re.I)
_ELSEWHERE = re.compile(rb"[a-z]++:|//", re.I)
_INDEX = re.compile(rb"\bindex\.html?\Z", re.I)
_LOOKED_AT = 50


class Skipped:
    """Globs of paths; the last one that matches decides."""

    def __init__(self, globs: Iterable[str]) -> None:
        self._globs = [*SKIPPED, *(glob for glob in globs if glob)]

    def __contains__(self, path: str) -> bool:
        for glob in reversed(self._globs):
            if fnmatchcase(path, glob.removeprefix("!")):
                return not glob.startswith("!")
        return False


class SitePages:
    """The pages of a site by number, and the address of each."""

    def __init__(self, store: Store, addresses: dict[int, str], skipped: Skipped) -> None:
        """`addresses` has the path or the name of each page of the site."""
        self.store = store
        self.skipped = sum(path in skipped for path in addresses.values())
        self.addresses = {page: path for page, path in addresses.items() if path not in skipped}
        self._site_pages = set(addresses)

    def listable(self, internal: bool) -> NDArray[bool_]:
        """Which pages of the graph may be in a list; external pages only if not `internal`."""
        listable = np.zeros(self.store.n_pages, np.bool_)
        listable[list(self.addresses)] = True
        if not internal:
            for page in np.flatnonzero(~listable).tolist():
                name = self.store.url(page)
                listable[page] = (
                    name.startswith(("http:", "https:")) and page not in self._site_pages
                )
        return listable

    def title(self, page: int) -> str:
        """The title of a page without the part that all titles on the site share; its name if it
        has no title.
        """
        title = self.store.title(page)
        return title or self.addresses.get(page) or self.store.url(page)


def html_pages(
    root: str, store: Store, base: str, skip: Iterable[str], refused: Refused
) -> SitePages:
    """The pages that were read from a folder of HTML; symbolic links are left out."""
    addresses = Addresses(root, base)
    paths: dict[int, str] = {}
    for path in html_files(root, refused):
        page = (
            store.look_up(addresses.name(path))
            if base
            else store.names.page_of(addresses.name(path))
        )
        if page is not None:
            paths.setdefault(page, path)
    if "read" in store.arrays:
        read = store.is_read(np.fromiter(paths, np.int64))
        paths = dict(compress(paths.items(), read.tolist()))
    return SitePages(store, paths, Skipped(skip))


def html_files(root: str, refused: Refused) -> Iterator[str]:
    """The HTML files of a folder, without symbolic links."""
    for path in files(root, lambda path: is_html_file(root, path), refused):
        if not os.path.islink(f"{root}/{path}"):  # noqa: PTH114
            yield path


def read_pages(store: Store, base: str, skip: Iterable[str]) -> SitePages:
    """The pages of a graph that were read, by name, or by path for pages below `base`."""
    read = np.flatnonzero(store.is_read(np.arange(store.n_pages))).astype("uint32")
    names = dict(zip(read.tolist(), store.urls(read), strict=True))
    below_base = {
        page: name.removeprefix(base)
        for page, name in names.items()
        if (name.startswith(base) if base else host_of(name) is None)
    }
    return SitePages(store, below_base or names, Skipped(skip))


class LinkStyle:
    """Links pages of a folder to each other, in the same style as the site."""

    def __init__(self, root: str, paths: Iterable[str]) -> None:
        named = folders = 0
        for path, _ in zip(paths, range(_LOOKED_AT), strict=False):
            with open(f"{root}/{path}", "rb") as file:  # noqa: PTH123
                data = file.read(1 << 20)
            for link in _LINK.findall(data):
                path = link.partition(b"#")[0]
                if not _ELSEWHERE.match(path):
                    named += _INDEX.search(path) is not None
                    folders += path.endswith(b"/") and b"?" not in path
        self.names_index = named >= folders
        """Whether links include a folder's index file, which a site opened from disk needs."""

    def link(self, source: str, target: str, base: str | None = None) -> str:
        """The link from one path to another, relative to the base declared by the source."""
        folder, _, file = target.rpartition("/")
        if file in INDEX_FILES and not self.names_index:
            target = f"{folder}/" if folder else ""
        start = _base_folder(source, base)
        relative = posixpath.relpath("/" + target, "/" + start)
        if target.endswith("/") or not target:
            relative = "./" if relative == "." else relative + "/"
        return path_url(relative)


def _base_folder(source: str, base: str | None) -> str:
    """The folder to which a page's relative links are relative.

    A base with a host means the root of the served folder.
    """
    if not base:
        return source.rpartition("/")[0]
    try:
        joined = urljoin(NOWHERE + path_url(source), base.strip())
        if not joined.startswith(NOWHERE):
            return ""
        return unquote(urlsplit(joined).path, errors="surrogateescape")[1:].rpartition("/")[0]
    except ValueError:
        return source.rpartition("/")[0]


def path_url(path: str) -> str:
    """A path escaped for a link, including colons, which could look like a scheme."""
    return quote_from_bytes(os.fsencode(path), _SAFE)
