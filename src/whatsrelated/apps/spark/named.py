"""Links between numbers, with a names file: first the names are numbered, then the links are
translated.

1. The driver reads the names in chunks into runs of keys (`save_names`), with the position of every
  name.  The tasks that read links only need to know which numbers have a name.
2. The keys are merged and numbered like those of links (`numbering`); one task per run
   writes the pages of its numbers to one table (`Tabulating`), four bytes per number.
3. Tasks read links by number and translate them with the memory-mapped table (`linking`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.apps.spark.exchange import Blob, Received, gather
from whatsrelated.apps.spark.linking import send_pairs
from whatsrelated.apps.spark.numbering import RunSummary
from whatsrelated.apps.spark.scratch import ScratchFolder
from whatsrelated.apps.spark.vectors import write_slice
from whatsrelated.errors import OptionError, ReadError
from whatsrelated.graph.array_spool import ArraySpool
from whatsrelated.graph.numbering import NONE, KeyRun
from whatsrelated.sources import Sources
from whatsrelated.sources.host_names import HIGHEST, MAX_RUNS, HostNames
from whatsrelated.sources.names import NumberNames
from whatsrelated.sources.reader import ReadContext
from whatsrelated.stream import NamedLinks, Names, NumberedLinks, StreamedNames

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

    from whatsrelated.names.naming import Naming

CHUNK = 1 << 19
"""Maximum number of names in a run."""
RUN = 9_999_999
"""Runs of names are stored as if a task with this number had written them."""


@dataclass(frozen=True)
class Named:
    """The information about names that tasks receive: the numbers that have one, and the reasons
    for rejected names.
    """

    runs: tuple[tuple[int, int], ...]
    """Runs of consecutive numbers: the first number, and the one after the last."""
    reasons: dict[int, tuple[str, str]]


class TaskNames(HostNames):
    """Placeholder for the names in a task, which only knows which numbers have a name."""

    def __init__(self, named: Named, context: ReadContext) -> None:
        super().__init__([], context)
        self._runs = list(named.runs)
        self._names = StreamedNames(lambda: iter(()))
        self.highest = -1

    def _links(self, links: NumberedLinks, label: str) -> NamedLinks:
        for ends in (links.sources, links.targets):
            self.highest = max(self.highest, links.pages - 1, int(ends.max(initial=0)))
        return super()._links(links, label)


Chunk = tuple["NDArray[int64]", Names, dict[int, str]]
"""A chunk: the number of each name (-1 if already taken), the names, and their titles."""


def numbered_chunks(sources: Sources) -> Iterator[Chunk]:
    """All names in chunks, in file order."""
    names = sources.names
    if isinstance(names, HostNames):
        for first, chunk in names.chunks():
            yield np.arange(first, first + len(chunk)), chunk, {}
    elif isinstance(names, NumberNames):
        numbers = numbers_of(sources, names)
        for first in range(0, len(numbers), CHUNK):
            last = min(first + CHUNK, len(numbers))
            ends = names.names.offsets[first : last + 1]
            text = names.names.blob[int(ends[0]) : int(ends[-1])]
            titles = {
                place - first: names.titles[place]
                for place in range(first, last)
                if place in names.titles
            }
            yield numbers[first:last], Names(text, ends - ends[0]), titles


def numbers_of(sources: Sources, names: NumberNames) -> NDArray[int64]:
    """The number of each name, or -1 if an earlier name has it."""
    if names.numbers is None:
        first = names.first if names.first is not None else sources.parts[0][1].first_number
        if first is None:
            raise OptionError(
                "spark build: cannot tell whether the first name is number 0 or 1; "
                "set it, for example: --first-number 1."
            )
        return np.arange(first, first + len(names.names))
    numbers, order = names.numbers
    wide = numbers.astype(np.int64)
    again = order[1:][np.diff(wide[order]) == 0]
    wide[again] = -1
    return wide


def number_runs(sources: Sources) -> tuple[tuple[int, int], ...]:
    """The numbers that have names, as runs of consecutive numbers."""
    names = sources.names
    if isinstance(names, HostNames):
        return tuple(sorted(names.runs))
    assert names is not None
    numbers = np.sort(numbers_of(sources, names))
    numbers = numbers[numbers >= 0]
    lows, highs = stretches_of(numbers)
    if len(lows) > MAX_RUNS or (len(numbers) and numbers[-1] > HIGHEST):
        raise OptionError(
            "spark build: the numbers in the names file are not consecutive; number its pages "
            "from 0, or use related build."
        )
    return tuple(
        (int(numbers[low]), int(numbers[high - 1]) + 1)
        for low, high in zip(lows.tolist(), highs.tolist(), strict=True)
    )


def stretches_of(numbers: NDArray[int64]) -> tuple[NDArray[int64], NDArray[int64]]:
    """The positions at which runs of consecutive numbers begin and end."""
    cuts = np.flatnonzero(np.diff(numbers) != 1) + 1
    return np.append(0, cuts), np.append(cuts, len(numbers))


@dataclass
class NameRuns:
    """The names' runs of keys, and the information for tasks."""

    named: Named
    summaries: list[RunSummary]

    @property
    def runs(self) -> list[tuple[int, int]]:
        """The files of the runs."""
        return [(RUN, place) for place in range(len(self.summaries))]


def save_names(scratch: ScratchFolder, naming: Naming, sources: Sources) -> NameRuns:
    """Write the runs of all names to the scratch folder."""
    reasons: dict[int, tuple[str, str]] = {}
    summaries: list[RunSummary] = []
    for numbers, names, titles in numbered_chunks(sources):
        run = KeyRun(names, naming, ArraySpool(None, 0))
        reasons.update((int(numbers[place]), why) for place, why in run.reasons.items())
        arrays: dict[str, NDArray[Any]] = {
            "text": run.text.load(),
            "ends": run.ends.load(),
            "numbers": numbers,
            "named": run.places,
            **{name: np.empty(0, np.uint32) for name in ("sources", "targets", "read")},
        }
        if titles:
            packed = Names.of(title.encode() for title in titles.values())
            arrays["titles.0.places"] = run.places[np.fromiter(titles, np.int64, len(titles))]
            arrays["titles.0.text"], arrays["titles.0.ends"] = packed.blob, packed.offsets
        scratch.save("run", RUN, len(summaries), **arrays)
        summaries.append(RunSummary.of(run, columns=["titles"] if titles else []))
    reasons.pop(-1, None)
    return NameRuns(Named(number_runs(sources), reasons), summaries)


@dataclass(frozen=True)
class Tabulating:
    """The task for one run of names: write the pages of its numbers to the table."""

    scratch: ScratchFolder
    runs: list[tuple[int, int]]
    table: str

    def __call__(self, number: int, received: Received) -> Iterator[Blob]:
        pages = gather(received, "<u4")
        run = self.scratch.load("run", *self.runs[number])
        if any(name.endswith(".places") for name in run):
            self.scratch.save("table", number, pages=pages)
        named = (run["named"] != NONE) & (run["numbers"] >= 0)
        numbers, numbered_pages = run["numbers"][named], pages[run["named"][named]]
        order = np.argsort(numbers, kind="stable")
        numbers, numbered_pages = numbers[order], numbered_pages[order]
        if len(numbers):
            for low, high in np.transpose(stretches_of(numbers)).tolist():
                write_slice(self.table, int(numbers[low]), numbered_pages[low:high])
        yield Blob(0, b"done")


@dataclass(frozen=True)
class TranslatingNumbers:
    """The task for one run of numeric links: send them, as pages, to their source ranges."""

    scratch: ScratchFolder
    runs: list[tuple[int, int]]
    bounds: list[int]
    shift: int
    """A block is 2**shift pages; ranges are whole blocks."""
    table: str

    def __call__(self, number: int, received: Received) -> Iterator[Blob]:
        run = self.scratch.load("run", *self.runs[number])
        table = np.memmap(self.table, "<u4", "r")
        sources = kernels.link_sorting.translate(table, run["sources"])
        targets = kernels.link_sorting.translate(table, run["targets"])
        other = sources != targets  # two numbers may have the same name
        firsts = np.arange(0, max(self.bounds[-1], 1), 1 << self.shift)
        ranges = np.searchsorted(self.bounds[1:-1], firsts, "right").astype(np.uint32)
        starts, sources, targets = kernels.link_sorting.split(
            sources[other], targets[other], ranges, self.shift, len(self.bounds) - 1
        )
        for bucket, (first, last) in enumerate(pairwise(starts.tolist())):
            yield from send_pairs(bucket, sources[first:last], targets[first:last])


def page_ranges(
    runs: list[RunSummary], table: str, shift: int, max_links: int, pages: int
) -> list[int]:
    """The bounds of page ranges with at most about `max_links` links."""
    mapped = np.memmap(table, "<u4", "r")
    weights = np.zeros((pages >> shift) + 1)
    for run in runs:
        if run.numbers is None:
            raise ReadError(
                "With a names file, spark build reads only links between numbers; "
                "use related build."
            )
        if run.numbers:
            page_blocks = mapped[np.array(run.numbers)] >> np.uint32(shift)
            np.add.at(weights, page_blocks, run.links / len(run.numbers))
    bounds = [0]
    held = 0.0
    for block, links in enumerate(weights.tolist()):
        if held and held + links > max_links:
            bounds.append(block << shift)
            held = 0.0
        held += links
    return [*bounds, pages]
