"""What pages share: the parents of two pages, and the pages in several lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.kernels.scratch import scratch_of
from whatsrelated.vicinity.gathering import SIBLING
from whatsrelated.vicinity.wording import MOST_LISTED

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.graph import Store


def distinct(*lists: NDArray[uint32]) -> int:
    """The number of different pages in the lists."""
    return len(
        kernels.row_sums.places(scratch_of(kernels.row_sums.Scratch), np.concatenate(lists))[0]
    )


def linking_pages(store: Store, pages: NDArray[uint32], target: int) -> NDArray[uint32]:
    """The pages that link to a target, found by reading their links."""
    scratch = scratch_of(kernels.vicinity.Vicinity)
    scratch.clear(1)
    scratch.add(np.array([target], np.uint32), SIBLING, np.empty(0, np.uint32))
    numbers = np.arange(len(pages), dtype=np.uint32)
    found, _ = scratch.crossings(store.links, pages, numbers, None, backward=False)
    return pages[found]


def shared_parents(
    store: Store, parents: NDArray[uint32], page: int, other: int, most: int = MOST_LISTED
) -> tuple[int, list[dict[str, Any]]]:
    """How many parents of a page also link to another, and up to `most` of them.

    They are sorted by number of links, fewest first, then by page number.  Each comes with its
    number of links and the distance from the first link to the second.
    """
    sharing = linking_pages(store, parents, other)
    first = np.lexsort((sharing, store.out_degree(sharing)))[:most]
    listed = []
    for parent in sharing[first].tolist():
        links = store.links_from(parent)
        distance = int(np.argmax(links == other)) - int(np.argmax(links == page))
        listed.append({"url": store.url(parent), "links": len(links), "distance": distance})
    return len(sharing), listed


def sharing_sentence(shared: int, parents: int, asked: int = 1) -> str:
    """How many parents of the query pages ("it") also link to a result, in words."""
    it = "it" if asked == 1 else "them"
    if parents == 1:
        return f"the only page that links to {it} links here too"
    if shared == parents:
        every = "both" if parents == 2 else f"all {parents:,}"
        return f"{every} pages that link to {it} link here too"
    links = "links" if shared == 1 else "link"
    return f"{shared:,} of the {parents:,} pages that link to {it} {links} here too"
