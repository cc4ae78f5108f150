"""A graph and its changes as one graph, without reading the old sources again.

The changes are a small graph of their own.  A page that was read in it replaces
the same page of the old graph: its whole list of links and all that it carries.

1. A page stays if it was read, or if another links to it.
2. Names ascend in both graphs, so the new numbers ascend with the old ones: a
   page's new number is its old one, less the pages gone before it, plus those
   that came before it.
3. The old lists of links are taken in long stretches and translated; the lists
   of changed pages stand between them.  Who links to each page is written anew.

The arrays are byte for byte those of a build from the same pages.  It costs a
read and a write of the old graph, whatever has changed, and a few microseconds
for each changed page; it holds some 30 bytes for each page.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated import kernels
from whatsrelated.graph.linking import PIECE, RowRange
from whatsrelated.graph.names import AT_ONCE, Packed, StringTable, concatenate
from whatsrelated.graph.numbering import NONE

if TYPE_CHECKING:
    from numpy import bool_, int64, uint32, uint64
    from numpy.typing import NDArray

    from whatsrelated.graph.store import Store

EMPTY: Packed = np.empty(0, np.uint8), np.zeros(2, np.uint64)
"""One empty string."""


class Merge:
    """What becomes of two graphs: the pages that stay, their numbers, lists and strings.

    `deleted` marks pages of the old graph that are as if they had never been read.
    """

    def __init__(self, old: Store, changes: Store, deleted: NDArray[bool_]) -> None:
        self.old, self.changes = old, changes
        keys = changes.names.table.get_many(np.arange(changes.n_pages, dtype=np.uint32))
        self._places = old.names.table.find_many(*keys)
        """Of each page of the changes its page in the old graph, or -1 - the one after it."""
        known = self._places >= 0
        self._read_anew = changes.is_read(np.arange(changes.n_pages))
        self._lost = deleted.copy()
        """The pages of the old graph of which nothing is kept but what others say of them."""
        self._lost[self._places[known & self._read_anew]] = True
        read = old.is_read(np.arange(old.n_pages))
        self._kept = read & ~self._lost
        self._cut = np.flatnonzero(read & self._lost)
        self.stays = self._kept | (self._remaining_parents() > 0)
        wanted = self._read_anew | (changes.in_degree(np.arange(changes.n_pages)) > 0)
        self.stays[self._places[known & wanted]] = True
        self._inserted = np.flatnonzero(~known & wanted)
        self._number(known)

    def _remaining_parents(self) -> NDArray[uint32]:
        """How many of its parents each old page keeps."""
        parents = np.diff(self.old.in_offsets).astype(np.uint32)
        gone = np.zeros(len(parents), np.uint32)
        lists = [self.old.links_from(page) for page in self._cut.tolist()]
        if lists:
            kernels.sorting.count_into(gone, np.concatenate(lists))
        return parents - gone

    def _number(self, known: NDArray[bool_]) -> None:
        """The new number of every page of either graph."""
        before = -1 - self._places[self._inserted]
        left = np.concatenate([[0], np.cumsum(self.stays)])
        came = np.cumsum(np.bincount(before, minlength=self.old.n_pages + 1))
        self.pages = int(left[-1]) + len(before)
        self.old_numbers = (left[:-1] + came[:-1]).astype(np.uint32)
        self.new_numbers = np.full(self.changes.n_pages, NONE, np.uint32)
        self.new_numbers[self._inserted] = left[before] + np.arange(len(before))
        known = known & np.append(self.stays, False)[np.maximum(self._places, -1)]
        self.new_numbers[known] = self.old_numbers[self._places[known]]
        self._ends = np.append(left[1:], left[-1]) + came
        """How many pages stand up to and including each old page; all, up to past the last."""

    @property
    def is_read(self) -> NDArray[bool_]:
        """Which pages of the result were read."""
        read = np.zeros(self.pages, np.bool_)
        read[self.old_numbers[self._kept]] = True
        read[self.new_numbers[self._read_anew]] = True
        return read

    @cached_property
    def offsets(self) -> NDArray[uint64]:
        """Where the links of each page begin."""
        degrees = np.zeros(self.pages, np.uint64)
        degrees[self.old_numbers[self._kept]] = np.diff(self.old.out_offsets)[self._kept]
        read = self._read_anew
        degrees[self.new_numbers[read]] = np.diff(self.changes.out_offsets)[read]
        offsets = np.zeros(self.pages + 1, np.uint64)
        np.cumsum(degrees, out=offsets[1:])
        return offsets

    @property
    def n_links(self) -> int:
        return int(self.offsets[-1])

    def links(self) -> Iterator[NDArray[uint32]]:
        """The links of all pages in order, translated, a piece at a time."""
        for graph, numbers, first, last in self._stretches():
            for low in range(first, last, PIECE):
                yield kernels.sorting.translate(
                    numbers, graph.out_links[low : min(low + PIECE, last)]
                )

    def _stretches(self) -> Iterator[tuple[Store, NDArray[uint32], int, int]]:
        """The links in order: the graph, its new numbers, the first link and the one after."""
        old = (self.old, self.old_numbers)
        starts, new_starts = self.old.out_offsets, self.changes.out_offsets
        changed = np.flatnonzero(self._read_anew)
        places = self._places[changed]
        at = np.concatenate([np.where(places < 0, -1 - places, places), self._cut])
        order = np.argsort(at, kind="stable")
        reached = 0
        for which, page in zip(order.tolist(), at[order].tolist(), strict=True):
            start = int(starts[page])
            if start > reached:
                yield *old, reached, start
                reached = start
            if which < len(changed):
                new = int(changed[which])
                first, last = int(new_starts[new]), int(new_starts[new + 1])
                yield self.changes, self.new_numbers, first, last
            else:
                reached = int(starts[page + 1])
        yield *old, reached, self.old.n_links

    def rows(self, most: int) -> Iterator[RowRange]:
        """The links of all pages, in ranges of pages with at most `most` links if they can."""
        pieces = self.links()
        waiting: list[NDArray[uint32]] = []
        held = low = 0
        while low < self.pages:
            bound = self.offsets[low] + np.uint64(most)
            high = max(int(np.searchsorted(self.offsets, bound, "right")) - 1, low + 1)
            high = min(high, self.pages)
            starts = self.offsets[low : high + 1] - self.offsets[low]
            need = int(starts[-1])
            while held < need:
                waiting.append(next(pieces))
                held += len(waiting[-1])
            links = np.concatenate(waiting) if waiting else np.empty(0, np.uint32)
            yield low, high, starts, links[:need]
            waiting, held = [links[need:]], held - need
            low = high

    def names(self) -> Iterator[Packed]:
        """The keys of all pages in order, a piece at a time."""
        return self._strings(self.old.names, self.changes.names, self.stays)

    def column(self, name: str) -> Iterator[Packed]:
        """What all pages carry under this name, in order, a piece at a time."""
        kept = self.stays & ~self._lost
        return self._strings(self.old.column(name), self.changes.column(name), kept)

    def _strings(
        self, old: StringTable | None, new: StringTable | None, kept: NDArray[bool_]
    ) -> Iterator[Packed]:
        """A string for each page: that of the changes, else the old one where it is kept."""
        at = np.where(self._places < 0, -1 - self._places, self._places)
        for low in range(0, self.old.n_pages + 1, AT_ONCE):
            high = min(low + AT_ONCE, self.old.n_pages + 1)
            first = int(self._ends[low - 1]) if low else 0
            pages = np.arange(low, min(high, self.old.n_pages))
            pages = pages[kept[pages]]
            others = np.arange(*np.searchsorted(at, [low, high]))
            others = others[self.new_numbers[others] < self.pages]
            parts = [_take(old, pages), _take(new, others), EMPTY]
            lengths = np.diff(parts[1][1])
            given = self._read_anew[others] | (lengths > 0)
            chosen = np.full(int(self._ends[high - 1]) - first, len(pages) + len(others))
            chosen[self.old_numbers[pages] - first] = np.arange(len(pages))
            places = len(pages) + np.flatnonzero(given)
            chosen[self.new_numbers[others[given]] - first] = places
            yield kernels.keys.take(*concatenate(parts), chosen.astype(np.uint32))


def _take(table: StringTable | None, pages: NDArray[int64]) -> Packed:
    """The strings of some pages, packed; empty where there is no table."""
    if table is None:
        return np.empty(0, np.uint8), np.zeros(len(pages) + 1, np.uint64)
    return table.table.get_many(pages.astype(np.uint32))
