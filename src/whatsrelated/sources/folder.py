"""A folder of pages: list its files in order, and find the file that a link leads to.

`files` walks a folder without ever leaving it. `Addresses` names files and resolves links. With a
base URL, files are named as a web server would serve them (`docs/index.html` is `docs/`); otherwise
by their paths in the folder. A link inside the folder leads to the file that a server would send:

1. `docs/` is the index file of that folder;
2. `docs/intro` is that file, or the index of that folder, or `docs/intro.html`;
3. `page.html?v=2` is `page.html`, unless a file has exactly that name, as after `wget -r`.

Any other link inside the folder leads to a page of that name, even if it does not exist.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from urllib.parse import quote_from_bytes, unquote_to_bytes

from whatsrelated.names.canonical import BadName, canonical
from whatsrelated.sources.html import as_utf8
from whatsrelated.sources.url_joins import UrlBase
from whatsrelated.stream import Refused

INDEX_FILES = ("index.html", "index.htm", "index.xhtml", "index.php", "default.htm")
"""The files that a server sends for a folder, in this order."""

MARKDOWN_SUFFIXES = (".md", ".mdx", ".markdown", ".mdown", ".mkd")
"""The file extensions of Markdown."""

MAX_FILE = 64 << 20
"""Maximum size of a file in bytes; larger files are not read."""

IGNORED = frozenset({"node_modules", "__pycache__"})
"""Folders without pages, besides graphs and names that begin with a dot."""

NOWHERE = "https://folder.invalid/"
"""The base URL for resolving links in a folder without one."""

_CACHED = 100_000
_NEVER_IN_TEXT = bytes(set(range(32)) - set(b"\t\n\f\r\x1b"))
_SAFE = "/?:@!$&'()*+,;=~|[]"


def files(root: str, is_match: Callable[[str], bool], refused: Refused) -> Iterator[str]:
    """The relative paths of the matching files in a folder, in order.

    Folders that cannot be listed are counted, as are symbolic links that lead outside.
    """
    whole = os.path.realpath(root)
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        inner: list[str] = []
        for entry in _entries(whole, folder, refused):
            path = folder + entry.name
            if is_ignored(entry.name):
                continue
            kind = _kind(entry, whole)
            if kind == "folder":
                inner.append(path + "/")
            elif kind == "file":
                if is_match(path):
                    yield path
            elif is_match(path) or os.path.isdir(entry.path):  # noqa: PTH112
                refused.add(kind, path)
        waiting.extend(reversed(inner))


def is_ignored(name: str) -> bool:
    """Whether to skip a folder or file of that name, such as a graph."""
    return name.startswith(".") or name.endswith(".graph") or name in IGNORED


def _entries(whole: str, folder: str, refused: Refused) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(f"{whole}/{folder}") as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        refused.add(f"folders not listed ({os.strerror(error.errno or 0)})", folder)
        return []


def _kind(entry: os.DirEntry[str], whole: str) -> str:
    """`folder`, `file`, or the reason to skip the entry."""
    try:
        if entry.is_symlink():
            if os.path.commonpath([whole, os.path.realpath(entry.path)]) != whole:
                return "symbolic links that lead outside the folder"
            if entry.is_dir():
                return "links to folders"
            return "file" if entry.is_file() else "links to nothing"
        if entry.is_dir(follow_symlinks=False):
            return "folder"
        return "file" if entry.is_file() else "neither files nor folders"
    except OSError:
        return "links to nothing"


def read_text_bytes(path: str) -> bytes:
    """The bytes of a text file; raises ItemFailed if it is not text or cannot be read."""
    from whatsrelated.machine.workers import ItemFailed

    try:
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123 -- reads the bytes at once
            data = file.readall() if os.fstat(file.fileno()).st_size <= MAX_FILE else None
    except OSError as error:
        raise ItemFailed(f"files not read ({os.strerror(error.errno or 0)})") from None
    if data is None or len(data) > MAX_FILE:
        raise ItemFailed(f"files over {MAX_FILE >> 20} MB")
    start = as_utf8(data[:4096])
    if len(start) - len(start.translate(None, _NEVER_IN_TEXT)) > 4 + len(start) // 100:
        raise ItemFailed("binary files")
    return data


def start_of(path: str, max_bytes: int = 1 << 20) -> str:
    """The beginning of a text file, or nothing if it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123
            return file.read(max_bytes)
    except OSError:
        return ""


def is_markdown_file(path: str) -> bool:
    """Whether a file is a Markdown page, by its name."""
    return path.lower().endswith(MARKDOWN_SUFFIXES)


class Addresses:
    """The names of the files of a folder, and the targets of their links."""

    def __init__(self, root: str, base: str = "") -> None:
        self.root = os.path.realpath(root)
        self.base = base
        self.origin = base or NOWHERE
        self._targets: dict[str, Targets] = {}

    def url(self, path: str) -> str:
        """The URL of a file, for resolving its links."""
        return self.origin + quote_from_bytes(os.fsencode(path), _SAFE)

    def name(self, path: str) -> str:
        """The name of the page in a file."""
        if not self.base:
            return os.fsencode(path).decode("utf-8", "replace")
        folder, _, file = path.rpartition("/")
        if file in INDEX_FILES:
            return self.url(folder + "/" if folder else "")
        return self.url(path)

    def targets(self, base: UrlBase) -> Targets:
        """The targets of links, without fragments, on a page at `base`.

        A link to the page itself gives an empty name; one that is not an address raises BadName.
        """
        folder = base.url.rpartition("/")[0]
        targets = self._targets.get(folder)
        if targets is None:
            if sum(map(len, self._targets.values())) >= _CACHED:
                self._targets.clear()
            targets = self._targets[folder] = Targets(self)
        targets.base = base
        return targets

    def resolve(self, base: UrlBase, href: str) -> str:
        """A link as an absolute URL, or as the name of its page inside the folder."""
        url = base.join(href).partition("#")[0]
        return self.local(url) if url.startswith(self.origin) else url

    def local(self, url: str) -> str:
        """The name of the page at a URL inside the folder."""
        address, _, query = url[len(self.origin) :].partition("?")
        last = address.rpartition("/")[2]
        if not query and "%" not in address and "." in last and last not in INDEX_FILES:
            return url if self.base else address
        path = os.fsdecode(unquote_to_bytes(address))
        file = self._served_file(path, query)
        if file is not None:
            return self.name(file)
        return url if self.base else self.name(path) + (f"?{query}" if query else "")

    def file_of(self, name: str) -> str | None:
        """The file of a name inside the folder, or None."""
        address, _, query = name.removeprefix(self.base).partition("?")
        path = os.fsdecode(unquote_to_bytes(address)) if self.base else address
        return self._served_file(path, query)

    def _served_file(self, path: str, query: str) -> str | None:
        """The file that a server would send."""
        if query and self._is_file(f"{path}?{query}"):
            return f"{path}?{query}"
        last = path.rpartition("/")[2]
        if last and self._is_file(path):
            return path
        if "." in last:
            return None
        folder = path + "/" if last else path
        others = [folder + index for index in INDEX_FILES]
        if last:
            others.append(path + ".html")
        return next(filter(self._is_file, others), None)

    def _is_file(self, path: str) -> bool:
        if "\0" in path or "/../" in f"/{path}/":
            return False
        try:
            return stat.S_ISREG(os.stat(f"{self.root}/{path}").st_mode)  # noqa: PTH116
        except OSError:
            return False


class Targets(dict[str, str]):
    """The targets of links on one folder's pages; each link is resolved only once."""

    def __init__(self, addresses: Addresses) -> None:
        super().__init__()
        self.addresses = addresses
        self.base = UrlBase(addresses.origin)

    def __missing__(self, href: str) -> str:
        bare = href.strip()
        target = self.addresses.resolve(self.base, bare) if bare else ""
        if not bare.startswith("?"):
            self[href] = target
        return target


def base_of(base_url: str) -> str:
    """A base URL in canonical form, ending with a slash; raises BadName if it is not a URL.

    `https://` alone is for folders named after their hosts, as `wget -r` creates them.
    """
    if base_url in ("http://", "https://"):
        return base_url
    base = canonical(base_url)
    if "://" not in base or "?" in base:
        raise BadName("not a URL")
    return base if base.endswith("/") else base + "/"
