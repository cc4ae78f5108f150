"""Joining a link with the address of its page, as browsers do it.

`ada_url.join_url` is right for every link and costs as much as all else that is done
for one.  Most links are plain, and for those joining is putting strings together
(`kernels.url_joins`): full URLs, `//host/path`, `/path`, `path`, `../path`, `?query`.
Everything else goes to ada, so that the results are the same for all links.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from whatsrelated import kernels
from whatsrelated.names.canonical import MAX_BYTES, BadName


class UrlBase:
    """The address of a page, prepared for joining links with it."""

    __slots__ = ("join_plain", "url")

    def __init__(self, url: str) -> None:
        try:
            self.url = absolute_url(url)
        except BadName:
            self.url = url  # its full links are as good as any
        self.join_plain = kernels.url_joins.Base(self.url, MAX_BYTES).join
        """A link as an absolute URL; None where it is not plain."""

    def join(self, href: str) -> str:
        """A link as an absolute URL, its fragment kept; BadName where it is no URL."""
        plain = self.join_plain(href)
        if plain is not None:
            return plain
        if len(href) > MAX_BYTES:
            raise BadName("too long")
        return join_url(self.url, href)


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
