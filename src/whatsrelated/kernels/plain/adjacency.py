"""The links of one page, as the plain kernels read them from `Links`, compiled or plain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.kernels.plain.links import Links


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
