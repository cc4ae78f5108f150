"""Decide which captures of a page count when an archive has several.

Each capture has a 32-byte entry: a hash of its address, its date, and its position in the spool.
For a revisit, the position is replaced by the date of the capture it repeats. After everything has
been read, the entries are sorted by address and date:

- `newest`: the last capture of each address; for a revisit, the capture it repeats or, failing
  that, the last capture;
- `oldest`: the first capture of each address;
- `all`: all captures.

A substitute for a page (`stands_in`) counts only if there is no other capture.

A response that is not a page takes 8 bytes; a failed one takes a full entry, which records its
status.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy import bool_, int64
    from numpy.typing import NDArray

    from whatsrelated.sources.page_records import PageRecord, PageSpool


class CaptureSet:
    """The captures of all addresses."""

    def __init__(self) -> None:
        self._addresses = array("q")
        self._dates = array("q")
        self._places = array("q")
        self._repeated = array("q")
        self._others = array("q")
        self._failed: dict[str, tuple[int, int]] = {}
        self._size = 0

    def add(self, page: PageRecord) -> None:
        """Add the next page of the spool."""
        date = page.time - (1 << 62) if page.stands_in else page.time
        self._add(page.name, date, self._size, 0)
        self._size += 1

    def add_revisit(self, name: str, date: int, repeated: int) -> None:
        """Record that an address had the same contents as at an earlier date."""
        self._add(name, date, -1, repeated)

    def _add(self, name: str, date: int, place: int, repeated: int) -> None:
        self._addresses.append(hash(name))
        self._dates.append(date)
        self._places.append(place)
        self._repeated.append(repeated)

    def add_status(self, name: str, date: int, status: int) -> None:
        """Add a response that is neither a page nor a redirect."""
        if status < 400:
            self._others.append(hash(name))
        else:
            self._failed[name] = max(self._failed.get(name, (0, 0)), (date, status))

    def failures(self) -> dict[str, int]:
        """The addresses that failed and never returned a page afterwards, with their status."""
        dates = np.frombuffer(self._dates, np.int64)
        order = np.lexsort((dates, np.frombuffer(self._addresses, np.int64)))
        addresses = np.frombuffer(self._addresses, np.int64)[order]
        statuses = {}
        for name, (date, status) in self._failed.items():
            last = int(np.searchsorted(addresses, hash(name), "right")) - 1
            if last < 0 or addresses[last] != hash(name) or dates[order[last]] < date:
                statuses[name] = status
        return statuses

    def answered(self) -> NDArray[int64]:
        """The hashes of all addresses that returned a response, and a final marker."""
        last = np.iinfo(np.int64).max
        return np.unique(np.concatenate([self._addresses, self._others, [last]]).astype(np.int64))

    def has(self, names: Iterable[str]) -> list[bool]:
        """Whether each address has a capture in the spool."""
        places = np.frombuffer(self._places, np.int64)
        captured = np.frombuffer(self._addresses, np.int64)[places >= 0]
        hashes = np.array([hash(name) for name in names], np.int64)
        known: list[bool] = np.isin(hashes, captured).tolist()
        return known

    def choose(self, captures: str) -> NDArray[bool_]:
        """Which pages of the spool count: the newest or oldest of each address, or all."""
        kept = np.zeros(self._size, bool)
        addresses, dates, places, repeated = (
            np.frombuffer(column, np.int64)
            for column in (self._addresses, self._dates, self._places, self._repeated)
        )
        order = np.lexsort((np.arange(len(addresses)), dates, addresses))
        edges = np.flatnonzero(np.diff(addresses[order])) + 1
        firsts = np.concatenate(([0], edges))
        lasts = np.concatenate((edges, [len(order)]))
        if not len(order):
            return kept
        alone = (lasts - firsts == 1) & (places[order[firsts]] >= 0)
        kept[places[order[firsts[alone]]]] = True
        for first, last in zip(firsts[~alone].tolist(), lasts[~alone].tolist(), strict=True):
            group = order[first:last]
            present = group[places[group] >= 0]
            real = present[dates[present] >= 0]
            present = real if len(real) else present
            if not len(present):
                continue
            if captures == "all":
                chosen = present
            elif captures == "oldest":
                chosen = present[:1]
            else:
                newest = group[-1]
                same = (
                    present[dates[present] == repeated[newest]] if places[newest] < 0 else present
                )
                chosen = (same if len(same) else present)[-1:]
            kept[places[chosen]] = True
        return kept


class ChosenPages:
    """The pages of a spool that count; can be iterated repeatedly."""

    def __init__(self, spool: PageSpool, kept: NDArray[bool_]) -> None:
        self._spool = spool
        self._kept = kept

    def __iter__(self) -> Iterator[PageRecord]:
        for page, kept in zip(self._spool, self._kept, strict=True):
            if kept:
                yield page
