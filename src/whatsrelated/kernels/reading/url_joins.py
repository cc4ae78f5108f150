"""Resolve plain links against their page's URL, in plain Python.

A link is plain if the URL standard leaves it unchanged: no characters that need escaping, no
escaped dots (`%2e`), and a lower-case host that is neither a number nor Punycode. Dot segments are
resolved here; all other links need a full URL parser.
"""

from __future__ import annotations

import re

_PATH = r"(?:[A-Za-z0-9._~!$&'()*+,;=@/:-]|%(?!2[eE]))*"
_REST = r"(?:\?[A-Za-z0-9._~!$&()*+,;=:@/?%-]*)?(?:#[A-Za-z0-9._~!$&'()*+,;=:@/?%-]*)?"
_HOST = r"(?:(?!xn--)[a-z0-9_-]+\.)*(?!xn--)[a-z][a-z0-9_-]*"
_WITH_HOST = re.compile(rf"((?:https?:)?//{_HOST})(?:/({_PATH})({_REST}))?")
_WITHOUT = re.compile(rf"(/?)({_PATH})({_REST})")
_BASE = re.compile(r"(https?:)//[^/]+/")


class Base:
    """A page's URL in WHATWG form, prepared for resolving plain links."""

    def __init__(self, url: str, longest: int) -> None:
        self._longest = longest
        self._web = _BASE.match(url) if url.isascii() else None
        self._path = re.split(r"[?#]", url, maxsplit=1)[0]

    def join(self, href: str) -> str | None:
        """The link as an absolute URL; None if it is not plain and needs the full parser."""
        if self._web is None or not 0 < len(href) <= self._longest or href[0] == "#":
            return None
        if href.startswith(("//", "http://", "https://")):
            return self._join_with_host(href)
        match = _WITHOUT.fullmatch(href)
        if match is None:
            return None
        slash, path, rest = match.groups()
        if not slash and ":" in path.partition("/")[0]:
            return None
        origin = self._web[0]
        if not slash and not path:
            return self._path + rest
        folder = [] if slash else self._path[len(origin) :].split("/")[:-1]
        return origin + _resolve(folder, path) + rest

    def _join_with_host(self, href: str) -> str | None:
        assert self._web is not None
        match = _WITH_HOST.fullmatch(href)
        if match is None:
            return None
        scheme = self._web[1] if href[0] == "/" else ""
        return f"{scheme}{match[1]}/{_resolve([], match[2] or '')}{match[3] or ''}"


def _resolve(folder: list[str], path: str) -> str:
    """Append a path to a folder and resolve dot segments; neither has a leading slash."""
    *inner, last = path.split("/")
    segments = list(folder)
    for segment in [*inner, last]:
        if segment == "..":
            del segments[-1:]
        elif segment != ".":
            segments.append(segment)
    if last in (".", ".."):
        segments.append("")
    return "/".join(segments)
