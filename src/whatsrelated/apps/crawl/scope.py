"""Which addresses belong to a crawl, and where sites go on for ever.

A crawl stays within the hosts, the domains or the folders of the URLs that it began
with.  Addresses are compared in canonical form, without the parameters that only tell
one visitor from another.

A trap is a site that makes up addresses without end: calendars, session ids, folders
in folders.  So addresses are sorted into patterns (numbers and long codes alike, the
names of parameters without their values), of which so many are fetched and no more, and
one that repeats itself or is very deep is not fetched at all.
"""

from __future__ import annotations

import re
from collections import Counter

from whatsrelated.names.canonical import BadName, canonical
from whatsrelated.names.hosts import domain_of, host_of

MOST_SEGMENTS = 20
"""Parts of a path beyond which nobody has put a page by hand."""

_SESSION = re.compile(
    r"(?i);jsessionid=[^/?]*|(?<=[?&])(?:phpsessid|jsessionid|aspsessionid\w*|session_?id|sid)"
    r"=[^&]*&?"
)
_CODE = re.compile(r"[0-9]+|[0-9a-fA-F-]{16,}|[A-Za-z0-9_-]{32,}")


class Scope:
    """The addresses that a crawl may fetch."""

    def __init__(self, starts: list[str], within: str) -> None:
        self.within = within
        self._owners = {self._owner(url) for url in starts}
        self._folders = tuple({url.partition("?")[0].rpartition("/")[0] + "/" for url in starts})

    def has(self, url: str) -> bool:
        """Whether a canonical URL is within the crawl."""
        if self.within == "folder":
            return url.startswith(self._folders)
        return self._owner(url) in self._owners

    def _owner(self, url: str) -> str:
        host = host_of(url) or ""
        return domain_of(host) if self.within == "domain" else host


def page_address(url: str) -> str:
    """The one address of a page to fetch; BadName where it is none."""
    found = canonical(_SESSION.sub("", url).rstrip("?&"))
    if not found.startswith(("http://", "https://")):
        raise BadName("not http")
    return found


def pattern_of(url: str) -> str:
    """What an address has in common with those that a program made up beside it."""
    path, _, query = url.partition("?")
    names = sorted({parameter.partition("=")[0] for parameter in query.split("&")} - {""})
    host, slash, rest = path.partition("://")[2].partition("/")
    return f"{host}{slash}{_CODE.sub('#', rest)}?{'&'.join(names)}"


def is_endless(url: str) -> bool:
    """Whether an address goes in circles: very deep, or with a part again and again."""
    path = url.partition("?")[0].partition("://")[2]
    parts = [part for part in path.split("/")[1:] if part]
    return len(parts) > MOST_SEGMENTS or any(count > 3 for count in Counter(parts).values())
