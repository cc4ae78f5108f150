"""Stream Common Crawl's vertices: the names of a host or domain graph.

A line has a number and a reversed host, `com.example.www`, which becomes the page
`http://example.com/`, or `http://www.example.com/` with `--www keep`. Numbers are consecutive
across all files, so a chunk of names is identified by its first number, and the whole list is never
in memory. Other names files are loaded completely (sources/names).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated import kernels
from whatsrelated.errors import ReadError
from whatsrelated.sources.namefiles import is_host_list, layout_of
from whatsrelated.stream import NamedLinks, Names, NumberedLinks, StreamedNames

if TYPE_CHECKING:
    from numpy import bool_, uint64
    from numpy.typing import NDArray

    from whatsrelated.sources.files import File
    from whatsrelated.sources.reader import Item, ReadContext

CHUNK = 1 << 19
"""Approximate number of names in memory at a time."""
MAX_RUNS = 10_000
"""Maximum number of runs of consecutive numbers in a list."""
HIGHEST = 2**32 - 2


class HostNames:
    """The names of numbered hosts, each of which is a page."""

    def __init__(self, files: Sequence[File], context: ReadContext) -> None:
        self._files = files
        self._context = context
        self._fold_www = context.options.www == "fold"
        self._names = StreamedNames(self._chunks)
        self._runs: list[tuple[int, int]] = []

    @property
    def level(self) -> str:
        """`domain` or `host`: domains have a third column, the number of their hosts."""
        return "domain" if layout_of(self._files[0]).columns > 2 else "host"

    @classmethod
    def takes(cls, files: Sequence[File]) -> bool:
        """Whether all of these files are lists of reversed hosts."""
        return all(is_host_list(file) for file in files)

    @property
    def runs(self) -> list[tuple[int, int]]:
        """Runs of consecutive numbers with names; known only after the names have been read."""
        return self._runs

    def chunks(self) -> Iterator[tuple[int, Names]]:
        """The names of consecutive numbers, and the first of these numbers."""
        return self._names.chunks()

    def name_links(self, items: Iterator[Item], label: str, first: int | None) -> Iterator[Item]:
        """The same stream with names instead of numbers."""
        none = np.empty(0, np.uint32)
        for item in items:
            if not isinstance(item, NumberedLinks):
                yield item
                continue
            if not self._runs:
                yield NamedLinks(self._names, none, none)  # makes the consumer read the names
            yield self._links(item, label)

    def _chunks(self) -> Iterator[tuple[int, Names]]:
        """The names of consecutive numbers, and the first of these numbers."""
        self._runs = []
        for file in self._files:
            layout = layout_of(file)
            lines = kernels.name_lines.NameLines(
                ord(layout.delimiter), layout.columns, layout.number, layout.name
            )
            count = 0
            for piece in file.blocks():
                lines.feed(piece, 0)
                self._context.refuse_lines(file, lines)
                count += len(piece)
                if count > CHUNK * 32:
                    yield from self._take(lines, file)
                    count = 0
            yield from self._take(lines, file)
        if not self._runs:
            raise ReadError(f"{self._files[0].label} contains no names.")

    def _take(self, lines: kernels.name_lines.NameLines, file: File) -> Iterator[tuple[int, Names]]:
        blob, offsets, _, _, numbers = lines.take()
        blob, offsets = kernels.name_lines.restore_hosts(blob, offsets, self._fold_www)
        cuts = np.flatnonzero(np.diff(numbers.astype(np.int64)) != 1) + 1
        bounds = [0, *cuts.tolist(), len(numbers)] if len(numbers) else []
        for low, high in pairwise(bounds):
            first = int(numbers[low])
            self._add_run(first, first + high - low, file)
            ends = offsets[low : high + 1]
            text = blob[int(ends[0]) : int(ends[-1])]
            yield first, Names(text, ends - ends[0])

    def _add_run(self, first: int, last: int, file: File) -> None:
        if last > HIGHEST:
            raise ReadError(
                f"{file.label} has the number {last - 1:,}; {HIGHEST:,} is the highest."
            )
        if self._runs and self._runs[-1][1] == first:
            first = self._runs.pop()[0]
        self._runs.append((first, last))
        if len(self._runs) > MAX_RUNS:
            raise ReadError(f"{file.label} is not sorted by number; sort it: sort -n.")

    def _links(self, links: NumberedLinks, label: str) -> NamedLinks:
        if not self._runs:
            len(self._names)  # reads them
        sources, targets = links.sources, links.targets
        good = self._named(sources) & self._named(targets)
        if not good.all():
            bad = int(np.flatnonzero(~good)[0])
            place = f"{label}: {sources[bad]} {targets[bad]}"
            self._context.refuse("a number without a name", place, int((~good).sum()))
            sources, targets = sources[good], targets[good]
        return NamedLinks(self._names, sources.astype(np.uint32), targets.astype(np.uint32))

    def _named(self, numbers: NDArray[uint64]) -> NDArray[bool_]:
        """Whether each number has a name."""
        named = np.zeros(len(numbers), np.bool_)
        if len(self._runs) == 1:
            first, last = self._runs[0]
            return (numbers >= first) & (numbers < last)
        runs = np.array(sorted(self._runs), np.uint64)
        place = np.searchsorted(runs[:, 0], numbers, side="right") - 1
        known = place >= 0
        named[known] = numbers[known] < runs[place[known], 1]
        return named
