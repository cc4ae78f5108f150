"""What pages share: the parents of two pages, and how many pages several lists hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.kernels.scratch import scratch_of
from whatsrelated.vicinity.gathering import SIBLING

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.graph import Store


def distinct(*lists: NDArray[uint32]) -> int:
    """How many different pages there are in the lists."""
    return len(kernels.sums.places(scratch_of(kernels.sums.Scratch), np.concatenate(lists))[0])


def linking(store: Store, pages: NDArray[uint32], target: int) -> NDArray[uint32]:
    """Those of the pages that link to a target, at the cost of reading their links."""
    held = scratch_of(kernels.vicinity.Vicinity)
    held.clear(1)
    held.add(np.array([target], np.uint32), SIBLING, np.empty(0, np.uint32))
    numbers = np.arange(len(pages), dtype=np.uint32)
    found, _ = held.crossings(store.links, pages, numbers, None, backward=False)
    return pages[found]


def shared_parents(
    store: Store, parents: NDArray[uint32], page: int, other: int, shown: int
) -> tuple[int, list[dict[str, Any]]]:
    """How many of the parents of a page link to the other too, and the most specific of them.

    Fewest links first, then page number; with each, its number of links, and how
    far the second link stands after the first.
    """
    sharing = linking(store, parents, other)
    first = np.lexsort((sharing, store.out_degree(sharing)))[:shown]
    listed = []
    for parent in sharing[first].tolist():
        links = store.links_from(parent)
        distance = int(np.argmax(links == other)) - int(np.argmax(links == page))
        listed.append({"url": store.url(parent), "links": len(links), "distance": distance})
    return len(sharing), listed
