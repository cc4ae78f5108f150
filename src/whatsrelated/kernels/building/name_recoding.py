"""Rewrite front-coded strings, dropping some and inserting others, in plain Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.kernels.building.name_table import BLOCK, Table, encode
from whatsrelated.kernels.building.sort_keys import hosts as hosts_of
from whatsrelated.kernels.building.sort_keys import packed
from whatsrelated.stream import Names

if TYPE_CHECKING:
    from numpy import int64, uint8, uint64
    from numpy.typing import NDArray

Piece = tuple[
    "NDArray[uint8]",
    "NDArray[uint64]",
    int,
    "NDArray[int64]",
    "NDArray[uint8]",
    "NDArray[uint64]",
]


class Recoder:
    """Merge the `kept` strings of a table with those of `text`; string i goes before places[i].

    `places` must ascend. If `hosts` is set, the strings are sort keys of pages.
    """

    def __init__(
        self,
        coded: Any,
        blocks: Any,
        count: int,
        kept: Any,
        text: Any,
        ends: Any,
        places: Any,
        hosts: bool,
    ) -> None:
        if len(kept) != count or len(ends) != len(places) + 1:
            raise ValueError("expected a flag and a place for each string")
        self._table = Table(coded, blocks, count)
        self._kept = kept
        self._added = list(zip(places.tolist(), Names(text, ends), strict=True))
        self._hosts = hosts
        self._page = 0
        self._open: list[bytes] = []
        """The strings of the last block, if it is not full yet."""
        self._size = 0

    def piece(self, high: int) -> Piece:
        """Write the strings up to position `high` of the table; at its end, also those that come
        after it.

        Returns the code, the starts of its blocks in the whole output, and the number of strings;
        then the places, bytes and ends of each string whose host differs from the one before,
        starting with the first.
        """
        strings: list[bytes] = []
        for page in range(self._page, high + (high == self._table.count)):
            while self._added and self._added[0][0] <= page:
                strings.append(self._added.pop(0)[1])
            if page < high and self._kept[page]:
                strings.append(self._table.get(page))
        self._page = high
        before, _ = encode(*packed(self._open))
        coded, blocks = encode(*packed(self._open + strings))
        begun = -(-len(self._open) // BLOCK)
        blocks = blocks[begun:] + np.uint64(self._size) - np.uint64(len(before))
        whole = (len(self._open) + len(strings)) // BLOCK * BLOCK
        self._open = (self._open + strings)[whole:]
        self._size += len(coded) - len(before)
        heads = np.empty(0, np.int64)
        if self._hosts:
            heads = np.flatnonzero(hosts_of(*packed(strings))[2])
        first = packed([strings[head] for head in heads.tolist()])
        return coded[len(before) :], blocks, len(strings), heads, *first
