"""The links of a graph, in both directions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.kernels.shared import packing

if TYPE_CHECKING:
    from numpy import int64, uint32, uint64
    from numpy.typing import NDArray

    Direction = tuple[NDArray[uint32], NDArray[uint32], NDArray[uint64]]
    """Index, long entries and words."""


class Arena:
    """The decoded packed lists of a thread; the plain kernels keep none."""

    def __init__(self) -> None:
        self.owner: object = None

    def serve(self, owner: object) -> None:
        """Switch to the graph of `owner`."""
        self.owner = owner


@dataclass
class Links:
    """Page p links to out_links[out_offsets[p]:out_offsets[p + 1]].

    `far` means that they do not fit in memory.
    """

    out_offsets: NDArray[uint64]
    out_links: NDArray[uint32]
    in_offsets: NDArray[uint64]
    in_links: NDArray[uint32]
    far: bool = False

    def row(self, page: int, backward: bool) -> NDArray[uint32]:
        """The links of a page; if `backward`, its parents."""
        offsets = self.in_offsets if backward else self.out_offsets
        links = self.in_links if backward else self.out_links
        return links[int(offsets[page]) : int(offsets[page + 1])]

    def degrees(self, pages: NDArray[Any], backward: bool) -> NDArray[int64]:
        """The number of links per page; if `backward`, the number of parents."""
        offsets = self.in_offsets if backward else self.out_offsets
        numbers = np.asarray(pages, np.int64)
        return np.asarray(offsets[numbers + 1] - offsets[numbers], np.int64)

    def is_inward(self, sites: NDArray[uint32], page: int) -> bool:
        """Whether a page has links or parents, all on its own site."""
        linked = np.concatenate([self.row(page, False), self.row(page, True)])
        return len(linked) > 0 and bool((sites[linked] == sites[page]).all())


class PackedLinks(Links):
    """Both directions of a packed graph."""

    def __init__(
        self,
        outward: Direction,
        inward: Direction,
        pages: int,
        wide: int,
        arena: Arena,
        far: bool = False,
    ) -> None:
        self._directions = outward, inward
        self.wide, self.arena, self.far = wide, arena, far

    def row(self, page: int, backward: bool) -> NDArray[uint32]:
        """The links of a page; if `backward`, its parents."""
        packed = self._directions[backward]
        links = np.empty(int(packing.degrees(*packed, page, page + 1)[0]), np.uint32)
        packing.decode(*packed, page, page + 1, self.wide, links)
        return links

    def degrees(self, pages: NDArray[Any], backward: bool) -> NDArray[int64]:
        """The number of links per page; if `backward`, the number of parents."""
        packed = self._directions[backward]
        counts = [packing.degrees(*packed, page, page + 1)[0] for page in pages.tolist()]
        return np.array(counts, np.int64)
