"""The link matrix L of a graph: L[p, q] is 1 if page p links to page q.

Its row sums are the out-degrees; the row sums of its transpose Lᵀ are the in-degrees.

Products are *pulled*: each row sums the values of its links, so no two threads write to the same
location. The rows are cut into chunks of similar cost that depend only on the graph, and a thread
that finishes a chunk takes the next one. Sums over all pages are computed per chunk and added in
chunk order. The result is therefore bit-for-bit identical for any number of threads.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated import kernels
from whatsrelated.errors import OptionError
from whatsrelated.machine.resources import available_memory, processors

if TYPE_CHECKING:
    from numpy import uint32, uint64
    from numpy.typing import NDArray

    from whatsrelated.graph import Store
    from whatsrelated.graph.rows import LinkArray
    from whatsrelated.ranks.vectors import Floats, Precision

CHUNK = 1 << 18
"""Number of links per chunk: low enough to balance the load, high enough to justify a call."""
MULTIPLE = 16
"""If there is more than one chunk, their number is a multiple of this, so the work divides
evenly."""
PAGE = 4
"""The cost of a page itself, measured in links."""
MEMORY_SHARE = 8
"""Decoded links may use the free memory divided by this."""


class Threads:
    """A pool of threads, started when it is first needed."""

    def __init__(self, count: int | None = None) -> None:
        if count is not None and count < 1:
            raise OptionError(f"rank: threads must be at least 1, got {count}.")
        self.count = count or processors()
        self._pool: ThreadPoolExecutor | None = None

    def run(self, task: Callable[[int], None], count: int) -> None:
        """Call the task with 0 … count-1; a thread that finishes one takes the next."""
        kernels.limits.check()
        remaining = iter(range(count))

        def work(_: int) -> None:
            for number in remaining:
                task(number)

        threads = min(self.count, count)
        if threads == 1:
            work(0)
        else:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self.count)
            list(self._pool.map(work, range(threads)))

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown()


class Adjacency:
    """The links of every page in one direction, as compressed sparse rows in chunks.

    Chunk c holds the pages bounds[c] … bounds[c+1]-1. The links of a packed graph are decoded chunk
    by chunk, and as many as fit in memory are kept for the next round.
    """

    def __init__(self, offsets: NDArray[uint64], links: LinkArray) -> None:
        pages = len(offsets) - 1
        work = len(links) + PAGE * pages
        self.chunks = 1 if work < CHUNK else MULTIPLE * (work // (MULTIPLE * CHUNK) + 1)
        ends = [
            bisect_left(
                range(pages), work * chunk // self.chunks, key=lambda q: int(offsets[q]) + PAGE * q
            )
            for chunk in range(1, self.chunks)
        ]
        self.bounds = [0, *ends, pages]
        self.offsets, self._links = offsets, links
        self._packed = not isinstance(links, np.ndarray)
        self._room = available_memory() // MEMORY_SHARE if self._packed else 0
        self._decoded: dict[int, NDArray[uint32]] = {}

    def call(
        self, kernel: Callable[..., None], *arguments: object, chunks: range, **settings: object
    ) -> None:
        """Call a kernel for the pages of some chunks, from the last to the first."""
        if not self._packed:
            first, last = self.bounds[chunks.start], self.bounds[chunks.stop]
            kernel(self.offsets, self._links, *arguments, first=first, last=last, **settings)
            return
        for chunk in reversed(chunks):
            first, last = self.bounds[chunk : chunk + 2]
            links, base = self._decode(chunk), int(self.offsets[first])
            kernel(self.offsets, links, *arguments, first=first, last=last, base=base, **settings)

    def _decode(self, chunk: int) -> NDArray[uint32]:
        links = self._decoded.get(chunk)
        if links is None:
            first, last = self.bounds[chunk : chunk + 2]
            links = self._links[int(self.offsets[first]) : int(self.offsets[last])]
            if links.nbytes <= self._room:
                self._room -= links.nbytes
                self._decoded[chunk] = links
        return links


@dataclass(frozen=True, eq=False)
class LinkMatrix:
    """L, stored by rows and by columns, with the threads that multiply by it."""

    rows: Adjacency
    columns: Adjacency
    threads: Threads

    @classmethod
    def of(cls, store: Store, threads: Threads) -> LinkMatrix:
        """The link matrix of a graph."""
        outgoing = Adjacency(store.out_offsets, store.out_links)
        return cls(outgoing, Adjacency(store.in_offsets, store.in_links), threads)

    def __len__(self) -> int:
        return self.rows.bounds[-1]

    @property
    def T(self) -> LinkMatrix:  # noqa: N802 (as NumPy calls it)
        """The transpose."""
        return LinkMatrix(self.columns, self.rows, self.threads)

    def degrees(self, dtype: Precision) -> Floats:
        """The sum of every row: the number of links of each page."""
        offsets = self.rows.offsets
        degrees: Floats = np.empty(len(self), dtype)
        # With an explicit type, NumPy does not need an intermediate array.
        np.subtract(offsets[1:], offsets[:-1], out=degrees, dtype=offsets.dtype, casting="unsafe")
        return degrees

    def multiply(self, x: Floats, out: Floats) -> float:
        """Compute out ← L x; return ‖out‖²."""
        product = partial(self.rows.call, kernels.sweep.multiply, x, out)
        return self.sum_chunks(product)[0]

    def pull(
        self,
        contributions: Floats,
        degrees: Floats,
        out: Floats,
        *,
        damping: float,
        jump: float,
        weights: Floats | None = None,
        previous: Floats | None = None,
        total: Floats | None = None,
    ) -> tuple[float, float]:
        """Compute damping · L contributions + jump · weights, and return the scores as
        contributions (see `vectors`).

        The weights default to 1. The contributions are also added to `total`. Returns the L1
        distance of the scores to those of `previous`, and the sum of the scores of the pages whose
        degree is 0.
        """
        pull = partial(
            self.rows.call,
            kernels.sweep.pull,
            contributions,
            degrees,
            out,
            damping=damping,
            jump=jump,
            weights=weights,
            previous=previous,
            total=total,
        )
        return self.sum_chunks(pull)

    def sum_chunks(self, call: Callable[..., None]) -> tuple[float, float]:
        """Call a kernel for every chunk of rows.

        Return the totals of the two sums that each call computes.
        """
        sums = np.zeros((self.rows.chunks, 2))

        def call_one(chunk: int) -> None:
            call(chunks=range(chunk, chunk + 1), sums=sums[chunk])

        self.threads.run(call_one, self.rows.chunks)
        first, second = sums.sum(axis=0).tolist()
        return first, second
