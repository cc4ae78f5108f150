"""Links in both directions: in memory at once, or a range of pages at a time.

Beyond memory, links are split into ranges of sources, each range grouped and
written; its links go on, split into ranges of targets, and each of those is
ordered by the parents' in-degree and written.  No step holds more than a
range, besides 13 bytes per page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated import kernels
from whatsrelated.graph.format import ArraysByName

if TYPE_CHECKING:
    from numpy import bool_, uint32, uint64
    from numpy.typing import NDArray

    from whatsrelated.graph.array_spool import ArraySpool, SpooledArray, SpoolWriter

BYTES_PER_LINK = 36
"""What grouping a link takes at its peak."""
PIECE = 1 << 22
MOST_OPEN = 64
"""Files that stay open at a time; where there are more ranges, each is opened when written to."""

Pairs = tuple["NDArray[uint32]", "NDArray[uint32]"]
RowRange = tuple[int, int, "NDArray[uint64]", "NDArray[uint32]"]
"""The first page of a range and the one after it, where the links of each begin, and the links."""


def link_in_memory(pieces: Iterator[Pairs], array: ArraysByName, has_links: NDArray[bool_]) -> int:
    """Both directions of all links at once; how many distinct ones there are.

    `has_links` has a place for each page, where those that link to another are marked.
    """
    pages = len(has_links)
    listed = list(pieces)
    if len(listed) == 1:
        sources, targets = listed.pop()
    else:
        sources = _concatenate([piece[0] for piece in listed])
        targets = _concatenate([piece[1] for piece in listed])
    del listed
    offsets, links = kernels.sorting.group(sources, targets, 0, pages, True)
    del sources, targets
    has_links |= offsets[1:] > offsets[:-1]
    write_rows_in_memory(offsets, links, array)
    return len(links)


def write_rows_in_memory(
    offsets: NDArray[uint64], links: NDArray[uint32], array: ArraysByName
) -> None:
    """Write the links of all pages, and who links to each."""
    in_degrees = np.zeros(len(offsets) - 1, np.uint32)
    kernels.sorting.count_into(in_degrees, links)
    array("out.offsets").append(offsets)
    array("out.links").append(links)
    order = kernels.sorting.descending(in_degrees)
    offsets, links = kernels.sorting.reverse(offsets, links, order, in_degrees)
    array("in.offsets").append(offsets)
    array("in.links").append(links)


def link_on_disk(
    pieces: Callable[[bool], Iterator[Pairs]],
    array: ArraysByName,
    has_links: NDArray[bool_],
    spool: ArraySpool,
    memory: int,
    progress: Callable[[int], None],
) -> int:
    """Both directions, a range of pages at a time; `pieces` is read twice, then dropped (True).

    `has_links` has a place for each page, where those that link to another are marked.
    Returns how many distinct links there are.
    """
    pages = len(has_links)
    most = max(1, memory // BYTES_PER_LINK)
    out_degrees = np.zeros(pages, np.uint32)
    for sources, _ in pieces(False):
        kernels.sorting.count_into(out_degrees, sources)
    by_source = Buckets(out_degrees, most, spool)
    for sources, targets in pieces(True):
        by_source.append(sources, targets)

    def rows() -> Iterator[RowRange]:
        for low, high, sources, targets in by_source.read():
            starts, links = kernels.sorting.group(sources, targets, low, high - low, True)
            has_links[low:high] |= starts[1:] > starts[:-1]
            yield low, high, starts, links

    return write_rows_on_disk(rows(), pages, array, spool, memory, progress)


def write_rows_on_disk(
    rows: Iterator[RowRange],
    pages: int,
    array: ArraysByName,
    spool: ArraySpool,
    memory: int,
    progress: Callable[[int], None],
) -> int:
    """Write the links of all pages, range by range, and who links to each; how many links."""
    in_degrees = np.zeros(pages, np.uint32)
    spooled, bounds, n_links = _write_out_links(rows, in_degrees, array, spool, progress)
    by_target = Buckets(in_degrees, max(1, memory // BYTES_PER_LINK), spool)
    _reverse_rows(spooled, bounds, by_target)
    spooled.drop()
    _write_in_links(by_target, in_degrees, array, lambda done: progress(n_links + done))
    return n_links


def _write_out_links(
    rows: Iterator[RowRange],
    in_degrees: NDArray[uint32],
    array: ArraysByName,
    spool: ArraySpool,
    progress: Callable[[int], None],
) -> tuple[SpooledArray, list[tuple[int, int]], int]:
    """Write the links of each page; count into `in_degrees` who is linked to.

    Returns the same rows to be read again, for each range of pages their out-degrees
    and then their targets, the ranges, and how many links there are.
    """
    again = spool.writer("<u4")
    bounds = []
    n_links = 0
    offsets, links = array("out.offsets"), array("out.links")
    for low, high, starts, found in rows:
        kernels.sorting.count_into(in_degrees, found)
        offsets.append(starts[:-1] + np.uint64(n_links))
        links.append(found)
        again.append(np.diff(starts).astype(np.uint32))
        again.append(found)
        bounds.append((low, high))
        n_links += len(found)
        progress(n_links)
    offsets.append(np.array([n_links], np.uint64))
    return again.close(), bounds, n_links


def _reverse_rows(rows: SpooledArray, bounds: list[tuple[int, int]], by_target: Buckets) -> None:
    """Sort the links of rows into ranges of their targets."""
    at = 0
    for low, high in bounds:
        degrees = rows.load(at, at + high - low)
        at += high - low
        owners = np.repeat(np.arange(low, high, dtype=np.uint32), degrees)
        for first in range(0, len(owners), PIECE):
            last = min(first + PIECE, len(owners))
            by_target.append(rows.load(at + first, at + last), owners[first:last])
        at += len(owners)


def _write_in_links(
    by_target: Buckets,
    in_degrees: NDArray[uint32],
    array: ArraysByName,
    progress: Callable[[int], None],
) -> None:
    """Write who links to each page, the parents with the highest in-degree first."""
    order = kernels.sorting.descending(in_degrees)
    ranks = np.empty(len(in_degrees), np.uint32)
    ranks[order] = np.arange(len(in_degrees), dtype=np.uint32)
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
        progress(written)
    offsets.append(np.array([written], np.uint64))


class Buckets:
    """Pairs split on disk by ranges of pages, each range with at most `most` links if it can."""

    def __init__(self, degrees: NDArray[uint32], most: int, spool: ArraySpool) -> None:
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
        few = len(self.bounds) <= MOST_OPEN
        self._files: list[SpoolWriter] = [spool.writer("<u4", few) for _ in self.bounds]

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
            spooled = file.close()
            pairs = spooled.load().reshape(-1, 2)
            keys = np.ascontiguousarray(pairs[:, 0])
            values = np.ascontiguousarray(pairs[:, 1])
            del pairs
            spooled.drop()
            yield low, high, keys, values


def _concatenate(arrays: list[NDArray[uint32]]) -> NDArray[uint32]:
    return np.concatenate(arrays) if arrays else np.empty(0, np.uint32)
