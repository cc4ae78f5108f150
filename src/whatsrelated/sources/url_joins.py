"""Joining a link with the address of its page, as browsers do it.

`ada_url.join_url` is right for every link and costs as much as parsing the page
it stands on.  Most links are plain, and for those joining is putting strings
together:

1. a full URL with a plain host and path stays as it is;
2. `/path` follows the origin, `path` the folder of the page, and each `../`
   before it goes up one folder.

Plain is what the URL standard would leave unchanged: characters that are never
escaped, no dot segments (`/./`, `%2e`), a host in lower case that is neither a
number nor in Punycode.  Everything else goes to ada, so that the results are
the same for all links.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from whatsrelated.names.canonical import MAX_BYTES, BadName

_PATH = r"[A-Za-z0-9._~!$&'()*+,;=@/-]*+(?:%(?!2[eE])[A-Za-z0-9._~!$&'()*+,;=@/-]*+)*+"
_QUERY = r"(?:\?[A-Za-z0-9._~!$&()*+,;=:@/?%-]*+)?+"
_ABSOLUTE = re.compile(
    r"https?://(?:(?!xn--)[a-z0-9_-]++\.)*+(?!xn--)[a-z][a-z0-9_-]*+"
    rf"(/{_PATH}(?::{_PATH})*+{_QUERY})?+"
).fullmatch
_ROOTED = re.compile(rf"/(?![/.]){_PATH}{_QUERY}").fullmatch
_RELATIVE = re.compile(rf"[A-Za-z0-9_~!$&'()*+,;=@-]{_PATH}{_QUERY}").fullmatch
_WEB = re.compile(r"https?://[^/]+/")


class UrlBase:
    """The address of a page, prepared for joining links with it."""

    __slots__ = ("_folder", "_origin", "_parent", "_plain", "_top", "url")

    def __init__(self, url: str) -> None:
        try:
            self.url = absolute_url(url)
        except BadName:
            self.url = url  # its full links are as good as any
        web = _WEB.match(self.url)
        self._plain = web is not None
        self._origin = web[0][:-1] if web else ""
        self._top = len(self._origin) + 1
        path = self.url.partition("?")[0]
        self._folder = path[: path.rfind("/") + 1]
        self._parent = _parent_of(self._folder, self._top) if web else ""

    def join(self, href: str) -> str:
        """A link as an absolute URL, its fragment kept; BadName where it is no URL."""
        if len(href) > MAX_BYTES:
            raise BadName("too long")
        if self._plain and "/." not in href:
            first = href[:1]
            if first == "/":
                if _ROOTED(href):
                    return self._origin + href
            elif href.startswith("http") and (absolute := _ABSOLUTE(href)):
                return href if absolute[1] else href + "/"
            elif _RELATIVE(href):
                return self._folder + href
            elif first == "." and href.startswith("../") and _RELATIVE(href, 3):
                return self._parent + href[3:]
        elif self._plain and href.startswith("../../"):
            return self._join_above(href)
        return join_url(self.url, href)

    def _join_above(self, href: str) -> str:
        """`../../x`: from the parent's parent, and so on."""
        parent, rest = self._parent, href[3:]
        while rest.startswith("../"):
            parent, rest = _parent_of(parent, self._top), rest[3:]
        if "/." in rest or not _RELATIVE(rest):
            return join_url(self.url, href)
        return parent + rest


def _parent_of(folder: str, top: int) -> str:
    """The folder above; none is above the first `top` characters."""
    return folder[: folder.rindex("/", 0, -1) + 1] if len(folder) > top else folder


def join_url(base: str, href: str) -> str:
    """A link as an absolute URL, by the URL standard; BadName where it is no URL."""
    try:
        return str(_ada().join_url(base, href))
    except ValueError:
        raise BadName("not a URL") from None


def absolute_url(url: str) -> str:
    """A URL in WHATWG form, without its fragment; BadName where it is none."""
    try:
        return str(_ada().normalize_url(url)).partition("#")[0]
    except ValueError:
        raise BadName("not a URL") from None


@cache
def _ada() -> Any:
    import ada_url

    return ada_url
