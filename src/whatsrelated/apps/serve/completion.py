"""Complete what a user types: part of a URL, a title or a name.

1. Search up to `MAX_PAGES` of the most linked pages, since most people look for those. Their names
   form one lower-case text, most linked page first. It is searched for the start of a word, then
   for any part of one.
2. Once the input includes the host, search all pages by the start of their URL. Names are sorted,
   so these pages are consecutive.

The text is built on first use: 100,000 pages take half a second.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.api.stores import most_linked
from whatsrelated.names.hosts import host_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy import int64
    from numpy.typing import NDArray

    from whatsrelated.api import Graph

MAX_PAGES = 100_000
MAX_SEEN = 5_000
"""Maximum number of matches to examine."""

UNSPOKEN = ("https://www.", "http://www.", "https://", "http://", "www.")


class Completion:
    """The most linked pages of a graph, searchable by any part of their names."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        store = graph.store
        self.pages = most_linked(graph.store, MAX_PAGES)
        lines = []
        for page in self.pages.tolist():
            name = f" {_spoken(store.url(page))}\t {store.title(page) or ''}\n"
            lines.append(name.lower().encode("utf-8", "replace"))
        self.text = b"".join(lines)
        lengths = np.fromiter(map(len, lines), np.int64, len(lines))
        self.ends: NDArray[int64] = np.cumsum(lengths)

    def pages_for(self, typed: str, limit: int) -> list[int]:
        """The pages whose name the user may be typing, most likely first."""
        pages = dict.fromkeys(islice(self._containing(typed), limit))
        for page in islice(self.graph.store.names.pages_starting(typed.strip()), limit):
            pages.setdefault(page)
        return list(pages)[:limit]

    def _containing(self, typed: str) -> Iterator[int]:
        needle = _needle(typed.strip().lower()).encode("utf-8", "replace")
        if not needle:
            yield from self.pages[:MAX_SEEN].tolist()
            return
        within: dict[int, None] = {}
        seen: set[int] = set()
        place = -1
        for _ in range(MAX_SEEN):
            place = self.text.find(needle, place + 1)
            if place < 0:
                break
            line = int(np.searchsorted(self.ends, place, "right"))
            page = int(self.pages[line])
            if page in seen:
                continue
            if not self.text[place - 1 : place].isalnum():
                seen.add(page)
                yield page
            else:
                within.setdefault(page)
        yield from (page for page in within if page not in seen)


def _spoken(url: str) -> str:
    """A URL without the parts that nobody types, the scheme and `www.`."""
    host = host_of(url)
    if host is None:
        return url
    return url.partition("://")[2].removeprefix("www.").removesuffix("/")


def _needle(typed: str) -> str:
    """The text to search for: the input without a scheme or `www.`, even if these are only partly
    typed.
    """
    if len(typed) > 2 and any(start.startswith(typed) for start in UNSPOKEN):
        return ""
    start = next(filter(typed.startswith, UNSPOKEN), "")
    return typed.removeprefix(start).removesuffix("/")
