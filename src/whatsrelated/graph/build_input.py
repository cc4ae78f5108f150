"""The input of a build: names become runs of keys, links become pairs of positions in a run."""

from __future__ import annotations

import time
from array import array as machine_array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count, islice
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.graph.array_spool import ArraySpool, SpooledArray, SpooledRuns
from whatsrelated.graph.columns import ColumnPart
from whatsrelated.graph.linking import Pairs
from whatsrelated.graph.numbering import (
    NONE,
    KeyRun,
    NamesCounter,
    NamesWriter,
    NumberRun,
    number_pages,
)
from whatsrelated.graph.numbers import NumberedPages
from whatsrelated.graph.plan import Column, Plan
from whatsrelated.graph.streamed_run import StreamedRun
from whatsrelated.stream import NamedLinks, Names, NumberedLinks, Page, StreamedNames, in_chunks

if TYPE_CHECKING:
    from numpy import bool_, uint32
    from numpy.typing import NDArray

    from whatsrelated.graph.numbers import Piece

NUMBERS_AT_ONCE = 1 << 20
"""Number of numeric names per run, for pages without any link."""
REPORT_EVERY = 0.2
"""Seconds between two progress reports."""


class BuildInput:
    """A build's input so far: runs of names, pairs of positions in them, columns."""

    streams = True
    """Whether a long list of names may be split into several runs."""

    def __init__(self, plan: Plan, spool: ArraySpool) -> None:
        self.plan = plan
        self.spool = spool
        self.runs: list[KeyRun] = []
        self.columns: dict[str, list[ColumnPart]] = {}
        self.read_links = 0
        self.valid_links = 0
        self._pieces: list[Piece] = []
        self._read: list[tuple[KeyRun | StreamedRun, SpooledArray]] = []
        self._numbers = NumberedPages(plan.memory // 8)
        self._names: Names | StreamedNames | None = None
        self._run: KeyRun | StreamedRun
        self._batch = PageBatch()
        self._reported = time.monotonic()
        self._kept: NDArray[bool_] | None = None
        self._counting = False
        """Whether this pass only counts pages, so the input will be read again."""

    def add(self, item: Page | NamedLinks | NumberedLinks) -> None:
        """Add the next item of the stream."""
        if isinstance(item, Page):
            self._batch.add(item, self.plan.columns)
            if self._batch.bytes > self.plan.memory // 8:
                self._flush()
        elif isinstance(item, NamedLinks):
            self._flush()
            self._add_named(item)
        else:
            self._flush()
            self._add_numbered(item)
        if time.monotonic() - self._reported > REPORT_EVERY:
            self._reported = time.monotonic()
            self.plan.report("reading links", self.read_links + self._batch.n_links)

    def finish(self) -> None:
        """Add the rest when the stream has ended."""
        self._flush()
        if not self._numbers:
            return
        if self.runs or not self._numbers.fits or self.plan.options.least_parents:
            self._name_numbers()

    def _name_numbers(self) -> None:
        """Turn numbers into runs if the input also has names or the numbers do not fit the
        table.
        """
        self._pieces = [
            piece if piece[0] is not None else self._as_places(*piece[1:]) for piece in self._pieces
        ]
        for first in range(0, self._numbers.floor, NUMBERS_AT_ONCE):
            last = min(first + NUMBERS_AT_ONCE, self._numbers.floor)
            self.runs.append(NumberRun(np.arange(first, last, dtype=np.uint64), self.spool))
        self._numbers = NumberedPages(0)

    def _as_places(self, sources: SpooledArray | SpooledRuns, targets: SpooledArray) -> Piece:
        """Convert links between numbers to links between positions in a run of these numbers."""
        run = NumberRun(np.concatenate([sources.load(), targets.load()]), self.spool)
        self.runs.append(run)
        sources.drop()
        targets.drop()
        ends = np.split(run.places, 2)
        run.places = run.places[:0]
        return run, self.spool.add(ends[0]), self.spool.add(ends[1])

    def _flush(self) -> None:
        if self._batch.names:
            links, columns = self._batch.pack()
            self._batch = PageBatch()
            self._add_named(links)
            for column, (ids, values) in columns.items():
                self._add_column(column, ids, values)

    def _add_named(self, batch: NamedLinks) -> None:
        if batch.names is not self._names:
            self._run = self._new_run(batch.names)
            self._names = batch.names
        run = self._run
        sources, targets = run.places_of(batch.sources), run.places_of(batch.targets)
        self.read_links += len(sources)
        if run.reasons:
            bad = (sources == NONE) | (targets == NONE)
            wrong = np.where(targets[bad] == NONE, batch.targets[bad], batch.sources[bad])
            run.count_refused(wrong, self.plan.refused)
            sources, targets = sources[~bad], targets[~bad]
        self._add_piece(run, sources, targets)
        if batch.read is not None:
            places = np.unique(run.places_of(batch.read))
            self._read.append((run, self.spool.add(places[places != NONE])))
        if batch.titles and "titles" in self.plan.columns:
            ids = np.fromiter(batch.titles, np.uint32, len(batch.titles))
            self._add_column("titles", ids, [t.encode() for t in batch.titles.values()])

    def _new_run(self, names: Names | StreamedNames) -> KeyRun | StreamedRun:
        if isinstance(names, Names):
            limit = self.plan.memory // 8
            if not self.streams or self.spool.folder is None or names.nbytes <= limit:
                run = KeyRun(names, self.plan.naming, self.spool)
                self.runs.append(run)
                return run
            names = StreamedNames(partial(in_chunks, names, limit))
        streamed = StreamedRun(names, self.plan.naming, self.spool)
        self.runs += streamed.runs
        return streamed

    def _add_numbered(self, batch: NumberedLinks) -> None:
        """Add links between numbers."""
        self.read_links += len(batch.sources)
        sources, targets = self._numbers.add(batch)
        self._add_piece(None, sources, targets)

    def _add_piece(
        self, run: KeyRun | StreamedRun | None, sources: NDArray[Any], targets: NDArray[Any]
    ) -> None:
        self.valid_links += len(sources)
        self._pieces.append((run, self.spool.add_runs(sources), self.spool.add(targets)))

    def _add_column(self, column: str, ids: NDArray[uint32], values: list[bytes]) -> None:
        part = ColumnPart(self._run, self._run.places_of(ids), values, self.spool)
        self.columns.setdefault(column, []).append(part)

    def number_pages(self, names: NamesWriter) -> int:
        """Number all pages and write their names; return the number of pages."""
        if self._numbers:
            return self._numbers.number_pages(names)
        count = self._number_runs(names)
        for run in self.runs:
            run.drop_keys()
        return count

    def _number_runs(self, names: NamesWriter | NamesCounter) -> int:
        report = self.plan.report
        return number_pages(
            self.runs,
            names,
            self.plan.memory // 2,
            lambda count: report("numbering pages", count),
            self._kept,
        )

    def count_pages(self) -> int:
        """Number all pages provisionally, without writing; return how many there are."""
        self._count_again(True)
        return self._number_runs(NamesCounter())

    def keep(self, kept: NDArray[bool_]) -> None:
        """Keep only these pages, and the links between them, in the final numbering."""
        self._kept = kept
        self._count_again(False)

    def _count_again(self, counting: bool) -> None:
        self._counting = counting
        for run, *_ in self._pieces:
            if isinstance(run, StreamedRun):
                run.number_again(counting)

    def mark_read(self, read: NDArray[bool_]) -> None:
        """Mark the pages that the source reports as read."""
        for run, places in self._read:
            read[run.pages.load()[places.load()]] = True
            if not self._counting:
                places.drop()

    def pairs(self, drop: bool = False) -> Iterator[Pairs]:
        """The links as pairs of pages, in reading order.

        `drop` frees each piece once it has been yielded.
        """
        table: NDArray[uint32] | None = None
        current: KeyRun | StreamedRun | None = None
        for run, sources, targets in self._pieces:
            if run is None:
                yield self._numbers.pages(sources.load()), self._numbers.pages(targets.load())
            else:
                if run is not current:
                    table, current = run.pages.load(), run
                ends = (
                    kernels.link_sorting.translate(table, sources.load()),
                    kernels.link_sorting.translate(table, targets.load()),
                )
                yield ends if self._kept is None else without_none(ends)
            if drop and not self._counting:
                sources.drop()
                targets.drop()

    def by_run(self) -> Iterator[RunInput]:
        """The input, run by run in reading order."""
        for run in self.runs:
            ends = [(sources, targets) for owner, sources, targets in self._pieces if owner is run]
            yield RunInput(
                run,
                _join([sources for sources, _ in ends]),
                _join([targets for _, targets in ends]),
                _join([places for owner, places in self._read if owner is run]),
                {
                    column: [part for part in parts if part.run is run]
                    for column, parts in self.columns.items()
                },
            )


@dataclass(frozen=True, slots=True)
class RunInput:
    """A run of keys, its links as positions, the positions of pages that were read, and its
    columns.
    """

    run: KeyRun
    sources: NDArray[uint32]
    targets: NDArray[uint32]
    read: NDArray[uint32]
    columns: dict[str, list[ColumnPart]]


def without_none(pairs: Pairs) -> Pairs:
    """The pairs whose ends are both pages."""
    sources, targets = pairs
    kept = (sources != NONE) & (targets != NONE)
    return sources[kept], targets[kept]


def _join(arrays: Sequence[SpooledArray | SpooledRuns]) -> NDArray[uint32]:
    return np.concatenate([np.empty(0, np.uint32), *(array.load() for array in arrays)])


class PageBatch:
    """Collects single pages until there are enough for a run."""

    def __init__(self) -> None:
        self.names: defaultdict[str, int] = defaultdict(count().__next__)
        """The number of every name; an unknown name gets the next number."""
        self.sources = machine_array("I")
        self.degrees = machine_array("I")
        self.targets = machine_array("I")
        self.read = machine_array("I")
        self.columns: dict[str, dict[int, bytes]] = {}
        self.bytes = 0
        self.n_links = 0

    def add(self, page: Page, columns: dict[str, Column]) -> None:
        """Add a page, its links and its columns."""
        known = len(self.names)
        source = self.names[page.url]
        if page.read:
            self.read.append(source)
        self.sources.append(source)
        self.degrees.append(len(page.links))
        self.targets.extend(map(self.names.__getitem__, page.links))
        self.n_links += len(page.links)
        new = len(self.names) - known
        lengths = map(len, islice(reversed(self.names), new))
        self.bytes += 12 + 4 * len(page.links) + 150 * new + sum(lengths)
        for column, value_of in columns.items():
            value = value_of(page)
            if value:
                self.columns.setdefault(column, {}).setdefault(source, value)
                self.bytes += len(value) + 100

    def pack(self) -> tuple[NamedLinks, dict[str, tuple[NDArray[uint32], list[bytes]]]]:
        """All links and, for each column, the pages that have it and their values."""
        degrees = np.frombuffer(self.degrees, np.uint32)
        links = NamedLinks(
            Names.of_texts(self.names),
            np.repeat(np.frombuffer(self.sources, np.uint32), degrees),
            np.frombuffer(self.targets, np.uint32),
            read=np.frombuffer(self.read, np.uint32),
        )
        columns = {
            column: (np.fromiter(values, np.uint32, len(values)), list(values.values()))
            for column, values in self.columns.items()
        }
        return links, columns
