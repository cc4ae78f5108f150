"""One direction of packed links, read as if it were an array of all links.

Links are decoded piece by piece as they are read. Only the offsets, 8 bytes per page, are kept
after first use.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from whatsrelated import kernels

if TYPE_CHECKING:
    from numpy import uint32, uint64
    from numpy.typing import NDArray

PAGES_PER_BATCH = 1 << 20
"""Number of pages whose degrees are read at a time."""
INDEX, LONGS, WORDS = ".index", ".long", ".packed"
"""The names of the arrays of packed links, after the direction."""
PAGES_IN_BLOCK = 16
"""Number of pages whose packed links share a line of the index."""
LINE = 5
"""Number of index entries per line: the position of the links, and a byte for each degree."""
LONG = 255
"""Replaces the degree of a page that is among the long entries."""


class LinkArray(Protocol):
    """The links of all pages, one page after another."""

    def __len__(self) -> int: ...

    def __getitem__(self, span: slice) -> NDArray[uint32]: ...

    def __array__(self) -> NDArray[uint32]: ...


class PackedRows:
    """The packed links of one direction."""

    def __init__(self, arrays: dict[str, NDArray[Any]], direction: str, pages: int) -> None:
        index: NDArray[uint32] = arrays[direction + INDEX]
        longs: NDArray[uint32] = arrays[direction + LONGS]
        words: NDArray[uint64] = arrays[direction + WORDS]
        self.arrays = index, longs, words
        self.pages = pages
        self.wide = kernels.packing.width(pages)

    @cached_property
    def offsets(self) -> NDArray[uint64]:
        """The start of each page's links, and the end of the last."""
        offsets = np.zeros(self.pages + 1, np.uint64)
        for low in range(0, self.pages, PAGES_PER_BATCH):
            high = min(low + PAGES_PER_BATCH, self.pages)
            offsets[low + 1 : high + 1] = self.degrees(low, high)
        np.cumsum(offsets, out=offsets)
        return offsets

    def degrees(self, low: int, high: int) -> NDArray[uint64]:
        """The number of links per page in a range."""
        return kernels.packing.degrees(*self.arrays, low, high)

    def read(self, low: int, high: int) -> NDArray[uint32]:
        """The links of a range of pages."""
        links = np.empty(int(self.offsets[high] - self.offsets[low]), np.uint32)
        kernels.packing.decode(*self.arrays, low, high, self.wide, links)
        return links

    def fault(self, links: int) -> str | None:
        """The first fault in the lists, or None."""
        count = 0
        fault = self._long_fault()
        if fault:
            return fault
        for low in range(0, self.pages, PAGES_PER_BATCH):
            high = min(low + PAGES_PER_BATCH, self.pages)
            page = kernels.packing.fault(*self.arrays, low, high, self.pages, self.wide)
            if page >= 0:
                return f"the packed links of page {page:,} are damaged"
            count += int(self.degrees(low, high).sum())
        return None if count == links else f"{count:,} links are packed instead of {links:,}"

    def _long_fault(self) -> str | None:
        """The first fault in the long entries, or None.

        The index must mark exactly these pages as long.
        """
        index, longs, _ = self.arrays
        entries = longs[: len(longs) // 3 * 3 : 3]
        if len(longs) % 3 or bool(np.any(entries[1:] <= entries[:-1])):
            return "the entries of long lists are damaged"
        count = 0
        for low in range(0, len(index), PAGES_PER_BATCH * LINE):
            lines = index[low : low + PAGES_PER_BATCH * LINE].view(np.uint8).reshape(-1, 4 * LINE)
            count += int(np.count_nonzero(lines[:, 4:] == LONG))
        if count != len(entries):
            return f"the index has {count:,} long lists, and {len(entries):,} have an entry"
        return None

    def __len__(self) -> int:
        return int(self.offsets[-1])

    def __getitem__(self, span: slice) -> NDArray[uint32]:
        first, last, _ = span.indices(len(self))
        if first >= last:
            return np.empty(0, np.uint32)
        bounds = np.array([first, last - 1], np.uint64)
        low, high = (np.searchsorted(self.offsets, bounds, "right") - 1).tolist()
        start = int(self.offsets[low])
        return self.read(low, high + 1)[first - start : last - start]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return self.read(0, self.pages).astype(dtype or np.uint32, copy=False)


def is_packed(arrays: dict[str, Any]) -> bool:
    """Whether a graph with these arrays has packed links."""
    return "out" + INDEX in arrays


def offsets_of(arrays: dict[str, NDArray[Any]], direction: str, pages: int) -> NDArray[uint64]:
    """The offsets of the links, packed or not."""
    if is_packed(arrays):
        return PackedRows(arrays, direction, pages).offsets
    return arrays[f"{direction}.offsets"]
