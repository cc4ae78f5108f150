"""The names that a user may mean, and the URLs above a URL."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, product
from urllib.parse import unquote

from whatsrelated.names.canonical import SCHEME, BadName, canonical
from whatsrelated.names.folding import ENDINGS, INDEX
from whatsrelated.names.hosts import IP

LONGEST = 4096
"""Names longer than this are not looked up in other forms."""

_AUTHORITY = re.compile(r"([^/?#:]++)(?::[0-9]++)?(?:[/?#].*)?", re.S)
_LABEL = re.compile(r"[\w-]++")
_LETTER = re.compile(r"[^\W\d_]")
_ADDRESS_LIKE = re.compile(rf"(?:{IP}|localhost)(?::[0-9]+)?(?:[/?#].*)?", re.S)


def likely_names(text: str) -> Iterator[str]:
    """The distinct names that the user may mean, most likely first."""
    seen: set[str] = set()
    for raw in chain([text], _spellings_of_url(text), spellings_of_name(text)):
        try:
            name = canonical(raw)
        except BadName:
            continue
        if name not in seen:
            seen.add(name)
            yield name


def _spellings_of_url(text: str) -> Iterator[str]:
    """Other forms of a URL, with or without its scheme."""
    typed = text.strip()
    if not SCHEME.match(typed):
        if not is_host_like(typed) and not _ADDRESS_LIKE.fullmatch(typed):
            return
        typed = "https://" + typed
    try:
        url = canonical(typed)
    except BadName:
        return
    changes = sorted(product((False, True), repeat=3), key=lambda change: (sum(change), change))
    for path, (slash, www, scheme) in product([url, *_path_twins(url)], changes):
        other: str | None = path
        if scheme:
            other = _scheme_twin(path)
        if www and other:
            other = _www_twin(other)
        if slash and other:
            other = slash_twin(other)
        if other:
            yield other


def spellings_of_name(text: str) -> Iterator[str]:
    """Other forms of a plain name that is a file path: without `./`, fragment or escapes; with
    another extension or none; as an index page.
    """
    name = text.strip()
    if "://" in name or len(name) > LONGEST:
        return
    name = name.removeprefix("./").lstrip("/")
    for bare in dict.fromkeys(
        [name, name.partition("#")[0], name.partition("#")[0].partition("?")[0]]
    ):
        for spelt in dict.fromkeys([bare, unquote(bare)]):
            if spelt:
                yield spelt
                yield from _file_twins(spelt)


def _path_twins(url: str) -> list[str]:
    """A URL with another extension, and as the index page of a folder."""
    parts = _PARTS.fullmatch(url)
    if parts is None:
        return []
    root, path, rest = parts.groups()
    return [root + twin + rest for twin in _file_twins(path)]


def _file_twins(path: str) -> list[str]:
    """A path with its extension added or removed, and as the index page of a folder."""
    folder, slash, last = path.rpartition("/")
    if not last:
        return [path + "index.html"]
    stem, dot, ending = last.rpartition(".")
    if dot and stem and "." + ending.lower() in ENDINGS:
        twins = [folder + slash + stem]
        return twins + ([folder + slash] if stem.lower() in INDEX and (folder or slash) else [])
    return [path + ".html", path + ".md", path + "/index.html"]


def is_host_like(text: str) -> bool:
    """Whether a string may be a URL without its scheme, `example.org:80/path`.

    The host needs at least two labels, with a letter in the last. Each character is read a bounded
    number of times.
    """
    parts = _AUTHORITY.fullmatch(text)
    if parts is None:
        return False
    labels = parts[1].removesuffix(".").split(".")
    return (
        len(labels) > 1
        and all(map(_LABEL.fullmatch, labels))
        and _LETTER.search(labels[-1]) is not None
    )


def _scheme_twin(url: str) -> str | None:
    if url.startswith("http://"):
        return "https://" + url[7:]
    return "http://" + url[8:] if url.startswith("https://") else None


def _www_twin(url: str) -> str | None:
    scheme, _, rest = url.partition("://")
    if scheme == "file" or _ADDRESS_LIKE.match(rest):
        return None
    return f"{scheme}://{rest[4:] if rest.startswith('www.') else 'www.' + rest}"


_PARTS = re.compile(r"((?:https?|ftp|file)://[^/?#]*)([^?#]*)(.*)", re.S | re.I)


def ancestors(url: str) -> Iterator[str]:
    """The URL without its query, then without its last path element … up to the root.

    DH99, sec. 2.2.  A plain name cannot be chopped.
    """
    parts = _PARTS.fullmatch(url)
    if parts is None:
        return
    root, path, rest = parts.groups()
    if rest and path:
        yield root + path
    while path != "/":
        path = path[: path.rfind("/", 0, -1) + 1] or "/"
        yield root + path


def slash_twin(url: str) -> str | None:
    """The URL with its trailing slash added or removed; None for a root or a plain name."""
    parts = _PARTS.fullmatch(url)
    if parts is None:
        return None
    root, path, rest = parts.groups()
    if path == "/":
        return None
    return root + (path[:-1] if path.endswith("/") else path + "/") + rest
