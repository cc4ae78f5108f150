"""Near-duplicates: pages whose links are nearly the same (DH99, sec. 2.1.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whatsrelated import kernels

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.graph import Store

NEAR_DUPLICATE = (10, 95, 100)
"""More than 10 links each, and 95 of 100 of the longer list in both (DH99, sec. 2.1.2)."""


def near_duplicates(store: Store, pages: NDArray[uint32]) -> NDArray[uint32]:
    """For each of the pages, the place of the first of its near-duplicates; its own if none.

    Transitive: whoever is a near-duplicate of a near-duplicate is of the group.
    """
    return kernels.duplicates.near_duplicates(store.links, pages, NEAR_DUPLICATE)
