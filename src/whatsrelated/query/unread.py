"""The edge of a crawl: unread pages on hosts that were read.

Such a page is known only by the links to it; its own links are unknown. No method counts that
against a page, but the evidence mentions it. If no page of a host was read, its pages are outside
the crawl, not at its edge. Plain names have no host and so no edge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.graph.store import Store

CHUNK = 4096
"""Number of a host's pages to check at a time; usually, one in the first chunk was read."""


def host_was_read(store: Store, page: int) -> bool:
    """Whether any page on a page's host was read. The pages of a host have consecutive numbers."""
    host, _, _ = store.names.get(page).partition(b")")
    first, end = store.names.starting(host + b")")
    for begin in range(first, end, CHUNK):
        run = np.arange(begin, min(begin + CHUNK, end))
        if store.is_read(run[store.hosts[run] == store.hosts[page]]).any():
            return True
    return False


def at_edge(store: Store, pages: NDArray[uint32]) -> set[int]:
    """The pages that were not read although their hosts were; none if reading is not recorded."""
    if "read" not in store.arrays:
        return set()
    unread = pages[~store.is_read(pages)].tolist()
    return {page for page in unread if host_was_read(store, page)}
