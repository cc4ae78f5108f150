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
from itertools import pairwise
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
WAVES = 8
"""How many waves a round is made in."""
PAGE = 4
"""How many links' work a page is, beside its links."""


class Direction:
    """One direction of the links, its pages cut into chunks of about the same work."""

    def __init__(self, offsets: NDArray[Any], links: NDArray[Any]) -> None:
        pages = len(offsets) - 1
        work = len(links) + PAGE * pages
        count = work // CHUNK + 1
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

    def degrees(self, dtype: Any) -> NDArray[Any]:
        """How many links each page has in this direction."""
        offsets = self.arrays[0]
        degrees: NDArray[Any] = (offsets[1:] - offsets[:-1]).astype(dtype)
        return degrees


class Sweeper:
    """The threads that sweep over one graph."""

    def __init__(self, store: Store, threads: int | None = None) -> None:
        if threads is not None and threads < 1:
            raise OptionError(f"rank: threads must be at least 1, got {threads}.")
        self.incoming = Direction(store.in_offsets, store.in_links)
        self.outgoing = Direction(store.out_offsets, store.out_links)
        self._threads = threads or len(os.sched_getaffinity(0))
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
        vectors = (before, result, total, 0)
        change, stranded = self.sweep(
            kernels.ranking.spread, over, *over.arrays, shares, degrees, jumps, *numbers, *vectors
        )
        return change, stranded

    def products(self, over: Direction, values: NDArray[Any], result: NDArray[Any]) -> float:
        """For each page the sum of its links' values; the sum of the results' squares."""
        return self.sweep(kernels.ranking.products, over, *over.arrays, values, result)[0]

    def add_products(self, over: Direction, values: NDArray[Any], total: NDArray[Any]) -> float:
        """Add to each page the sum of its links' values; the sum of the totals' squares."""
        return self.sweep(kernels.ranking.add_products, over, *over.arrays, values, total)[0]

    def approach(
        self, goal: NDArray[Any], factor: float, values: NDArray[Any], steps: NDArray[Any]
    ) -> float:
        """Move the values to factor·goal, and tell the steps; how far that was in all."""
        arguments = (goal, factor, values, steps)
        return self.sweep(kernels.ranking.approach, self.incoming, *arguments)[0]

    def sweep(
        self, kernel: Callable[..., None], over: Direction, *arguments: Any
    ) -> tuple[float, float]:
        """Call the kernel for all chunks of a direction; the totals of its tallies."""
        first, second = self.tallied(kernel, over, *arguments).sum(axis=0).tolist()
        return first, second

    def tallied(
        self,
        kernel: Callable[..., None],
        over: Direction,
        *arguments: Any,
        chunks: range | None = None,
        width: int = 2,
    ) -> NDArray[Any]:
        """Call the kernel for some chunks of a direction; a row of tallies for each."""
        swept = range(len(over.bounds) - 1) if chunks is None else chunks
        tallies = np.zeros((swept.stop, width))
        left = iter(swept)

        def work(_: int) -> None:
            for chunk in left:
                kernel(*arguments, over.bounds, chunk, chunk + 1, tallies)

        threads = min(self._threads, len(swept))
        if threads == 1:
            work(0)
        else:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self._threads)
            list(self._pool.map(work, range(threads)))
        return tallies[swept.start :]

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


class Waves:
    """A walk along one direction, swept in waves that read what those before them wrote.

    Jumps go to pages as `jumps` weighs them, all alike where it is None.
    """

    def __init__(
        self,
        sweeper: Sweeper,
        over: Direction,
        degrees: NDArray[Any],
        jumps: NDArray[Any] | None,
        damping: float,
    ) -> None:
        chunks = len(over.bounds) - 1
        # All that waves do not keep is the sum, and without jumps nothing brings it back.
        count = min(WAVES, chunks) if damping < 1 else 1
        ends = [chunks * wave // count for wave in range(count + 1)]
        self._waves = [range(*pair) for pair in pairwise(ends)]
        self._sweeper, self._over = sweeper, over
        self._degrees, self._jumps, self._damping = degrees, jumps, damping
        self._mass = float(len(over) if jumps is None else jumps.sum(dtype=np.float64)) or 1.0
        sizes = [int(over.bounds[wave.stop] - over.bounds[wave.start]) for wave in self._waves]
        self._written = np.empty(max(sizes), np.float32)
        self.stranded: NDArray[Any] = np.zeros(chunks)

    def begin(self, shares: NDArray[Any]) -> None:
        """Count what is stranded, chunk by chunk, before the first round."""
        self.leap(shares, shares, 0.0, 0.0, shares)

    def round(self, shares: NDArray[Any]) -> float:
        """One round, in place; how far the scores moved."""
        change = 0.0
        for wave in self._waves:
            stranded = float(self.stranded.sum())
            jump = (self._damping * stranded + 1 - self._damping) / self._mass
            constant = jump if self._jumps is None else 0.0
            pages = slice(int(self._over.bounds[wave.start]), int(self._over.bounds[wave.stop]))
            tallies = self._sweeper.tallied(
                kernels.ranking.spread,
                self._over,
                *self._over.arrays,
                shares,
                self._degrees,
                self._jumps,
                *(self._damping, constant, jump),
                *(shares, self._written, None, pages.start),
                chunks=wave,
            )
            shares[pages] = self._written[: pages.stop - pages.start]
            self.stranded[wave.start : wave.stop] = tallies[:, 1]
            change += float(tallies[:, 0].sum())
        return change

    def alignment(self, *stages: NDArray[Any]) -> NDArray[Any]:
        """The products of the steps between four stages: 11, 12, 13, 22, 23, 33."""
        kernel = kernels.ranking.alignment
        tallies = self._sweeper.tallied(kernel, self._over, *stages, self._degrees, width=6)
        return np.asarray(tallies.sum(axis=0))

    def leap(
        self,
        second: NDArray[Any],
        third: NDArray[Any],
        one: float,
        two: float,
        shares: NDArray[Any],
    ) -> None:
        """Move the shares toward, or away from, two earlier ones, and make the scores' sum 1."""
        arguments = (second, third, one, two, self._degrees, shares)
        tallies = self._sweeper.tallied(kernels.ranking.leap, self._over, *arguments)
        total = float(tallies[:, 0].sum()) or 1.0
        self.stranded = tallies[:, 1] / total
        shares /= np.float32(total)
