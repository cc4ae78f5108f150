"""The links of one page, for the plain kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.kernels.shared.links import Links


def children_of(links: Links, page: int) -> NDArray[uint32]:
    """The links of a page, in page order."""
    return links.row(page, False)


def parents_of(links: Links, page: int) -> NDArray[uint32]:
    """The parents of a page."""
    return links.row(page, True)


def row_of(links: Links, page: int, backward: bool) -> list[int]:
    """The links of a page; if `backward`, its parents."""
    row: list[int] = links.row(page, backward).tolist()
    return row


def out_degree(links: Links, page: int) -> int:
    return int(links.degrees(np.array([page]), False)[0])


def sampled_parents(links: Links, page: int, size: int, start: float) -> NDArray[uint32]:
    """The parents of a page, or an even sample if there are more than `size`
    (`contract.sampling`).
    """
    parents = parents_of(links, page)
    if len(parents) <= size:
        return parents
    return parents[np.floor((np.arange(size) + start) * len(parents) / size).astype(np.int64)]
