"""Turn runs of keys into page numbers: one task merges each range of keys.

1. The driver chooses ranges of keys by samples from all runs.
2. One task per run sends the slices of its keys to their ranges, with the number of links from each
   key (`Slicing`). If pages with few parents are left out, it also sends digests of the parents
   (`parents`).
3. One task per range merges its slices (`Merging`) and saves the distinct keys and the position of
   each received key.  It returns the number of keys, the sites among them, and its first keys,
   which the neighbouring ranges need.
4. The driver computes the number of each range's first page, host and domain.
5. One task per range writes its part of the names, hosts and domains, and sends the page
   numbers of each run's keys back to the run (`Numbering`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from whatsrelated import kernels
from whatsrelated.apps.spark.exchange import LARGEST, Blob, Received, cut
from whatsrelated.apps.spark.parents import enough_parents, known_parents
from whatsrelated.apps.spark.scratch import ScratchFolder
from whatsrelated.errors import BuildError
from whatsrelated.graph.build import MemoryArray
from whatsrelated.graph.format import MAX_PAGES, dtype_of
from whatsrelated.graph.names import Packed, concatenate
from whatsrelated.graph.numbering import NONE, KeyRun, keep_some, sort_distinct
from whatsrelated.graph.sites import SiteNumbers, SiteRange, Sites
from whatsrelated.stream import Names

if TYPE_CHECKING:
    from numpy import int64, uint32, uint64
    from numpy.typing import NDArray

BLOCK = kernels.name_table.BLOCK
SAMPLES = 64
"""Number of keys that the driver samples from a run to choose ranges of keys."""
MORE_SAMPLES = 1024
"""The size of the driver's sample of a run, for choosing ranges of pages."""


class RunSummary(msgspec.Struct):
    """The driver's summary of a run: the numbers of keys, bytes and links, and sampled keys."""

    keys: int
    size: int
    links: int
    samples: list[bytes]
    columns: list[str]
    numbers: list[int] | None = None
    """Sampled source numbers, for links between named numbers, which have no keys."""

    @classmethod
    def of(
        cls,
        run: KeyRun,
        links: int = 0,
        columns: Sequence[str] = (),
        sources: NDArray[uint32] | None = None,
    ) -> RunSummary:
        """A summary of a run with `links` links."""
        samples = [run.key(at) for at in range(0, run.count, run.count // SAMPLES + 1)]
        numbers = None
        if sources is not None:
            numbers = sources[:: len(sources) // MORE_SAMPLES + 1].tolist()
        return cls(run.count, len(run.text), links, samples, list(columns), numbers)


def key_cuts(runs: list[RunSummary], ranges: int) -> list[bytes]:
    """Keys that divide all runs into about `ranges` ranges of similar size."""
    weighted = sorted(
        (key, run.keys / len(run.samples)) for run in runs for key in run.samples if run.keys
    )
    total = sum(weight for _, weight in weighted)
    cuts: list[bytes] = []
    passed = 0.0
    for key, weight in weighted:
        if passed >= total * (len(cuts) + 1) / ranges and key not in cuts[-1:]:
            cuts.append(key)
        passed += weight
    return cuts


@dataclass(frozen=True)
class Slicing:
    """The task for one run: send its keys to their ranges."""

    scratch: ScratchFolder
    runs: list[tuple[int, int]]
    cuts: list[bytes]
    least_parents: int = 0

    def __call__(self, number: int, received: Received) -> Iterator[Blob]:
        run = self.scratch.load("run", *self.runs[number])
        keys = Names(run["text"], run["ends"])
        count = len(keys)
        links = np.bincount(run["sources"], minlength=count).astype(np.uint32)
        parents = None
        if self.least_parents:
            parents = known_parents(
                keys, run["sources"], run["targets"], run["read"], self.least_parents
            )
        places = [bisect_left(range(count), key, key=keys.__getitem__) for key in self.cuts]
        for place, (first, last) in enumerate(zip([0, *places], [*places, count], strict=True)):
            while first < last:
                limit = int(np.searchsorted(keys.offsets, keys.offsets[first] + np.uint64(LARGEST)))
                end = max(min(limit, first + LARGEST // 16, last), first + 1)
                packed_parents = parents[first:end].tobytes() if parents is not None else b""
                yield Blob(place, pack_keys(keys, first, end, links) + packed_parents)
                first = end


def pack_keys(keys: Names, first: int, last: int, links: NDArray[uint32]) -> bytes:
    """Pack some keys, with the number of links from each."""
    ends = keys.offsets[first : last + 1]
    head = np.array([last - first], np.uint32)
    lengths = np.diff(ends).astype(np.uint32)
    text = keys.blob[int(ends[0]) : int(ends[-1])]
    return b"".join(part.tobytes() for part in (head, lengths, links[first:last], text))


def unpack_keys(data: memoryview) -> tuple[Packed, NDArray[uint32], memoryview]:
    """Unpack the keys, the links of each, and the bytes that follow."""
    count = int(np.frombuffer(data, "<u4", 1)[0])
    lengths, links = np.frombuffer(data, "<u4", 2 * count, 4).reshape(2, count)
    ends = np.zeros(count + 1, np.uint64)
    np.cumsum(lengths, out=ends[1:])
    size = int(ends[-1])
    text = np.frombuffer(data, np.uint8, size, 4 + 8 * count)
    return (text, ends), links, data[4 + 8 * count + size :]


class RangeSummary(msgspec.Struct):
    """A range of keys: its pages, sites and first keys, and stretches with their links."""

    pages: int
    sites: SiteRange
    head: list[bytes]
    stretches: list[tuple[int, int]]
    left_out: int


@dataclass(frozen=True)
class Merging:
    """The task for one range: merge its keys."""

    scratch: ScratchFolder
    stretch_links: int
    """Intended maximum number of links in a stretch of pages."""
    least_parents: int = 0

    def __call__(self, number: int, received: Received) -> Iterator[Blob]:
        parts: list[Packed] = [(np.empty(0, np.uint8), np.zeros(1, np.uint64))]
        links: list[NDArray[uint32]] = [np.empty(0, np.uint32)]
        parents: list[NDArray[uint64]] = []
        senders: list[tuple[int, int]] = []
        for sender, data in received:
            packed, its_links, packed_parents = unpack_keys(data)
            parts.append(packed)
            links.append(its_links)
            senders.append((sender, len(its_links)))
            parents.append(np.frombuffer(packed_parents, "<u8"))
        text, ends, places = sort_distinct(*concatenate(parts))
        weights = np.concatenate(links)
        left_out = 0
        if self.least_parents:
            kept = enough_parents(places, parents, self.least_parents, len(ends) - 1)
            left_out = int(np.count_nonzero(~kept))
            text, ends, places = keep_some(kept, text, ends, places)
        pages = len(ends) - 1
        runs = np.array(senders, np.int64).ravel()
        self.scratch.save("keys", number, text=text, ends=ends, places=places, runs=runs)
        is_page = places != NONE
        sums = np.bincount(places[is_page], weights[is_page], minlength=pages).astype(np.int64)
        keys = Names(text, ends)
        head = [keys[place] for place in range(min(pages, BLOCK - 1))]
        sites = SiteRange.of(text, ends) if pages else SiteRange(Sites())
        summary = RangeSummary(pages, sites, head, stretches(sums, self.stretch_links), left_out)
        yield Blob(0, msgspec.msgpack.encode(summary))


def stretches(links: NDArray[int64], max_links: int) -> list[tuple[int, int]]:
    """The pages and links of stretches with at most `max_links` links, unless a single page has
    more.
    """
    stretches: list[tuple[int, int]] = []
    sums = np.concatenate([[0], np.cumsum(links)])
    low = 0
    while low < len(links):
        high = max(int(np.searchsorted(sums, sums[low] + max_links, "right")) - 1, low + 1)
        high = min(high, len(links))
        stretches.append((high - low, int(sums[high] - sums[low])))
        low = high
    return stretches


@dataclass(frozen=True)
class RangeStart:
    """The start of a range of pages, and the next keys, which fill its last block of names."""

    page: int
    sites: Sites
    tail: list[bytes]


@dataclass
class NumberedRanges:
    """The ranges as the driver numbers them: the total number of pages and the start of each
    range.
    """

    ranges: list[RangeSummary]
    pages: int = 0
    left_out: int = 0
    sites: Sites = field(default_factory=Sites)
    starts: list[RangeStart] = field(default_factory=list)

    def __post_init__(self) -> None:
        for number, part in enumerate(self.ranges):
            missing = -(self.pages + part.pages) % BLOCK
            tail: list[bytes] = []
            for later in self.ranges[number + 1 :]:
                if len(tail) >= missing:
                    break
                tail += later.head[: missing - len(tail)]
            self.starts.append(RangeStart(self.pages, self.sites, tail))
            self.pages += part.pages
            self.left_out += part.left_out
            self.sites = self.sites.followed_by(part.sites)
        if self.pages > MAX_PAGES:
            raise BuildError(
                f"More than {MAX_PAGES:,} pages, the maximum for one graph; split the input."
            )

    def page_ranges(self, max_links: int) -> list[int]:
        """The bounds of page ranges with at most `max_links` links."""
        bounds = [0]
        page = held = 0
        for pages, links in (stretch for part in self.ranges for stretch in part.stretches):
            if held and held + links > max_links:
                bounds.append(page)
                held = 0
            page += pages
            held += links
        return [*bounds, self.pages]


@dataclass(frozen=True)
class Numbering:
    """The task for one range: write the names of its pages, and send their numbers to the runs."""

    scratch: ScratchFolder
    starts: list[RangeStart]

    def __call__(self, number: int, received: Received) -> Iterator[Blob]:
        start = self.starts[number]
        keys = self.scratch.load("keys", number)
        self._save(number, start, (keys["text"], keys["ends"]))
        pages = keys["places"] + np.uint32(start.page)
        pages[keys["places"] == NONE] = NONE
        at = 0
        for run, count in keys["runs"].reshape(-1, 2).tolist():
            yield from cut(run, pages[at : at + count])
            at += count

    def _save(self, number: int, start: RangeStart, keys: Packed) -> None:
        arrays = {name: MemoryArray(dtype_of(name)) for name in ("hosts", "domains")}
        sites = SiteNumbers(arrays.__getitem__, start.sites)
        if len(keys[1]) > 1:
            sites.append(*keys)
        coded, blocks = encode_blocks(keys, start)
        self.scratch.save(
            "names",
            number,
            hosts=arrays["hosts"].whole(),
            domains=arrays["domains"].whole(),
            plain=np.concatenate([np.empty(0, np.uint8), *sites.plain]),
            text=coded,
            blocks=blocks,
        )


def encode_blocks(keys: Packed, start: RangeStart) -> tuple[NDArray[Any], NDArray[Any]]:
    """The blocks of names that begin in a range, front-coded."""
    text, ends = keys
    skipped = min(-start.page % BLOCK, len(ends) - 1)
    if skipped == len(ends) - 1 and (skipped or not len(ends) - 1):
        return np.empty(0, np.uint8), np.empty(0, np.uint64)
    tail = Names.of(start.tail)
    first = int(ends[skipped])
    range_names = text[first:], ends[skipped:] - ends[skipped]
    return kernels.name_table.encode(*concatenate([range_names, (tail.blob, tail.offsets)]))
