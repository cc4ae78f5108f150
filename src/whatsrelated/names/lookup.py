"""The names that a person may mean by what he types, and the URLs above a URL."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from whatsrelated.names.canonical import SCHEME, BadName, canonical
from whatsrelated.names.hosts import IP

_HOST_LIKE = re.compile(r"(?:[\w-]+\.)+[\w-]*[^\W\d_][\w-]*\.?(?::[0-9]+)?(?:[/?#].*)?", re.S)
_ADDRESS_LIKE = re.compile(rf"(?:{IP}|localhost)(?::[0-9]+)?(?:[/?#].*)?", re.S)


def likely_names(text: str) -> Iterator[str]:
    """The names that a person may have meant, likeliest first, each once."""
    seen: set[str] = set()
    for raw in _meant(text):
        try:
            name = canonical(raw)
        except BadName:
            continue
        if name not in seen:
            seen.add(name)
            yield name


def _meant(text: str) -> Iterator[str]:
    yield text
    given = text.strip()
    if not SCHEME.match(given):
        if given.lower().endswith(".md"):  # a note, which is named by its path without it
            yield given[:-3]
        if not _HOST_LIKE.fullmatch(given) and not _ADDRESS_LIKE.fullmatch(given):
            return
        given = "https://" + given
    try:
        url = canonical(given)
    except BadName:
        return
    changes = sorted(product((False, True), repeat=3), key=lambda change: (sum(change), change))
    for slash, www, scheme in changes:
        other: str | None = url
        if scheme:
            other = _scheme_twin(url)
        if www and other:
            other = _www_twin(other)
        if slash and other:
            other = slash_twin(other)
        if other:
            yield other


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

    DH99, sec. 2.2.  A plain name has nothing to chop.
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
