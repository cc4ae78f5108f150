"""Which URLs belong to a crawl, and how to avoid endless sites.

A crawl stays on the hosts, domains or folders of its start URLs.  URLs are compared in
canonical form, without parameters that only identify a visitor.

Some sites are traps, which generate URLs endlessly: calendars, session ids, nested folders. URLs
are therefore grouped into patterns that ignore numbers, long codes and parameter values, and each
pattern has a limit. A URL that is very deep or repeats its segments is not fetched at all.
"""

from __future__ import annotations

import re
from collections import Counter

from whatsrelated.names.canonical import BadName, canonical
from whatsrelated.names.hosts import domain_of, host_of

MAX_SEGMENTS = 20
"""Maximum depth of a path; people do not nest pages more deeply by hand."""

_SESSION = re.compile(
    r"(?i);jsessionid=[^/?]*|(?<=[?&])(?:phpsessid|jsessionid|aspsessionid\w*|session_?id|sid)"
    r"=[^&]*&?"
)
_CODE = re.compile(r"[0-9]+|[0-9a-fA-F-]{16,}|[A-Za-z0-9_-]{32,}")


class Scope:
    """The URLs that a crawl may fetch."""

    def __init__(self, starts: list[str], within: str) -> None:
        self.within = within
        self._owners = {self._owner(url) for url in starts}
        self._folders = tuple({url.partition("?")[0].rpartition("/")[0] + "/" for url in starts})

    def has(self, url: str) -> bool:
        """Whether a canonical URL is in scope."""
        if self.within == "folder":
            return url.startswith(self._folders)
        return self._owner(url) in self._owners

    def _owner(self, url: str) -> str:
        host = host_of(url) or ""
        return domain_of(host) if self.within == "domain" else host


def page_address(url: str) -> str:
    """The canonical URL to fetch a page from; raises BadName if it is not a URL."""
    address = canonical(_SESSION.sub("", url).rstrip("?&"))
    if not address.startswith(("http://", "https://")):
        raise BadName("not http")
    return address


def pattern_of(url: str) -> str:
    """The pattern that a URL shares with others from the same generator."""
    path, _, query = url.partition("?")
    names = sorted({parameter.partition("=")[0] for parameter in query.split("&")} - {""})
    host, slash, rest = path.partition("://")[2].partition("/")
    return f"{host}{slash}{_CODE.sub('#', rest)}?{'&'.join(names)}"


def is_endless(url: str) -> bool:
    """Whether a URL looks endless: very deep, or with repeated segments."""
    path = url.partition("?")[0].partition("://")[2]
    parts = [part for part in path.split("/")[1:] if part]
    return len(parts) > MAX_SEGMENTS or any(count > 3 for count in Counter(parts).values())
