"""The links of one page, as the plain kernels read them from `Links`, compiled or plain."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.kernels.plain.links import Links


def children_of(links: Links, page: int) -> NDArray[uint32]:
    """What a page links to, in page order."""
    return links.out_links[int(links.out_offsets[page]) : int(links.out_offsets[page + 1])]


def parents_of(links: Links, page: int) -> NDArray[uint32]:
    """What links to a page."""
    return links.in_links[int(links.in_offsets[page]) : int(links.in_offsets[page + 1])]


def row_of(links: Links, page: int, backward: bool) -> list[int]:
    """What a page links to; `backward`, what links to it."""
    row: list[int] = (parents_of if backward else children_of)(links, page).tolist()
    return row


def out_degree(links: Links, page: int) -> int:
    return int(links.out_offsets[page + 1]) - int(links.out_offsets[page])
