"""Chunks of pages for several threads, with the same sums for any number of them.

The rows of an adjacency matrix are cut into chunks of about the same work, by the
graph alone.  A thread takes the next chunk when it is done with one.  What is
summed over all pages is summed chunk by chunk, and then in the order of the chunks.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from whatsrelated import kernels
from whatsrelated.errors import OptionError
from whatsrelated.machine.resources import available_memory, processors

if TYPE_CHECKING:
    from numpy import int64, uint32, uint64
    from numpy.typing import NDArray

    from whatsrelated.graph.rows import LinkArray
    from whatsrelated.ranks.vectors import Floats, Precision

CHUNK = 1 << 18
"""How many links make a chunk: few enough to balance the load, many beside a call."""
MULTIPLE = 16
"""A graph of more than one chunk has a multiple of so many: they can be halved evenly."""
PAGE = 4
"""How many links' work a page is, beside its links."""
KEPT = 8
"""Packed links are kept decoded from round to round, up to this part of the free memory."""

Task = Callable[[], None]


class Piece(NamedTuple):
    """Some groups of pages: the first, the one after the last, and their links, read when needed.

    `base` is the number of the first link.
    """

    first: int
    last: int
    base: int
    links: Callable[[], NDArray[uint32]]


class Adjacency:
    """The links of every page in one direction, as compressed sparse rows in chunks."""

    def __init__(self, offsets: NDArray[uint64], links: LinkArray) -> None:
        pages = len(offsets) - 1
        work = len(links) + PAGE * pages
        count = 1 if work < CHUNK else MULTIPLE * (work // (MULTIPLE * CHUNK) + 1)
        ends = [
            bisect_left(
                range(pages), work * chunk // count, key=lambda q: int(offsets[q]) + PAGE * q
            )
            for chunk in range(1, count)
        ]
        self.offsets, self._links = offsets, links
        self._decoded: dict[tuple[int, int], NDArray[uint32]] = {}
        self._room = available_memory() // KEPT
        self.bounds: NDArray[int64] = np.array([0, *ends, pages], np.int64)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def call(
        self,
        kernel: Callable[..., None],
        values: Floats,
        *arrays: object,
        first: int,
        last: int,
        **settings: object,
    ) -> None:
        """Call a kernel for a chunk; where links are packed, they are decoded for it.

        All arrays but `values` have an entry for each page.
        """
        if isinstance(self._links, np.ndarray):
            links = self._links
            kernel(self.offsets, links, values, *arrays, first=first, last=last, **settings)
            return
        own = self.offsets[first : last + 1]
        links = self._decode(int(own[0]), int(own[-1]))
        pages = slice(first, last)
        cut = {name: _part(each, pages) for name, each in settings.items() if name != "sums"}
        kernel(
            *(own - own[0], links, values, *(_part(each, pages) for each in arrays)),
            **{**settings, **cut, "first": 0, "last": last - first},
        )

    def pieces(self, groups: NDArray[uint32], first: int, last: int) -> list[Piece]:
        """The groups of pages from `first` to `last` - 1 with their links, in pieces.

        Group g is the pages groups[g] … groups[g+1]-1.  All at once, unless links are packed.
        """
        if isinstance(self._links, np.ndarray):
            return [Piece(first, last, 0, partial(np.asarray, self._links))]
        starts = self.offsets[groups[first : last + 1]].astype(np.int64)
        found, low = [], 0
        while low < last - first:
            high = int(np.searchsorted(starts, starts[low] + CHUNK, "right")) - 1
            high = min(max(high, low + 1), last - first)
            base, end = int(starts[low]), int(starts[high])
            read = partial(self._decode, base, end)
            found.append(Piece(first + low, first + high, base, read))
            low = high
        return found

    def _decode(self, base: int, end: int) -> NDArray[uint32]:
        """Some links, which are kept for the next round where there is room."""
        links = self._decoded.get((base, end))
        if links is None:
            links = self._links[base:end]
            if links.nbytes <= self._room:
                self._room -= links.nbytes
                self._decoded[base, end] = links
        return links

    def degrees(self, dtype: Precision) -> Floats:
        """How many links each page has in this direction."""
        degrees: Floats = np.empty(len(self), dtype)
        # With the type to subtract in given, NumPy needs no array of it in between.
        np.subtract(
            self.offsets[1:],
            self.offsets[:-1],
            out=degrees,
            dtype=self.offsets.dtype,
            casting="unsafe",
        )
        return degrees


def _part(values: object, pages: slice) -> object:
    """What belongs to some pages, of an array; anything else as it is."""
    return values[pages] if isinstance(values, np.ndarray) else values


class Threads:
    """A pool of threads, started when it is first needed."""

    def __init__(self, count: int | None = None) -> None:
        if count is not None and count < 1:
            raise OptionError(f"rank: threads must be at least 1, got {count}.")
        self.count = count or processors()
        self._pool: ThreadPoolExecutor | None = None

    def sum_chunks(
        self,
        kernel: Callable[..., None],
        bounds: NDArray[int64],
        *arguments: object,
        **settings: object,
    ) -> tuple[float, float]:
        """Call the kernel for all chunks; the totals of the sums that it leaves."""
        sums = np.zeros((len(bounds) - 1, 2))
        call = partial(kernel, *arguments, **settings)
        chunks = zip(pairwise(bounds.tolist()), sums, strict=True)
        self.run(partial(call, first=first, last=last, sums=own) for (first, last), own in chunks)
        total, other = sums.sum(axis=0).tolist()
        return total, other

    def run(self, tasks: Iterable[Task]) -> None:
        """Run all tasks: a thread that is done with one takes the next."""
        kernels.limits.check()
        tasks = list(tasks)
        remaining = iter(tasks)

        def work(_: int) -> None:
            for task in remaining:
                task()

        threads = min(self.count, len(tasks))
        if threads == 1:
            work(0)
        else:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self.count)
            list(self._pool.map(work, range(threads)))

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown()
