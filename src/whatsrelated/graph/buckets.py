"""Split links on disk by ranges of pages, and read them back one range at a time.

Links are first counted per block of pages, to choose ranges whose links fit in memory if possible.
The memory of a range is reused for the next, since fresh memory costs as much as the work done in
it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels

if TYPE_CHECKING:
    from numpy import int64, uint32, uint64
    from numpy.typing import NDArray

    from whatsrelated.graph.array_spool import ArraySpool, SpoolWriter

PIECE = 1 << 22
"""Number of pairs split at a time."""
MAX_OPEN = 64
"""Maximum number of files kept open; if there are more ranges, each write opens its file."""
WIDEST = 1 << 24
"""Maximum number of pages in a range, since their offsets are in memory."""
BLOCKS = 16
"""Links are counted by this many leading bits of the page number."""


class LinkCounts:
    """The number of links per block of pages."""

    def __init__(self, pages: int) -> None:
        self.pages = pages
        self.shift = max(0, pages.bit_length() - BLOCKS)
        self.counts: NDArray[int64] = np.zeros((pages >> self.shift) + 1, np.int64)

    def add(self, pages: NDArray[uint32]) -> None:
        """Count a link for each of the pages."""
        kernels.range_sorting.count_blocks(self.counts, pages, self.shift)


class Workspace:
    """Reusable arrays, each as long as the longest one requested so far."""

    def __init__(self) -> None:
        self._arrays: dict[str, NDArray[Any]] = {}

    def array(self, name: str, count: int, dtype: type[np.generic]) -> NDArray[Any]:
        """An uninitialised array of `count` values; invalidates the previous array of that name."""
        held = self._arrays.get(name)
        if held is None or len(held) < count:
            self._arrays.pop(name, None)
            held = self._arrays[name] = np.empty(max(count, 1), dtype)
        return held[:count]


class Buckets:
    """Pairs on disk, split into ranges of pages of at most `max_links` links, if possible."""

    def __init__(self, counted: LinkCounts, max_links: int, spool: ArraySpool) -> None:
        self._shift = counted.shift
        self._bucket_of = np.zeros(len(counted.counts), np.uint32)
        bucket = held = 0
        firsts = [0]
        for block, links in enumerate(counted.counts.tolist()):
            wide = (block + 1 - firsts[-1]) << self._shift > WIDEST
            if (held and held + links > max_links) or wide:
                bucket += 1
                held = 0
                firsts.append(block)
            held += links
            self._bucket_of[block] = bucket
        lows = [first << self._shift for first in firsts]
        self.bounds = list(zip(lows, [*lows[1:], counted.pages], strict=True))
        self._lows = np.array(lows, np.uint32)
        widest = max(high - low for low, high in self.bounds)
        self._key_bytes = max(1, -(-(widest - 1).bit_length() // 8))
        keep_open = len(self.bounds) <= MAX_OPEN
        self._files: list[SpoolWriter] = [spool.writer("|u1", keep_open) for _ in self.bounds]
        self._before = np.zeros(len(lows), np.uint32)
        self._counts = np.zeros(len(lows), np.int64)
        self._split = np.empty(0, np.uint8)

    def append(self, keys: NDArray[uint32], values: NDArray[uint32]) -> None:
        """Add pairs, in order; pairs sorted by value take the least disk space."""
        size = (self._key_bytes + 5) * min(len(keys), PIECE)
        if len(self._split) < size:
            self._split = np.empty(size, np.uint8)
        for first in range(0, len(keys), PIECE):
            starts = kernels.range_sorting.scatter(
                keys[first : first + PIECE],
                values[first : first + PIECE],
                self._bucket_of,
                self._shift,
                self._lows,
                self._key_bytes,
                self._before,
                self._counts,
                self._split,
            ).tolist()
            for file, begin, end in zip(self._files, starts, starts[1:], strict=False):
                if end > begin:
                    file.append(self._split[begin:end])

    def read(self, work: Workspace) -> Iterator[tuple[int, int, NDArray[uint64], NDArray[uint64]]]:
        """Each range of pages, and its pairs as words: (key - low) << 32 | value.

        The last array is scratch space of the same size. The file of a range is deleted once it is
        read.
        """
        self._split = np.empty(0, np.uint8)
        ranges = zip(self.bounds, self._files, self._counts.tolist(), strict=True)
        for (low, high), file, count in ranges:
            spooled = file.close()
            words = work.array("words", count, np.uint64)
            spare = work.array("spare", max(count, -(-len(spooled) // 8)), np.uint64)
            data = spooled.load(into=spare.view(np.uint8))
            kernels.range_sorting.gather(data, self._key_bytes, words)
            spooled.drop()
            yield low, high, words, spare[:count]
