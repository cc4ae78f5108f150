"""The edge of a crawl: pages that were not read, on hosts that were.

Such a page is known by the links to it alone, and what it links to is not known.  No method
counts that against a page; evidence says it.  A page on a host of which nothing was read is
not at the edge but outside: nobody set out to read it.  Plain names have no host, and no edge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from whatsrelated.graph.store import Store

UNREAD = "The page itself was not read."
CHUNK = 4096
"""So many pages of a host are looked at together; mostly the first chunk has one that was read."""


def host_was_read(store: Store, page: int) -> bool:
    """Whether any page of a page's host was read; the pages of a host are in one run."""
    host, _, _ = store.names.get(page).partition(b")")
    first, end = store.names.starting(host + b")")
    for begin in range(first, end, CHUNK):
        run = np.arange(begin, min(begin + CHUNK, end))
        if store.is_read(run[store.hosts[run] == store.hosts[page]]).any():
            return True
    return False


def at_edge(store: Store, page: int) -> bool:
    """Whether a page was not read, though its host was, where the graph knows it."""
    if "read" not in store.arrays:
        return False
    return not store.is_read(np.array([page]))[0] and host_was_read(store, page)
