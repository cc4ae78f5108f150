"""Merge changes into a graph without reading the old sources again.

The changes are a small graph. A page that was read there replaces the same page of the old graph,
with all its links and columns.

1. A page stays unless it is deleted; a deleted page stays, marked unread, as long as others link to
   it.
2. Both graphs are sorted by name, so pages keep their order. A page's new number is its old one,
   minus the pages removed before it, plus those inserted before it.
3. Lists of links are renumbered; those of changed pages are replaced.
4. Lists of parents are renumbered too, without the parents whose links or in-degree changed. Those
   parents are then merged in at their new positions.

The arrays are byte for byte those of a build from the same pages. A merge reads and writes the
whole graph, however small the change. It takes a few microseconds per changed page, and about 65
bytes of memory per page, whatever the memory limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated import kernels
from whatsrelated.errors import GraphFormatError
from whatsrelated.graph.linking import RowRange
from whatsrelated.graph.names import NAMES_PER_BATCH, CodedPiece, Packed, StringTable
from whatsrelated.graph.numbering import NONE
from whatsrelated.stream import Names

if TYPE_CHECKING:
    from numpy import bool_, int64, uint8, uint32, uint64
    from numpy.typing import NDArray

    from whatsrelated.graph.store import Store


@dataclass(frozen=True)
class Strings:
    """One string for each page of a merge: strings kept from a table, with new ones inserted."""

    table: StringTable
    kept: NDArray[bool_]
    added: Packed
    places: NDArray[int64]
    """For each inserted string, the string of the table that it comes before."""

    def pieces(self, *, hosts: bool = False) -> Iterator[CodedPiece]:
        """The strings in order, coded; if `hosts` is set, they are keys of pages."""
        table, kept = self.table, self.kept.view(np.uint8)
        recoder = kernels.name_recoding.Recoder(
            *(table.text, table.blocks, table.count, kept, *self.added, self.places, hosts)
        )
        for low in range(0, max(table.count, 1), NAMES_PER_BATCH):
            yield recoder.piece(min(low + NAMES_PER_BATCH, table.count))

    def dropped(self) -> Iterator[bytes]:
        """The strings of the table that are not kept."""
        return iter(Names(*_take(self.table, np.flatnonzero(~self.kept))))

    def __bool__(self) -> bool:
        """Whether any of the strings is not empty."""
        if len(self.added[0]):
            return True
        kept = np.flatnonzero(self.kept)
        return any(
            len(_take(self.table, kept[low : low + NAMES_PER_BATCH])[0])
            for low in range(0, len(kept), NAMES_PER_BATCH)
        )


@dataclass(frozen=True)
class Rows:
    """The links or parents of each page of a merge: the parameters of `merge_rows`."""

    offsets: NDArray[uint64]
    links: NDArray[uint32]
    origins: NDArray[uint32]
    numbers: NDArray[uint32]
    dropped: NDArray[uint8]
    added_offsets: NDArray[uint64]
    added: NDArray[uint32]
    degrees: NDArray[uint32]
    ends: NDArray[uint64]
    """The offsets of the result."""

    def pieces(self, max_links: int) -> Iterator[RowRange]:
        """Ranges of pages with at most `max_links` links each, if possible.

        Each overwrites the previous one.
        """
        pages = len(self.ends) - 1
        blocks = kernels.link_merging.blocks(self.numbers, self.dropped)
        into = np.empty(0, np.uint32)
        low = 0
        while low < pages:
            bound = self.ends[low] + np.uint64(max_links)
            high = max(int(np.searchsorted(self.ends, bound, "right")) - 1, low + 1)
            high = min(high, pages)
            starts = self.ends[low : high + 1] - self.ends[low]
            if len(into) < int(starts[-1]):
                into = np.empty(int(starts[-1]), np.uint32)
            row = into[: int(starts[-1])]
            written = kernels.link_merging.merge_rows(
                self.offsets,
                self.links,
                self.origins,
                self.numbers,
                blocks,
                self.added_offsets,
                self.added,
                self.degrees,
                low,
                high,
                row,
            )
            if written != len(row):
                raise GraphFormatError(
                    "The links of the graph contradict one another; build it again."
                )
            yield low, high, starts, row
            low = high


class Merge:
    """The result of merging two graphs: the remaining pages, their numbers, lists and strings.

    `deleted` marks pages of the old graph to remove, unless others link to them.
    The links of both graphs are plain arrays (`saving.unpack_aside`).
    """

    def __init__(self, old: Store, changes: Store, deleted: NDArray[bool_]) -> None:
        self.old, self.changes = old, changes
        keys = changes.names.table.get_many(np.arange(changes.n_pages, dtype=np.uint32))
        self._places = old.names.table.find_many(*keys)
        """For each page of the changes, its page in the old graph, or -1 minus the page after
        it.
        """
        known = self._places >= 0
        self._reread = changes.read_mask
        self._lost = deleted.copy()
        """The old pages whose links and columns are dropped."""
        self._lost[self._places[known & self._reread]] = True
        read = old.read_mask
        self._kept = read & ~self._lost
        self._cut = np.flatnonzero(read & self._lost)
        self._parents = kernels.link_merging.degrees(old.in_offsets)
        self._remaining = self._remaining_parents()
        self.stays = ~deleted | (self._remaining > 0)
        self.stays[self._places[known]] = True
        self._inserted = np.flatnonzero(~known)
        self._number(known)

    def _remaining_parents(self) -> NDArray[uint32]:
        """The number of parents that each old page keeps."""
        gone = np.zeros(self.old.n_pages, np.uint32)
        kernels.link_sorting.count_into(gone, self.old.rows_of(self._cut, backward=False))
        return self._parents - gone

    def _number(self, known: NDArray[bool_]) -> None:
        """Compute the new number of every page in both graphs."""
        before = -1 - self._places[self._inserted]
        self.old_numbers, come, self.pages = kernels.link_merging.number(
            self.stays.view(np.uint8), before
        )
        self.new_numbers = np.empty(self.changes.n_pages, np.uint32)
        self.new_numbers[self._inserted] = come
        self.new_numbers[known] = self.old_numbers[self._places[known]]

    @property
    def is_read(self) -> NDArray[bool_]:
        """Which pages of the result were read."""
        read: NDArray[bool_] = self._linking_origins != NONE
        read[self.new_numbers[self._reread]] = True
        return read

    @cached_property
    def offsets(self) -> NDArray[uint64]:
        """The offsets of the links."""
        before = kernels.link_merging.degrees(self.old.out_offsets)
        degrees = self._spread(before, self._kept, 0)
        read = self._reread
        degrees[self.new_numbers[read]] = np.diff(self.changes.out_offsets)[read]
        return kernels.link_merging.offsets(degrees)

    @property
    def n_links(self) -> int:
        return int(self.offsets[-1])

    def links(self) -> Rows:
        """The links of all pages, in page order."""
        read = self._reread
        changed = np.zeros(self.pages, np.uint32)
        changed[self.new_numbers[read]] = np.diff(self.changes.out_offsets)[read]
        added = kernels.link_sorting.translate(self.new_numbers, self.changes.out_links)
        return Rows(
            self.old.out_offsets,
            self.old.arrays["out.links"],
            self._linking_origins,
            self.old_numbers,
            np.zeros(self.old.n_pages, np.uint8),
            kernels.link_merging.offsets(changed),
            added,
            np.empty(0, np.uint32),
            self.offsets,
        )

    @cached_property
    def in_degrees(self) -> NDArray[uint32]:
        """The number of parents per page."""
        degrees = self._spread(self._remaining, self.stays, 0)
        added = kernels.link_sorting.translate(self.new_numbers, self.changes.out_links)
        kernels.link_sorting.count_into(degrees, added)
        return degrees

    @cached_property
    def _moved(self) -> NDArray[int64]:
        """Old pages that keep their links but whose in-degree changes, so they move in lists of
        parents.
        """
        if not self.pages:
            return np.empty(0, np.int64)
        now = self.in_degrees.take(self.old_numbers, mode="clip")  # past the last page: removed
        return np.flatnonzero(self._kept & (now != self._parents))

    @property
    def n_moved_links(self) -> int:
        """The number of entries in lists of parents that must move."""
        return int(self.old.out_degree(self._moved).sum()) + self.changes.n_links

    def parents(self) -> Rows:
        """The parents of each page, highest in-degree first.

        The old lists are in that order, except for parents whose in-degree has changed. Those
        parents are taken out and merged in again, together with the pages that were read again.
        """
        targets, parents = self._moved_links()
        movers = [self.old_numbers[self._moved], self.new_numbers[self._reread]]
        order = np.sort(np.concatenate(movers))
        order = order[kernels.link_sorting.descending(self.in_degrees[order])]
        ranks = np.empty(self.pages, np.uint32)  # for the parents to merge
        ranks[order] = np.arange(len(order), dtype=np.uint32)
        targets, ranked = kernels.link_sorting.by_rank(targets, parents, ranks)
        del ranks, parents
        starts, ranked = kernels.link_sorting.group(targets, ranked, 0, self.pages, False)
        dropped = np.zeros(self.old.n_pages, np.uint8)
        dropped[self._cut] = dropped[self._moved] = 1
        return Rows(
            self.old.in_offsets,
            self.old.arrays["in.links"],
            self._origins(self.stays),
            self.old_numbers,
            dropped,
            starts,
            kernels.link_sorting.translate(order, ranked),
            self.in_degrees,
            kernels.link_merging.offsets(self.in_degrees),
        )

    def _moved_links(self) -> tuple[NDArray[uint32], NDArray[uint32]]:
        """Targets and parents: the links of pages that must move."""
        offsets = self.old.out_offsets.astype(np.int64)
        sizes = offsets[self._moved + 1] - offsets[self._moved]
        before = np.cumsum(sizes) - sizes
        places = np.arange(sizes.sum()) + np.repeat(offsets[self._moved] - before, sizes)
        targets = self.old_numbers[self.old.arrays["out.links"][places]]
        parents = np.repeat(self.old_numbers[self._moved], sizes)
        added = kernels.link_sorting.translate(self.new_numbers, self.changes.out_links)
        sizes = np.diff(self.changes.out_offsets).astype(np.int64)
        return (
            np.concatenate([targets, added]),
            np.concatenate([parents, np.repeat(self.new_numbers, sizes)]),
        )

    @cached_property
    def _linking_origins(self) -> NDArray[uint32]:
        """For each page, the old page whose links it keeps, or NONE."""
        return self._origins(self._kept)

    def _origins(self, kept: NDArray[bool_]) -> NDArray[uint32]:
        """For each page, its old number if that page is `kept`, otherwise NONE."""
        return self._spread(np.arange(self.old.n_pages, dtype=np.uint32), kept, NONE)

    def _spread(
        self, values: NDArray[uint32], kept: NDArray[bool_], others: int
    ) -> NDArray[uint32]:
        """Values of old pages by new number; all other pages get `others`."""
        spread = np.full(self.pages, others, np.uint32)
        kernels.link_merging.spread(values, self.old_numbers, kept.view(np.uint8), spread)
        return spread

    def counts(self) -> dict[str, int]:
        """The numbers of pages that the merge adds, changes and removes."""
        known = np.flatnonzero(self._places >= 0)
        changed = sum(
            int(self._differ(known[low : low + NAMES_PER_BATCH]).sum())
            for low in range(0, len(known), NAMES_PER_BATCH)
        )
        forgotten = self._lost & self.stays & self.old.read_mask
        forgotten[self._places[known]] = False
        return {
            "added": len(self._inserted),
            "changed": changed + int(forgotten.sum()),
            "removed": int((~self.stays).sum()),
        }

    def _differ(self, pages: NDArray[int64]) -> NDArray[bool_]:
        """Which of these pages differ from before.

        All of them are in the changes and in the old graph.
        """
        old, read = self._places[pages], self._reread[pages]
        was_read, lost = self.old.is_read(old), self._lost[old]
        degrees = self.changes.out_degree(pages)
        differ: NDArray[bool_] = was_read != (read | (was_read & ~lost))
        differ |= read & (degrees != self.old.out_degree(old))
        same = np.flatnonzero(read & ~differ)
        links = self.old.rows_of(old[same], backward=False)
        before = np.where(self.stays[links], self.old_numbers[links], NONE)
        after = self.new_numbers[self.changes.rows_of(pages[same], backward=False)]
        differ[np.repeat(same, degrees[same])[before != after]] = True
        for name in self.columns:
            texts = Names(*_take(self.changes.column(name), pages))
            old_texts = Names(*_take(self.old.column(name), old))
            for place, (text, was) in enumerate(zip(texts, old_texts, strict=True)):
                differ[place] |= text != was and bool(text or read[place] or lost[place])
        return differ

    @property
    def columns(self) -> list[str]:
        """The names of the columns in either graph."""
        arrays = {*self.old.arrays, *self.changes.arrays} - {"names.blocks"}
        return sorted(a.removesuffix(".blocks") for a in arrays if a.endswith(".blocks"))

    def names(self) -> Strings:
        """The keys of all pages."""
        keys = self.changes.names.table.get_many(self._inserted.astype(np.uint32))
        return Strings(self.old.names, self.stays, keys, -1 - self._places[self._inserted])

    def column(self, name: str) -> Strings:
        """A column of all pages: from the changes or, if the old value is kept, from the old graph.

        A page that was read again has only its values from the changes.
        """
        text, ends = _take(self.changes.column(name), np.arange(self.changes.n_pages))
        at = self._places
        old = np.maximum(at, -1)  # -1 if not in the old graph
        kept = self.stays & ~self._lost
        takes = self._reread | (np.diff(ends) > 0) | ~np.append(kept, False)[old]
        kept[at[takes & (at >= 0)]] = False
        from_changes = np.zeros(self.old.n_pages, np.bool_)
        from_changes[at[takes & (at >= 0)]] = True
        bare = np.flatnonzero(self.stays & ~kept & ~from_changes)
        places = np.concatenate([np.where(at < 0, -1 - at, at)[takes], bare])
        order = np.argsort(places, kind="stable").astype(np.uint32)
        chosen = np.append(np.flatnonzero(takes), np.full(len(bare), len(at)))[order]
        strings = kernels.sort_keys.take(text, np.append(ends, ends[-1]), chosen.astype(np.uint32))
        return Strings(
            self.old.column(name) or _blank(self.old.n_pages), kept, strings, places[order]
        )


def _take(table: StringTable | None, pages: NDArray[int64]) -> Packed:
    """The strings of some pages, packed; empty if there is no table."""
    if table is None:
        return np.empty(0, np.uint8), np.zeros(len(pages) + 1, np.uint64)
    return table.table.get_many(pages.astype(np.uint32))


def _blank(count: int) -> StringTable:
    """A table of `count` empty strings."""
    return StringTable(*kernels.name_table.encode(*_take(None, np.arange(count))), count)
