"""Columns: a string for each page, such as its title or its terms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.graph.format import ArraysByName
from whatsrelated.graph.names import StringWriter
from whatsrelated.graph.numbering import NONE, KeyRun
from whatsrelated.graph.streamed_run import StreamedRun
from whatsrelated.stream import Names

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.graph.array_spool import ArraySpool

PIECE = 1 << 26
"""Approximate number of bytes of a column in memory while it is written."""


class ColumnPart:
    """Strings for some of the pages of a run, with the positions of these pages in it."""

    def __init__(
        self,
        run: KeyRun | StreamedRun,
        places: NDArray[uint32],
        values: list[bytes],
        spool: ArraySpool,
    ) -> None:
        packed = Names.of(values)
        self.run = run
        self.size = len(packed.blob)
        self.places = spool.add(places)
        self.text = spool.add(packed.blob)
        self.ends = spool.add(packed.offsets)

    def between(self, low: int, high: int) -> Iterator[tuple[int, bytes]]:
        """The pages of a range and their strings, in reading order."""
        places = self.places.load()
        valid = places != NONE
        pages = np.full(len(places), NONE, np.uint32)
        pages[valid] = self.run.pages.load()[places[valid]]
        chosen = np.flatnonzero((pages >= low) & (pages < high) & valid)
        names = Names(self.text.load(), self.ends.load())
        for index in chosen.tolist():
            yield int(pages[index]), names[index]


def write_column(
    column: str,
    parts: list[ColumnPart],
    pages: int,
    array: ArraysByName,
    watch: Callable[[list[bytes]], None] | None = None,
) -> None:
    """Write a string for every page: the first non-empty one read; empty if there is none.

    `watch` is called with the strings as they are written.
    """
    writer = StringWriter(array, column)
    total = sum(part.size for part in parts)
    step = min(max(pages * PIECE // max(total, 1), 1 << 12), 1 << 20)
    for low in range(0, pages, step):
        high = min(low + step, pages)
        values = [b""] * (high - low)
        for part in parts:
            for page, value in part.between(low, high):
                values[page - low] = values[page - low] or value
        if watch is not None:
            watch(values)
        packed = Names.of(values)
        writer.append(packed.blob, packed.offsets)
    writer.close()
