"""Group links in both directions: all in memory, or one range of pages at a time.

Links that exceed memory are split into ranges of sources, unless they are already sorted by source.
Each range is grouped and written, and its links are split into ranges of targets. Each of those is
sorted by the parents' in-degree and written. No step needs more memory than one range plus 13 bytes
per page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated import kernels
from whatsrelated.graph.buckets import PIECE, WIDEST, Buckets, LinkCounts, Workspace
from whatsrelated.graph.format import ArraysByName

if TYPE_CHECKING:
    from numpy import bool_, uint32, uint64
    from numpy.typing import NDArray

    from whatsrelated.graph.array_spool import ArraySpool

BYTES_PER_LINK = 36
"""Peak memory per link for grouping all links in memory."""
BYTES_A_WORD = 24
"""Memory per link for grouping the links of a range: two words, the link, and its source."""
END = np.empty(0, np.uint32), np.empty(0, np.uint32)
"""Marks the end of the pieces."""

Pairs = tuple["NDArray[uint32]", "NDArray[uint32]"]
RowRange = tuple[int, int, "NDArray[uint64]", "NDArray[uint32]"]
"""The first page of a range and the first page after it, the offset of each page, and the links."""


def link_in_memory(pieces: Iterator[Pairs], array: ArraysByName, has_links: NDArray[bool_]) -> int:
    """Write both directions of all links at once; return the number of distinct links.

    Marks the pages with links in `has_links`.
    """
    pages = len(has_links)
    listed = list(pieces)
    if len(listed) == 1:
        sources, targets = listed.pop()
    else:
        sources = _concatenate([piece[0] for piece in listed])
        targets = _concatenate([piece[1] for piece in listed])
    del listed
    offsets, links = kernels.link_sorting.group(sources, targets, 0, pages, True)
    del sources, targets
    has_links |= offsets[1:] > offsets[:-1]
    write_rows_in_memory(offsets, links, array)
    return len(links)


def write_rows_in_memory(
    offsets: NDArray[uint64], links: NDArray[uint32], array: ArraysByName
) -> None:
    """Write the links and the parents of all pages."""
    in_degrees = np.zeros(len(offsets) - 1, np.uint32)
    kernels.link_sorting.count_into(in_degrees, links)
    array("out.offsets").append(offsets)
    array("out.links").append(links)
    order = kernels.link_sorting.descending(in_degrees)
    offsets, links = kernels.link_sorting.reverse(offsets, links, order, in_degrees)
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
    """Write both directions, one range of pages at a time; return the number of distinct links.

    `pieces` is read twice, the second time with drop=True.  Marks the pages with links in
    `has_links`.
    """
    pages = len(has_links)
    by_source, by_target = LinkCounts(pages), LinkCounts(pages)
    in_order, before = True, 0
    for sources, targets in pieces(False):
        by_source.add(sources)
        by_target.add(targets)
        in_order = in_order and _ascend(sources, before)
        before = int(sources[-1]) if len(sources) else before
    work = Workspace()
    if in_order:
        ranges = _ranges_in_order(pieces(True), pages, work)
    else:
        buckets = Buckets(by_source, max(1, memory // BYTES_A_WORD), spool)
        for sources, targets in pieces(True):
            buckets.append(sources, targets)
        ranges = buckets.read(work)

    def rows() -> Iterator[RowRange]:
        for low, high, words, spare in ranges:
            starts = work.array("offsets", high - low + 1, np.uint64)
            links = work.array("links", len(words), np.uint32)
            written = kernels.range_sorting.distinct_rows(words, low, spare, starts, links)
            has_links[low:high] |= starts[1:] > starts[:-1]
            yield low, high, starts, links[:written]

    return write_rows_on_disk(rows(), by_target, array, spool, memory, progress)


def _ascend(sources: NDArray[uint32], before: int) -> bool:
    """Whether links are sorted by source and continue after the previous ones."""
    return not len(sources) or bool(sources[0] >= before and np.all(sources[1:] >= sources[:-1]))


def _ranges_in_order(
    pieces: Iterator[Pairs], pages: int, work: Workspace
) -> Iterator[tuple[int, int, NDArray[uint64], NDArray[uint64]]]:
    """Ranges of pages whose links are sorted by source: like `Buckets.read`, but without files."""
    low = held = 0
    parts: list[Pairs] = []
    for sources, targets in chain(pieces, [END]):
        if len(sources):
            parts.append((sources, targets))
            held += len(sources)
        last = sources is END[0]
        end = pages if last or not parts else int(parts[-1][0][-1])
        if not last and (held < PIECE or end == low):
            continue
        for high in (*range(low + WIDEST, end, WIDEST), end):
            cuts = [int(np.searchsorted(owners, np.uint32(high))) for owners, _ in parts]
            words = work.array("words", sum(cuts), np.uint64)
            at = 0
            for (owners, linked), cut in zip(parts, cuts, strict=True):
                halves = words[at : at + cut].view(np.uint32).reshape(-1, 2)
                halves[:, 0] = linked[:cut]
                np.subtract(owners[:cut], np.uint32(low), out=halves[:, 1])
                at += cut
            parts = [
                (owners[cut:], linked[cut:])
                for (owners, linked), cut in zip(parts, cuts, strict=True)
                if cut < len(owners)
            ]
            yield low, high, words, work.array("spare", len(words), np.uint64)
            low = high
        parts = [(owners.copy(), linked.copy()) for owners, linked in parts]
        held = sum(len(owners) for owners, _ in parts)


def write_rows_on_disk(
    rows: Iterator[RowRange],
    to_pages: LinkCounts,
    array: ArraysByName,
    spool: ArraySpool,
    memory: int,
    progress: Callable[[int], None],
) -> int:
    """Write the links and the parents of all pages, range by range; return the number of links.

    `to_pages` counts the links to pages, including duplicates.
    """
    in_degrees = np.zeros(to_pages.pages, np.uint32)
    by_target = Buckets(to_pages, max(1, memory // BYTES_A_WORD), spool)
    n_links = _write_out_links(rows, in_degrees, by_target, array, progress)
    _write_in_links(by_target, in_degrees, array, lambda count: progress(n_links + count))
    return n_links


def _write_out_links(
    rows: Iterator[RowRange],
    in_degrees: NDArray[uint32],
    by_target: Buckets,
    array: ArraysByName,
    progress: Callable[[int], None],
) -> int:
    """Write the links of each page and split them by target; return the number of links."""
    n_links = 0
    offsets, links = array("out.offsets"), array("out.links")
    for low, high, starts, targets in rows:
        kernels.link_sorting.count_into(in_degrees, targets)
        offsets.append(starts[:-1] + np.uint64(n_links))
        links.append(targets)
        owners = np.repeat(np.arange(low, high, dtype=np.uint32), np.diff(starts).astype(np.int64))
        by_target.append(targets, owners)
        n_links += len(targets)
        progress(n_links)
    offsets.append(np.array([n_links], np.uint64))
    return n_links


def _write_in_links(
    by_target: Buckets,
    in_degrees: NDArray[uint32],
    array: ArraysByName,
    progress: Callable[[int], None],
) -> None:
    """Write the parents of each page, highest in-degree first."""
    order = kernels.link_sorting.descending(in_degrees)
    ranks = np.empty(len(in_degrees), np.uint32)
    ranks[order] = np.arange(len(in_degrees), dtype=np.uint32)
    written = 0
    work = Workspace()
    offsets, links = array("in.offsets"), array("in.links")
    for low, high, words, spare in by_target.read(work):
        starts = work.array("offsets", high - low + 1, np.uint64)
        parents = work.array("links", len(words), np.uint32)
        kernels.range_sorting.ranked_rows(words, ranks, order, spare, starts, parents)
        offsets.append(starts[:-1] + np.uint64(written))
        links.append(parents)
        written += len(parents)
        progress(written)
    offsets.append(np.array([written], np.uint64))


def _concatenate(arrays: list[NDArray[uint32]]) -> NDArray[uint32]:
    return np.concatenate(arrays) if arrays else np.empty(0, np.uint32)
