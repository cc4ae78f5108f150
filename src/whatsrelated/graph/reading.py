"""The input as it is read: names become runs of keys, links pairs of places in a run."""

from __future__ import annotations

import time
from array import array as machine_array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.graph.columns import ColumnPart
from whatsrelated.graph.linking import Pairs
from whatsrelated.graph.numbering import NONE, NamesWriter, Naming, Run, number_pages
from whatsrelated.graph.numbers import Numbers
from whatsrelated.graph.spool import Held, Spool
from whatsrelated.stream import NamedLinks, Names, NumberedLinks, Page, Progress, Refused

if TYPE_CHECKING:
    from numpy import uint32, uint64
    from numpy.typing import NDArray

Column = Callable[[Page], bytes | None]


@dataclass(slots=True)
class Plan:
    """How a graph is to be built."""

    naming: Naming
    ordered: bool = True
    memory: int = 4 << 30
    temporary: Path | None = None
    columns: dict[str, Column] = field(default_factory=dict)
    told: dict[str, Any] = field(default_factory=dict)
    refused: Refused = field(default_factory=Refused)
    progress: Progress | None = None

    def say(self, what: str, done: int, of: int | None = None) -> None:
        if self.progress is not None:
            self.progress(what, done, of)


class Reading:
    """The input as it has been read: runs of names, pairs of places, columns."""

    def __init__(self, plan: Plan, spool: Spool) -> None:
        self.plan = plan
        self.spool = spool
        self.runs: list[Run] = []
        self.columns: dict[str, list[ColumnPart]] = {}
        self.read_links = 0
        self.kept_links = 0
        self._pieces: list[tuple[Run | None, Held, Held]] = []
        self._numbers = Numbers(plan.memory // 8)
        self._names: Names | None = None
        self._pending = Pending()
        self._said = time.monotonic()

    def add(self, item: Page | NamedLinks | NumberedLinks) -> None:
        """The next item of the stream."""
        if isinstance(item, Page):
            self._pending.add(item, self.plan.columns)
            if self._pending.bytes > self.plan.memory // 8:
                self._flush()
        elif isinstance(item, NamedLinks):
            self._flush()
            self._add_named(item)
        else:
            self._flush()
            self._add_numbered(item)
        if time.monotonic() - self._said > 0.2:
            self._said = time.monotonic()
            self.plan.say("reading links", self.read_links + self._pending.n_links)

    def finish(self) -> None:
        """The stream has ended."""
        self._flush()
        if not self._numbers:
            return
        if self.runs or not self._numbers.fits:
            names = Names.of(self._numbers.names(self._pieces))
            run = Run(names, self.plan.naming, self.spool)
            self.runs.append(run)
            distinct = self._numbers.distinct(self._pieces)
            self._pieces = [
                piece if piece[0] is not None else self._renamed(run, distinct, piece)
                for piece in self._pieces
            ]
            self._numbers = Numbers(0)

    def _renamed(
        self, run: Run, distinct: NDArray[uint64], piece: tuple[Run | None, Held, Held]
    ) -> tuple[Run | None, Held, Held]:
        places = [run.places[np.searchsorted(distinct, held.load())] for held in piece[1:]]
        for held in piece[1:]:
            held.drop()
        return run, self.spool.keep(places[0]), self.spool.keep(places[1])

    def _flush(self) -> None:
        if self._pending.names:
            batch, columns = self._pending.batch()
            self._pending = Pending()
            self._add_named(batch)
            for column, (ids, values) in columns.items():
                self._add_column(column, ids, values)

    def _add_named(self, batch: NamedLinks) -> None:
        if batch.names is not self._names:
            self.runs.append(Run(batch.names, self.plan.naming, self.spool))
            self._names = batch.names
        run = self.runs[-1]
        sources = kernels.sorting.translate(run.places, batch.sources)
        targets = kernels.sorting.translate(run.places, batch.targets)
        self.read_links += len(sources)
        if run.reasons:
            bad = (sources == NONE) | (targets == NONE)
            wrong = np.where(targets[bad] == NONE, batch.targets[bad], batch.sources[bad])
            run.refuse(wrong, self.plan.refused)
            sources, targets = sources[~bad], targets[~bad]
        self._keep(run, sources, targets)
        if batch.titles and "titles" in self.plan.columns:
            ids = np.fromiter(batch.titles, np.uint32, len(batch.titles))
            self._add_column("titles", ids, [t.encode() for t in batch.titles.values()])

    def _add_numbered(self, batch: NumberedLinks) -> None:
        self.read_links += len(batch.sources)
        sources, targets = self._numbers.add(batch)
        self._keep(None, sources, targets)

    def _keep(self, run: Run | None, sources: NDArray[Any], targets: NDArray[Any]) -> None:
        self.kept_links += len(sources)
        self._pieces.append((run, self.spool.keep(sources), self.spool.keep(targets)))

    def _add_column(self, column: str, ids: NDArray[uint32], values: list[bytes]) -> None:
        run = self.runs[-1]
        part = ColumnPart(run, run.places[ids], values, self.spool)
        self.columns.setdefault(column, []).append(part)

    def number(self, names: NamesWriter) -> int:
        """Number all pages; how many there are."""
        if self._numbers:
            return self._numbers.number(names)
        say = self.plan.say
        return number_pages(
            self.runs, names, self.plan.memory // 2, lambda done: say("numbering pages", done)
        )

    def pairs(self, drop: bool = False) -> Iterator[Pairs]:
        """The links as pairs of pages, in the order in which they were read."""
        table: NDArray[uint32] | None = None
        current: Run | None = None
        for run, sources, targets in self._pieces:
            if run is not None and run is not current:
                assert run.pages is not None
                table, current = run.pages.load(), run
            if run is None:
                yield self._numbers.pages(sources.load()), self._numbers.pages(targets.load())
            else:
                yield (
                    kernels.sorting.translate(table, sources.load()),
                    kernels.sorting.translate(table, targets.load()),
                )
            if drop:
                sources.drop()
                targets.drop()


class Pending:
    """Pages that came one by one, until there are enough for a run."""

    def __init__(self) -> None:
        self.names: dict[str, int] = {}
        self.sources = machine_array("I")
        self.targets = machine_array("I")
        self.columns: dict[str, dict[int, bytes]] = {}
        self.bytes = 0
        self.n_links = 0

    def add(self, page: Page, columns: dict[str, Column]) -> None:
        source = self._id(page.url)
        for link in page.links:
            self.sources.append(source)
            self.targets.append(self._id(link))
        self.n_links += len(page.links)
        self.bytes += 8 * len(page.links)
        for column, value_of in columns.items():
            value = value_of(page)
            if value:
                self.columns.setdefault(column, {}).setdefault(source, value)
                self.bytes += len(value) + 100

    def _id(self, name: str) -> int:
        known = self.names.get(name)
        if known is None:
            known = self.names[name] = len(self.names)
            self.bytes += len(name) + 150
        return known

    def batch(self) -> tuple[NamedLinks, dict[str, tuple[NDArray[uint32], list[bytes]]]]:
        names = Names.of(name.encode("utf-8", "surrogatepass") for name in self.names)
        links = NamedLinks(
            names, np.frombuffer(self.sources, np.uint32), np.frombuffer(self.targets, np.uint32)
        )
        columns = {
            column: (np.fromiter(values, np.uint32, len(values)), list(values.values()))
            for column, values in self.columns.items()
        }
        return links, columns
