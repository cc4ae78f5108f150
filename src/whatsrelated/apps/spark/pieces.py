"""Join the output of tasks, piece by piece, into the files of a graph."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.apps.spark import columns, linking, numbering
from whatsrelated.apps.spark.scratch import ScratchFolder
from whatsrelated.graph import terms
from whatsrelated.graph.format import ArraysByName

if TYPE_CHECKING:
    from numpy import uint64
    from numpy.typing import NDArray

SAMPLED = 1 << 16
"""Number of linking pages to sample; their sort keys divide the parents of hubs into parts."""


class Pieces:
    """Joins the output of tasks into the files of a generation, piece by piece."""

    def __init__(
        self,
        scratch: ScratchFolder,
        aside: Path,
        array: ArraysByName,
        numbers: numbering.NumberedRanges,
        bounds: list[int],
    ) -> None:
        self.scratch, self.array = scratch, array
        self.numbers, self.bounds = numbers, bounds
        self.read_pages = 0
        self.degrees = aside / "000001.run"
        self._plain = aside / "000002.run"

    def append(self, array: str, piece: tuple[str, str], count: int) -> None:
        """Write an array by concatenating pieces."""
        writer = self.array(array)
        for number in range(count):
            writer.append(self.scratch.part(*piece, number))

    def write_names(self) -> None:
        """Write names, hosts and domains; a separate file records which pages have plain names."""
        ranges = range(len(self.numbers.ranges))
        self._write_strings("names", "names", ranges)
        with self._plain.open("wb") as file:
            for number in ranges:
                file.write(self.scratch.part("names", "plain", number).tobytes())
        for array in ("hosts", "domains"):
            self.append(array, ("names", array), len(ranges))

    def plain(self) -> NDArray[np.bool_]:
        """Whether each page has a plain name, memory-mapped."""
        if not self.numbers.pages:
            return np.empty(0, np.bool_)
        return np.memmap(self._plain, np.bool_, "r")

    def _write_strings(self, array: str, kind: str, numbers: Iterable[int]) -> None:
        text, blocks = (self.array(f"{array}.{part}") for part in ("text", "blocks"))
        coded = 0
        for number in numbers:
            piece = self.scratch.load(kind, number)
            text.append(piece["text"])
            blocks.append(piece["blocks"] + np.uint64(coded))
            coded += len(piece["text"])

    def write_out_links(self) -> int:
        """Write each page's links, and which pages were read; return the number of links."""
        ranges = len(self.bounds) - 1
        total = self._write_offsets("out.offsets", "out", ranges, "out.links")
        bits = np.empty(0, np.uint8)
        writer = self.array("read")
        for number in range(ranges):
            read = self.scratch.part("out", "read", number)
            self.read_pages += int(read.sum())
            bits = np.concatenate([bits, read])
            whole = len(bits) // 8 * 8
            writer.append(np.packbits(bits[:whole], bitorder="little"))
            bits = bits[whole:]
        writer.append(np.packbits(bits, bitorder="little"))
        return total

    def _write_offsets(self, array: str, kind: str, count: int, links: str = "") -> int:
        """Write the offsets of each page's links, and the links; return their number."""
        writer = self.array(array)
        total = 0
        for number in range(count):
            ends = np.cumsum(self.scratch.part(kind, "degrees", number), dtype=np.uint64)
            ends += np.uint64(total)
            writer.append(np.concatenate([np.array([total], np.uint64), ends[:-1]])[: len(ends)])
            total = int(ends[-1]) if len(ends) else total
            if links:
                self.array(links).append(self.scratch.part(kind, "links", number))
        writer.append(np.array([total], np.uint64))
        return total

    def write_in_offsets(self, count: int) -> NDArray[uint64]:
        """Write the offsets of each page's parents, and all in-degrees to a separate file.

        Return the sort keys of a sample of the linking pages, in order.
        """
        self._write_offsets("in.offsets", "in-degrees", count)
        with self.degrees.open("wb") as file:
            for number in range(count):
                file.write(self.scratch.part("in-degrees", "degrees", number).tobytes())
        degrees = linking.map_degrees(str(self.degrees))
        step = self.numbers.pages // SAMPLED + 1
        sampled: list[NDArray[uint64]] = [np.empty(0, np.uint64)]
        for number, low in enumerate(self.bounds[:-1]):
            linking_pages = low + np.flatnonzero(self.scratch.part("out", "degrees", number))
            chosen = linking_pages[linking_pages % step == 0].astype(np.uint32)
            sampled.append(linking.order_keys(chosen, degrees[chosen]))
        return np.sort(np.concatenate(sampled))

    def write_columns(self, held: list[str], ranges: int) -> None:
        """Write the strings of columns, each from `ranges` ranges."""
        for place, column in enumerate(held):
            numbers = range(place * ranges, (place + 1) * ranges)
            self._write_strings(column, "column", numbers)
            if column == terms.COLUMN:
                parts = [self.scratch.part("column", "counts", number) for number in numbers]
                self.array(f"{column}.counts").append(columns.add_counts(parts))
