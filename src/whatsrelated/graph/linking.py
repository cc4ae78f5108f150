"""Links in both directions: in memory at once, or a range of pages at a time.

Beyond memory, links are split into ranges of sources, each range grouped and
written; its links go on, split into ranges of targets, and each of those is
ordered by the parents' in-degree and written.  No step holds more than a
range, besides 12 bytes per page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.graph.spool import Growing, Spool

BYTES_PER_LINK = 36
"""What grouping a link takes at its peak."""
PIECE = 1 << 22

Pairs = tuple["NDArray[uint32]", "NDArray[uint32]"]


def link_in_memory(pieces: Iterator[Pairs], pages: int, array: Callable[[str], Any]) -> int:
    """Both directions of all links at once; how many distinct ones there are."""
    listed = list(pieces)
    if len(listed) == 1:
        sources, targets = listed.pop()
    else:
        sources = _concatenated([piece[0] for piece in listed])
        targets = _concatenated([piece[1] for piece in listed])
    del listed
    offsets, links = kernels.sorting.group(sources, targets, 0, pages, True)
    del sources, targets
    in_degrees = np.zeros(pages, np.uint32)
    kernels.sorting.count_into(in_degrees, links)
    array("out.offsets").append(offsets)
    array("out.links").append(links)
    order = kernels.sorting.descending(in_degrees)
    offsets, links = kernels.sorting.reverse(offsets, links, order, in_degrees)
    array("in.offsets").append(offsets)
    array("in.links").append(links)
    return len(links)


def link_on_disk(
    pieces: Callable[[], Iterator[Pairs]],
    pages: int,
    array: Callable[[str], Any],
    spool: Spool,
    memory: int,
    progress: Callable[[int], None],
) -> int:
    """Both directions, a range of pages at a time; `pieces` is read twice."""
    out_degrees = np.zeros(pages, np.uint32)
    for sources, _ in pieces():
        kernels.sorting.count_into(out_degrees, sources)
    in_degrees = np.zeros(pages, np.uint32)
    most = max(1, memory // BYTES_PER_LINK)
    by_source = Buckets(out_degrees, most, spool)
    for sources, targets in pieces():
        by_source.append(sources, targets)
    grouped = spool.growing("<u4")
    n_links = 0
    offsets, links = array("out.offsets"), array("out.links")
    for low, high, sources, targets in by_source.read():
        starts, found = kernels.sorting.group(sources, targets, low, high - low, True)
        del sources, targets
        kernels.sorting.count_into(in_degrees, found)
        offsets.append(starts[:-1] + np.uint64(n_links))
        links.append(found)
        grouped.append(np.diff(starts).astype(np.uint32))
        grouped.append(found)
        n_links += len(found)
        progress(n_links)
    offsets.append(np.array([n_links], np.uint64))
    rows = grouped.close()

    by_target = Buckets(in_degrees, most, spool)
    at = 0
    for low, high in by_source.bounds:
        degrees = rows.load(at, at + high - low)
        at += high - low
        owners = np.repeat(np.arange(low, high, dtype=np.uint32), degrees)
        for first in range(0, len(owners), PIECE):
            last = min(first + PIECE, len(owners))
            by_target.append(rows.load(at + first, at + last), owners[first:last])
        at += len(owners)
    rows.drop()

    order = kernels.sorting.descending(in_degrees)
    ranks = np.empty(pages, np.uint32)
    ranks[order] = np.arange(pages, dtype=np.uint32)
    written = 0
    offsets, links = array("in.offsets"), array("in.links")
    for low, high, targets, parents in by_target.read():
        targets, ranked = kernels.sorting.by_rank(targets, parents, ranks)
        del parents
        starts, found = kernels.sorting.group(targets, ranked, low, high - low, False)
        del targets, ranked
        offsets.append(starts[:-1] + np.uint64(written))
        links.append(kernels.sorting.translate(order, found))
        written += len(found)
        progress(n_links + written)
    offsets.append(np.array([written], np.uint64))
    return n_links


class Buckets:
    """Pairs split on disk by ranges of pages, each range with at most `most` links if it can."""

    def __init__(self, degrees: NDArray[uint32], most: int, spool: Spool) -> None:
        pages = len(degrees)
        self.shift = max(0, pages.bit_length() - 16)
        width = 1 << self.shift
        blocks = np.add.reduceat(degrees.astype(np.int64), np.arange(0, pages, width))
        self.bucket_of = np.zeros(len(blocks), np.uint32)
        bucket = held = 0
        firsts = [0]
        for block, links in enumerate(blocks.tolist()):
            if held and held + links > most:
                bucket += 1
                held = 0
                firsts.append(block)
            held += links
            self.bucket_of[block] = bucket
        ends = [*firsts[1:], len(blocks)]
        self.bounds = [
            (first * width, min(end * width, pages))
            for first, end in zip(firsts, ends, strict=True)
        ]
        self._files: list[Growing] = [spool.growing("<u4") for _ in self.bounds]

    def append(self, keys: NDArray[uint32], values: NDArray[uint32]) -> None:
        """Add pairs, in the order in which they come; never more than a piece at once."""
        for first in range(0, len(keys), PIECE):
            starts, split_keys, split_values = kernels.sorting.split(
                keys[first : first + PIECE],
                values[first : first + PIECE],
                self.bucket_of,
                self.shift,
                len(self._files),
            )
            bounds = starts.tolist()
            for file, begin, end in zip(self._files, bounds, bounds[1:], strict=False):
                if end > begin:
                    pairs = np.empty((end - begin, 2), np.uint32)
                    pairs[:, 0] = split_keys[begin:end]
                    pairs[:, 1] = split_values[begin:end]
                    file.append(pairs.ravel())

    def read(self) -> Iterator[tuple[int, int, NDArray[uint32], NDArray[uint32]]]:
        """Each range of pages with its pairs; its file goes when it has been read."""
        for (low, high), file in zip(self.bounds, self._files, strict=True):
            held = file.close()
            pairs = held.load().reshape(-1, 2)
            keys = np.ascontiguousarray(pairs[:, 0])
            values = np.ascontiguousarray(pairs[:, 1])
            del pairs
            held.drop()
            yield low, high, keys, values


def _concatenated(arrays: list[NDArray[uint32]]) -> NDArray[uint32]:
    return np.concatenate(arrays) if arrays else np.empty(0, np.uint32)
