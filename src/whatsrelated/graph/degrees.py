"""The degrees of all pages, one piece at a time to save memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.graph.rows import PAGES_PER_BATCH

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

    from whatsrelated.graph.store import Store


def degree_pieces(store: Store, *, backward: bool) -> Iterator[tuple[int, NDArray[int64]]]:
    """Pieces, each with its first page and the number of links per page; with `backward`, of
    parents.
    """
    for low in range(0, store.n_pages, PAGES_PER_BATCH):
        pages = np.arange(low, min(low + PAGES_PER_BATCH, store.n_pages), dtype=np.uint32)
        yield low, store.in_degree(pages) if backward else store.out_degree(pages)


def highest_in_degree(store: Store) -> int:
    """The highest in-degree of any page."""
    pieces = degree_pieces(store, backward=True)
    return max((int(degrees.max()) for _, degrees in pieces), default=0)


def most_linked(store: Store, count: int) -> NDArray[int64]:
    """The pages with the highest in-degree, highest first; ties are in page order."""
    pages, parents = np.empty(0, np.int64), np.empty(0, np.int64)
    for low, degrees in degree_pieces(store, backward=True):
        lowest = int(parents[-1]) if len(parents) == count and count else -1
        better = np.flatnonzero(degrees > lowest)
        pages = np.concatenate([pages, low + better])
        parents = np.concatenate([parents, degrees[better]])
        order = np.lexsort((pages, -parents))[:count]
        pages, parents = pages[order], parents[order]
    return pages
