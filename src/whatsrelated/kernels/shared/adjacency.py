"""The links of one page, as the plain kernels read them from `Links`, compiled or plain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.kernels.shared.links import Links


def children_of(links: Links, page: int) -> NDArray[uint32]:
    """What a page links to, in page order."""
    return links.row(page, False)


def parents_of(links: Links, page: int) -> NDArray[uint32]:
    """What links to a page."""
    return links.row(page, True)


def row_of(links: Links, page: int, backward: bool) -> list[int]:
    """What a page links to; `backward`, what links to it."""
    row: list[int] = links.row(page, backward).tolist()
    return row


def out_degree(links: Links, page: int) -> int:
    return int(links.degrees(np.array([page]), False)[0])


def sampled_parents(links: Links, page: int, most: int, start: float) -> NDArray[uint32]:
    """What links to a page; if more than `most`, an even sample (`contract.sampling`)."""
    parents = parents_of(links, page)
    if len(parents) <= most:
        return parents
    return parents[np.floor((np.arange(most) + start) * len(parents) / most).astype(np.int64)]
