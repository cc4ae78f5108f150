"""Links in both directions: translate pairs, group them by source, then by target.

1. One task per run gets the page numbers of its keys, translates its pairs, and sends them to the
  ranges of their sources (`Translating`).
2. One task per range of sources removes each page's duplicate links, in the order of runs and rows,
  and sends the resulting in-degrees to ranges of pages (`Grouping`).
3. One task per range of pages adds them up (`Counting`).
4. The driver chooses ranges of targets with few enough links for a task. A page with more parents
   than that is split by the sort keys of its parents (`InRanges`).
5. One task per range of sources sends its links to the ranges of their targets (`Reversing`), which
   sort them by the parents' in-degree (`Sorting`).

A link from a page to itself, which no graph contains, marks a page that was read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from whatsrelated import kernels
from whatsrelated.apps.spark.exchange import LARGEST, Blob, Received, cut, gather
from whatsrelated.apps.spark.scratch import ScratchFolder

if TYPE_CHECKING:
    from numpy import int64, uint32, uint64
    from numpy.typing import NDArray

    from whatsrelated.graph.linking import Pairs

PAIRS = LARGEST // 8
NONE = np.uint32(0xFFFFFFFF)


def send_pairs(receiver: int, first: NDArray[uint32], second: NDArray[uint32]) -> Iterator[Blob]:
    """Send pairs as blobs: all sources, then all targets."""
    for low in range(0, len(first), PAIRS):
        ends = first[low : low + PAIRS], second[low : low + PAIRS]
        yield Blob(receiver, np.concatenate(ends).tobytes())


def gather_pairs(received: Received) -> Pairs:
    """All received pairs."""
    blobs = [np.frombuffer(data, "<u4").reshape(2, -1) for _, data in received]
    if not blobs:
        return np.empty(0, np.uint32), np.empty(0, np.uint32)
    first, second = np.concatenate(blobs, axis=1)
    return np.ascontiguousarray(first), np.ascontiguousarray(second)


@dataclass(frozen=True)
class Translating:
    """The task for one run: translate its pairs to pages and send them to their source ranges."""

    scratch: ScratchFolder
    runs: list[tuple[int, int]]
    bounds: list[int]
    some_left_out: bool = False

    def __call__(self, number: int, received: Received) -> Iterator[Blob]:
        pages = gather(received, "<u4")
        run = self.scratch.load("run", *self.runs[number])
        if any(name.endswith(".places") for name in run):
            self.scratch.save("table", number, pages=pages)
        other = run["sources"] != run["targets"]
        if self.some_left_out:
            other &= (pages[run["sources"]] != NONE) & (pages[run["targets"]] != NONE)
        sources = np.concatenate([run["sources"][other], run["read"]])
        targets = np.concatenate([run["targets"][other], run["read"]])
        buckets = np.searchsorted(self.bounds[1:-1], pages, "right").astype(np.uint32)
        starts, sources, targets = kernels.link_sorting.split(
            sources, targets, buckets, 0, len(self.bounds) - 1
        )
        for bucket, (first, last) in enumerate(pairwise(starts.tolist())):
            if first < last:
                yield from send_pairs(
                    bucket,
                    kernels.link_sorting.translate(pages, sources[first:last]),
                    kernels.link_sorting.translate(pages, targets[first:last]),
                )


@dataclass(frozen=True)
class Grouping:
    """The task for one source range: find each page's distinct links and their in-degrees."""

    scratch: ScratchFolder
    bounds: list[int]
    width: int
    """Number of pages per range of in-degrees; a whole number of blocks."""
    shift: int
    """A block is 2**shift pages."""

    def __call__(self, number: int, received: Received) -> Iterator[Blob]:
        low, high = self.bounds[number], self.bounds[number + 1]
        sources, targets = gather_pairs(received)
        read = np.zeros(high - low, np.uint8)
        read[sources[sources == targets] - low] = 1
        starts, links = kernels.link_sorting.group(sources, targets, low, high - low, True)
        del sources, targets
        degrees = np.diff(starts).astype(np.uint32)
        read[degrees > 0] = 1
        self.scratch.save("out", number, degrees=degrees, links=links, read=read)
        pages = self.bounds[-1]
        buckets = np.arange((pages >> self.shift) + 1) // (self.width >> self.shift)
        cuts, links, _ = kernels.link_sorting.split(
            links, links, buckets.astype(np.uint32), self.shift, int(buckets[-1]) + 1
        )
        for receiver, (first, last) in enumerate(pairwise(cuts.tolist())):
            low = receiver * self.width
            counts = np.zeros(self.width, np.uint32)
            kernels.link_sorting.count_into(counts, links[first:last] - np.uint32(low))
            linked = np.flatnonzero(counts)
            yield from send_pairs(receiver, (linked + low).astype(np.uint32), counts[linked])


class DegreeSummary(msgspec.Struct):
    """The in-degrees of a range of pages: the sum of each block, and the in-degrees of hubs."""

    blocks: list[int]
    hubs: list[tuple[int, int]]


@dataclass(frozen=True)
class Counting:
    """The task for one range of pages: add up their in-degrees."""

    scratch: ScratchFolder
    pages: int
    width: int
    shift: int
    """A block is 2**shift pages."""
    hub_degree: int
    """A page with more parents than this is a hub."""

    def __call__(self, number: int, received: Received) -> Iterator[Blob]:
        low = number * self.width
        degrees = np.zeros(min(self.width, self.pages - low), np.uint32)
        for _, data in received:
            linked, counts = np.frombuffer(data, "<u4").reshape(2, -1)
            degrees[linked - np.uint32(low)] += counts
        self.scratch.save("in-degrees", number, degrees=degrees)
        starts = np.arange(0, len(degrees), 1 << self.shift)
        blocks = np.add.reduceat(degrees.astype(np.int64), starts)
        hubs = np.flatnonzero(degrees > self.hub_degree)
        summary = DegreeSummary(
            blocks.tolist(),
            list(zip((hubs + low).tolist(), degrees[hubs].tolist(), strict=True)),
        )
        yield Blob(0, msgspec.msgpack.encode(summary))


def order_keys(parents: NDArray[uint32], degrees: NDArray[uint32]) -> NDArray[uint64]:
    """The sort keys of parents: highest in-degree first; ties go to the lower page number."""
    inverse = np.uint64(0xFFFFFFFF) - degrees.astype(np.uint64)
    return inverse << np.uint64(32) | parents.astype(np.uint64)


@dataclass(frozen=True)
class InRanges:
    """Ranges of targets; a hub is a separate range, split by the order of its parents."""

    lows: NDArray[int64]
    """The first page of each range."""
    parts: NDArray[int64]
    """The number of parts per range."""
    cuts: NDArray[uint64]
    """Sort keys that split the linking pages into equal parts; there is one part more than keys."""
    shift: int
    """A block is 2**shift pages; except for hubs, ranges are whole blocks."""
    pages: int

    @classmethod
    def choose(
        cls,
        degrees: list[DegreeSummary],
        shift: int,
        max_links: int,
        pages: int,
        cuts: NDArray[uint64],
    ) -> InRanges:
        """Ranges with at most `max_links` links, unless a single block of pages has more."""
        blocks = [links for part in degrees for links in part.blocks]
        hubs = dict(hub for part in degrees for hub in part.hubs)
        for page, links in hubs.items():
            blocks[page >> shift] -= links
        lows, parts = [0], [1]
        held = 0
        waiting = sorted(hubs)
        for block, links in enumerate(blocks):
            low = block << shift
            if held and held + links > max_links and low > lows[-1]:
                lows.append(low)
                parts.append(1)
                held = 0
            held += links
            while waiting and waiting[0] >> shift == block:
                hub = waiting.pop(0)
                if lows[-1] == hub:
                    lows.pop()
                    parts.pop()
                lows += [hub, hub + 1]
                parts += [min(2 * hubs[hub] // max_links, len(cuts)) + 1, 1]
        if lows[-1] >= pages and len(lows) > 1:
            lows.pop()
            parts.pop()
        return cls(np.array(lows), np.array(parts), cuts, shift, pages)

    @property
    def receivers(self) -> list[tuple[int, int]]:
        """The page range of each receiver: its first page, and the page after its last."""
        ends = [*self.lows[1:].tolist(), self.pages]
        spans = zip(self.lows.tolist(), ends, self.parts.tolist(), strict=True)
        return [(low, high) for low, high, parts in spans for _ in range(parts)]

    def buckets(self) -> tuple[NDArray[uint32], int]:
        """The receiver of each block, and the number of receivers. That number also marks blocks
        that have several receivers.
        """
        receivers = np.cumsum(self.parts) - self.parts
        starts = np.arange(0, self.pages, 1 << self.shift)
        ranges = np.searchsorted(self.lows, starts, "right") - 1
        last = np.minimum(starts + (1 << self.shift), self.pages) - 1
        mixed = (np.searchsorted(self.lows, last, "right") - 1 != ranges) | (self.parts[ranges] > 1)
        count = int(self.parts.sum())
        return np.where(mixed, count, receivers[ranges]).astype(np.uint32), count

    def receiver_of(self, targets: NDArray[uint32], keys: NDArray[uint64]) -> NDArray[uint32]:
        """The receiver of each link, given the target and the order key of its parent."""
        ranges = np.searchsorted(self.lows, targets, "right") - 1
        first = np.concatenate([[0], np.cumsum(self.parts)])
        receivers: NDArray[int64] = first[ranges]
        for hub in np.flatnonzero(self.parts > 1).tolist():
            chosen = np.flatnonzero(ranges == hub)
            parts = int(self.parts[hub])
            cuts = self.cuts[np.arange(1, parts) * len(self.cuts) // parts]
            receivers[chosen] += np.searchsorted(cuts, keys[chosen], "right")
        return receivers.astype(np.uint32)


@dataclass(frozen=True)
class Reversing:
    """The task for one source range: send its links to the ranges of their targets."""

    scratch: ScratchFolder
    bounds: list[int]
    ranges: InRanges
    degrees: str
    """The file with the in-degrees of all pages."""

    def __call__(self, number: int, received: Received) -> Iterator[Blob]:
        low, high = self.bounds[number], self.bounds[number + 1]
        out = self.scratch.load("out", number)
        links = out["links"]
        owners = np.repeat(np.arange(low, high, dtype=np.uint32), out["degrees"])
        buckets, count = self.ranges.buckets()
        starts, links, owners = kernels.link_sorting.split(
            links, owners, buckets, self.ranges.shift, count + 1
        )
        for receiver, (first, last) in enumerate(pairwise(starts[: count + 1].tolist())):
            yield from send_pairs(receiver, links[first:last], owners[first:last])
        links, owners = links[int(starts[count]) :], owners[int(starts[count]) :]
        keys = order_keys(owners, map_degrees(self.degrees)[owners])
        receivers = self.ranges.receiver_of(links, keys)
        for receiver in np.unique(receivers).tolist():
            chosen = np.flatnonzero(receivers == receiver)
            yield from send_pairs(receiver, links[chosen], owners[chosen])


@dataclass(frozen=True)
class Sorting:
    """The task for one target range: the parents of each page, highest in-degree first."""

    scratch: ScratchFolder
    receivers: list[tuple[int, int]]
    degrees: str

    def __call__(self, number: int, received: Received) -> Iterator[Blob]:
        low, high = self.receivers[number]
        targets, parents = gather_pairs(received)
        # Blobs arrive in the order of their senders' pages, so a parent's links are consecutive and
        # parents with equal in-degree are already in order.
        starts = np.flatnonzero(np.diff(parents, prepend=NONE, append=NONE) != 0)
        rows = max(len(starts) - 1, high - low)
        offsets = np.full(rows + 1, len(parents), np.uint64)
        offsets[: len(starts)] = starts
        parents = parents[starts[:-1]]
        degrees = np.zeros(rows, np.uint32)
        degrees[: len(parents)] = map_degrees(self.degrees)[parents]
        order = kernels.link_sorting.descending(degrees)
        targets -= np.uint32(low)
        counts = np.zeros(rows, np.uint32)
        kernels.link_sorting.count_into(counts, targets)
        _, links = kernels.link_sorting.reverse(offsets, targets, order, counts)
        self.scratch.save("in", number, links=kernels.link_sorting.translate(parents, links))
        yield from cut(0, b"done")


def map_degrees(path: str) -> NDArray[uint32]:
    """The in-degrees of all pages, memory-mapped."""
    if not Path(path).stat().st_size:
        return np.empty(0, np.uint32)
    return np.memmap(path, "<u4", "r")
