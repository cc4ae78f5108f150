"""The string columns of pages: titles, anchor texts, words.

One task per run with strings sends them to ranges of pages (`Sending`); one task per range and
column keeps each page's first string and front-codes them (`Writing`). Every range begins with a
new block of strings, so ranges can simply be concatenated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.apps.spark.exchange import LARGEST, Blob, Received
from whatsrelated.apps.spark.scratch import ScratchFolder
from whatsrelated.graph import terms
from whatsrelated.graph.numbering import NONE
from whatsrelated.stream import Names

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Sending:
    """The task for one run: send its strings to the ranges of their pages."""

    scratch: ScratchFolder
    runs: list[tuple[int, tuple[int, int]]]
    """The number and file of each run that has strings."""
    columns: list[str]
    width: int
    ranges: int

    def __call__(self, number: int, received: Received) -> Iterator[Blob]:
        which, file = self.runs[number]
        table = self.scratch.part("table", "pages", which)
        run = self.scratch.load("run", *file)
        for place, column in enumerate(self.columns):
            part = 0
            while f"{column}.{part}.places" in run:
                places, text, ends = (
                    run[f"{column}.{part}.{what}"] for what in ("places", "text", "ends")
                )
                yield from self._send(place * self.ranges, table, places, Names(text, ends))
                part += 1

    def _send(
        self, first: int, table: NDArray[uint32], places: NDArray[uint32], strings: Names
    ) -> Iterator[Blob]:
        valid = np.flatnonzero(places != NONE)
        valid = valid[table[places[valid]] != NONE]
        pages = table[places[valid]]
        order = np.argsort(pages // self.width, kind="stable")
        pages, text, ends = (
            pages[order],
            *kernels.sort_keys.take(strings.blob, strings.offsets, valid[order].astype(np.uint32)),
        )
        low = 0
        while low < len(pages):
            receiver = int(pages[low]) // self.width
            last = int(np.searchsorted(pages // self.width, receiver, "right"))
            fits = int(np.searchsorted(ends, ends[low] + np.uint64(LARGEST), "right")) - 1
            high = max(min(last, fits, low + LARGEST // 16), low + 1)
            lengths = np.diff(ends[low : high + 1]).astype(np.uint32)
            parts = (
                np.array([high - low], np.uint32),
                pages[low:high],
                lengths,
                text[int(ends[low]) : int(ends[high])],
            )
            yield Blob(first + receiver, b"".join(part.tobytes() for part in parts))
            low = high


@dataclass(frozen=True)
class Writing:
    """The task for one range and column: keep the first string of each page."""

    scratch: ScratchFolder
    columns: list[str]
    width: int
    ranges: int
    pages: int

    def __call__(self, number: int, received: Received) -> Iterator[Blob]:
        low = number % self.ranges * self.width
        values = [b""] * (min(low + self.width, self.pages) - low)
        for _, data in received:
            count = int(np.frombuffer(data, "<u4", 1)[0])
            pages, lengths = np.frombuffer(data, "<u4", 2 * count, 4).reshape(2, count)
            at = 4 + 8 * count
            for page, length in zip(pages.tolist(), lengths.tolist(), strict=True):
                values[page - low] = values[page - low] or bytes(data[at : at + length])
                at += length
        packed = Names.of(values)
        text, blocks = kernels.name_table.encode(packed.blob, packed.offsets)
        arrays: dict[str, NDArray[Any]] = {"text": text, "blocks": blocks}
        if self.columns[number // self.ranges] == terms.COLUMN:
            counts = terms.PageCounts()
            counts.add(values)
            arrays["counts"] = counts.as_array()
        self.scratch.save("column", number, **arrays)
        yield Blob(0, b"done")


def add_counts(parts: list[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    """Add up the word counts of several ranges; see `terms`."""
    pages = sum(int(part[0]) for part in parts)
    whole = np.sort(np.concatenate([part[1:] for part in parts]))
    hashes, starts = np.unique(whole >> np.uint64(32), return_index=True)
    if not len(hashes):
        return np.array([pages], np.uint64)
    sums = np.add.reduceat(whole & np.uint64(0xFFFFFFFF), starts)
    return np.concatenate([np.array([pages], np.uint64), hashes << np.uint64(32) | sums])
