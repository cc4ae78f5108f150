"""Resolve a link against the address of its page, as browsers do.

`ada_url.join_url` is correct for every link, but takes as long as everything else we do for a link.
For plain links (full URLs, `//host/path`, `/path`, `path`, `../path`, `?query`), the vast majority,
joining strings is enough (`kernels.url_joins`). The rest go to ada; the results are the same.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from whatsrelated import kernels
from whatsrelated.names.canonical import MAX_BYTES, BadName


class UrlBase:
    """The address of a page, prepared for resolving links."""

    __slots__ = ("join_plain", "url")

    def __init__(self, url: str) -> None:
        try:
            self.url = absolute_url(url)
        except BadName:
            self.url = url  # the page's absolute links still work
        self.join_plain = kernels.url_joins.Base(self.url, MAX_BYTES).join
        """A link as an absolute URL; None if it is not plain."""

    def join(self, href: str) -> str:
        """A link as an absolute URL, with its fragment; raises BadName if it is not a URL."""
        plain = self.join_plain(href)
        if plain is not None:
            return plain
        if len(href) > MAX_BYTES:
            raise BadName("too long")
        return join_url(self.url, href)


def join_url(base: str, href: str) -> str:
    """A link as an absolute URL, by the URL standard; raises BadName if it is not a URL."""
    try:
        return str(_ada().join_url(base, href))
    except ValueError:
        raise BadName("not a URL") from None


def absolute_url(url: str) -> str:
    """A URL in WHATWG form, without its fragment; raises BadName if it is not a URL."""
    try:
        return str(_ada().normalize_url(url)).partition("#")[0]
    except ValueError:
        raise BadName("not a URL") from None


@cache
def _ada() -> Any:
    import ada_url

    return ada_url
