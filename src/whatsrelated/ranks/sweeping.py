"""Sweeps over all pages by several threads, with the same result for any number of them.

The pages are cut into chunks of about the same work, by the graph alone.  A
thread takes the next chunk when it is done with one; what is summed over all
pages is summed chunk by chunk, and then in the order of the chunks.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.errors import OptionError

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

    from whatsrelated.graph import Store

CHUNK = 1 << 18
"""How many links make a chunk: small enough to share out evenly, large beside a call."""
EVEN = 16
"""A graph of more than one chunk has a multiple of so many: they can be halved evenly."""
PAGE = 4
"""How many links' work a page is, beside its links."""


class Direction:
    """One direction of the links, its pages cut into chunks of about the same work."""

    def __init__(self, offsets: NDArray[Any], links: NDArray[Any]) -> None:
        pages = len(offsets) - 1
        work = len(links) + PAGE * pages
        count = 1 if work < CHUNK else EVEN * (work // (EVEN * CHUNK) + 1)
        ends = [
            bisect_left(
                range(pages), work * chunk // count, key=lambda q: int(offsets[q]) + PAGE * q
            )
            for chunk in range(1, count)
        ]
        self.arrays = (offsets, links)
        self.bounds: NDArray[int64] = np.array([0, *ends, pages], np.int64)

    def __len__(self) -> int:
        return len(self.arrays[0]) - 1

    @property
    def chunks(self) -> range:
        return range(len(self.bounds) - 1)

    def degrees(self, dtype: Any) -> NDArray[Any]:
        """How many links each page has in this direction."""
        offsets = self.arrays[0]
        degrees: NDArray[Any] = np.empty(len(self), dtype)
        # Told the type to subtract in, NumPy needs no array of it between.
        np.subtract(offsets[1:], offsets[:-1], out=degrees, dtype=offsets.dtype, casting="unsafe")
        return degrees


class Sweeper:
    """The threads that sweep over one graph."""

    def __init__(self, store: Store, threads: int | None = None) -> None:
        if threads is not None and threads < 1:
            raise OptionError(f"rank: threads must be at least 1, got {threads}.")
        self.incoming = Direction(store.in_offsets, store.in_links)
        self.outgoing = Direction(store.out_offsets, store.out_links)
        self.hosts = store.hosts
        self.threads = threads or len(os.sched_getaffinity(0))
        self._pool: ThreadPoolExecutor | None = None

    def uniform(self, kind: Any) -> NDArray[Any]:
        """Every page with the same share of 1."""
        pages = len(self.incoming)
        return np.full(pages, 1 / max(pages, 1), kind)

    def spread(
        self,
        over: Direction,
        shares: NDArray[Any],
        degrees: NDArray[Any],
        result: NDArray[Any],
        *,
        factor: float,
        constant: float = 0.0,
        jump: float = 0.0,
        jumps: NDArray[Any] | None = None,
        before: NDArray[Any] | None = None,
        total: NDArray[Any] | None = None,
    ) -> tuple[float, float]:
        """Scores from the shares that links bring; how far from `before`, and how much stranded."""
        numbers = (factor, constant, jump)
        vectors = (before, result, total)
        change, stranded = self.sweep(
            kernels.ranking.spread, over, *over.arrays, shares, degrees, jumps, *numbers, *vectors
        )
        return change, stranded

    def products(self, over: Direction, values: NDArray[Any], result: NDArray[Any]) -> float:
        """For each page the sum of its links' values; the sum of the results' squares."""
        return self.sweep(kernels.ranking.products, over, *over.arrays, values, result)[0]

    def add_products(
        self, over: Direction, values: NDArray[Any], total: NDArray[Any], added: NDArray[Any]
    ) -> float:
        """Add to each page the sum of its links' values; the sum of the totals' squares."""
        arguments = (*over.arrays, values, total, added)
        return self.sweep(kernels.ranking.add_products, over, *arguments)[0]

    def combine(self, goal: NDArray[Any], one: float, two: float, steps: NDArray[Any]) -> float:
        """The steps as one·goal + two·steps; how far that is in all."""
        return self.sweep(kernels.ranking.combine, self.incoming, goal, one, two, steps)[0]

    def sweep(
        self, kernel: Callable[..., None], over: Direction, *arguments: Any
    ) -> tuple[float, float]:
        """Call the kernel for all chunks of a direction; the totals of its tallies."""
        tallies = np.zeros((len(over.chunks), 2))
        call = partial(kernel, *arguments, over.bounds)
        self.share_out([partial(call, chunk, chunk + 1, tallies) for chunk in over.chunks])
        first, second = tallies.sum(axis=0).tolist()
        return first, second

    def share_out(self, tasks: list[Callable[[], None]]) -> None:
        """Have the threads do all tasks: who is done with one takes the next."""
        left = iter(tasks)

        def work(_: int) -> None:
            for task in left:
                task()

        threads = min(self.threads, len(tasks))
        if threads == 1:
            work(0)
        else:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self.threads)
            list(self._pool.map(work, range(threads)))

    def __enter__(self) -> Sweeper:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown()
