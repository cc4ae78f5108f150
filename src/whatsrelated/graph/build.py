"""From a stream of pages to a graph, in memory or on disk, within a bound of memory.

1. Read: names become sorted runs of keys, links become pairs of places in a
   run; what does not fit in memory is on disk.
2. Number the pages by merging the runs (`numbering`).
3. Group the links in both directions (`linking`).
4. Write what each page carries besides (titles, terms).
5. Switch to the new generation (`generations`).
"""

from __future__ import annotations

import json
import time
from array import array as machine_array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.graph import format as disk
from whatsrelated.graph.generations import Generation
from whatsrelated.graph.linking import BYTES_PER_LINK, Pairs, link_in_memory, link_on_disk
from whatsrelated.graph.numbering import NONE, NamesWriter, Naming, Run, number_pages
from whatsrelated.graph.spool import Held, Spool
from whatsrelated.graph.store import Store
from whatsrelated.stream import NamedLinks, Names, NumberedLinks, Page, Progress, Refused

if TYPE_CHECKING:
    from numpy import bool_, uint32, uint64
    from numpy.typing import NDArray

LEAST_MEMORY = 128 << 20
"""The floor of the bound: beside it, a build holds 20 bytes per page."""
ONE_SITE = 0.95
"""The share of linking pages on one domain (or with plain names) that makes a graph one site."""

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


class MemoryArray:
    """An array of a graph in memory, appended to as one on disk is."""

    def __init__(self, dtype: str) -> None:
        self.dtype = np.dtype(dtype)
        self._pieces: list[NDArray[Any]] = []

    def append(self, values: NDArray[Any]) -> None:
        self._pieces.append(np.asarray(values, self.dtype))

    def whole(self) -> NDArray[Any]:
        if len(self._pieces) != 1:
            self._pieces = [np.concatenate(self._pieces or [np.empty(0, self.dtype)])]
        return self._pieces[0]


def build_in_memory(source: Iterable[Any], plan: Plan) -> Store:
    """The graph of a stream, held in memory."""
    arrays: dict[str, MemoryArray] = {}

    def array(name: str) -> MemoryArray:
        return arrays.setdefault(name, MemoryArray(disk.dtype_of(name)))

    manifest, plain = _written(source, plan, array, Spool(None, 0))
    whole = {name: values.whole() for name, values in arrays.items()}
    for values in whole.values():
        values.flags.writeable = False
    files = {name: {"blake2b": disk.digest(values.tobytes())} for name, values in whole.items()}
    return Store(whole, _completed(manifest, files, whole, plain))


def build_on_disk(source: Iterable[Any], path: Path, plan: Plan) -> Store:
    """The graph of a stream, in a folder, in the place of the one that is there."""
    with Generation(path, plan.temporary) as generation:
        spool = Spool(generation.temporary, plan.memory // 4)
        manifest, plain = _written(source, plan, generation.array, spool)
        plan.say("syncing files", 0)
        files = generation.finish()
        generation.switch(_completed(manifest, files, generation.mapped(files), plain))
    return Store.open(path)


def _completed(
    manifest: dict[str, Any],
    files: dict[str, Any],
    arrays: dict[str, NDArray[Any]],
    plain: NDArray[bool_],
) -> dict[str, Any]:
    """The manifest with what can be told only when the arrays are there."""
    site = auto_site(arrays["out.offsets"], arrays["domains"], plain, manifest["domains"])
    parts = [manifest["ordered"], *((name, files[name]["blake2b"]) for name in sorted(files))]
    fingerprint = disk.digest(json.dumps(parts).encode())
    return {**manifest, "auto_site": site, "files": files, "fingerprint": fingerprint}


def _written(
    source: Iterable[Any], plan: Plan, array: Callable[[str], Any], spool: Spool
) -> tuple[dict[str, Any], NDArray[bool_]]:
    """Write every array of the graph; its manifest so far, and which pages have plain names."""
    begun = time.time()
    reading = Reading(plan, spool)
    for item in source:
        reading.add(item)
    reading.finish()
    names = NamesWriter(array)
    pages = reading.number(names)
    names.close()
    need = BYTES_PER_LINK * reading.kept_links + 16 * pages
    if spool.folder is None or spool.held + need <= plan.memory:
        plan.say("grouping links", 0)
        n_links = link_in_memory(reading.pairs(drop=True), pages, array)
    else:
        n_links = link_on_disk(
            reading.pairs,
            pages,
            array,
            spool,
            plan.memory // 4,
            lambda done: plan.say("grouping links", done, 2 * reading.kept_links),
        )
    for column in sorted(reading.columns):
        write_column(column, reading.columns[column], pages, array)
    plain = names.is_plain()
    manifest = {
        "format": disk.VERSION,
        "pages": pages,
        "links": n_links,
        "hosts": names.hosts,
        "domains": names.domains,
        "ordered": plan.ordered,
        "read_links": reading.read_links,
        "refused": dict(plan.refused.counts),
        "plain_pages": int(plain.sum()),
        "built": {"seconds": round(time.time() - begun, 3), **plan.told},
    }
    return manifest, plain


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
        self._numbers = Numbers(spool, plan.memory // 8)
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
            self._numbers = Numbers(self.spool, 0)

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


class Numbers:
    """Names that are numbers: which there are, and which page each is."""

    def __init__(self, spool: Spool, most: int) -> None:
        self._spool = spool
        self._most = max(most, 1 << 24)
        self._flags = np.zeros(0, np.uint8)
        self._table: NDArray[uint32] | None = None
        self.fits = True
        self._any = False

    def __bool__(self) -> bool:
        return self._any

    def add(self, batch: NumberedLinks) -> tuple[NDArray[Any], NDArray[Any]]:
        """Mark the numbers of a batch; its links in the smallest type."""
        self._any = True
        highest = max(
            batch.pages - 1,
            int(batch.sources.max()) if len(batch.sources) else -1,
            int(batch.targets.max()) if len(batch.targets) else -1,
        )
        self.fits = self.fits and highest < min(self._most, NONE)
        if not self.fits:
            self._flags = np.zeros(0, np.uint8)
            return batch.sources.astype(np.uint64), batch.targets.astype(np.uint64)
        if highest >= len(self._flags):
            grown = np.zeros(max(highest + 1, 3 * len(self._flags) // 2), np.uint8)
            grown[: len(self._flags)] = self._flags
            self._flags = grown
        sources = batch.sources.astype(np.uint32)
        targets = batch.targets.astype(np.uint32)
        kernels.sorting.mark(self._flags, sources)
        kernels.sorting.mark(self._flags, targets)
        self._flags[: batch.pages] = 1
        return sources, targets

    def number(self, names: NamesWriter) -> int:
        """Write the names; how many there are."""
        count = int(np.count_nonzero(self._flags))
        if self._flags[:count].all():
            self._table = None
        else:
            table = np.cumsum(self._flags, dtype=np.int64) - 1
            self._table = np.maximum(table, 0).astype(np.uint32)
        for first in range(0, len(self._flags), 1 << 20):
            present = np.flatnonzero(self._flags[first : first + (1 << 20)]) + first
            names.append(*kernels.names.number_keys(present.astype(np.uint64)))
        self._flags = np.zeros(0, np.uint8)
        return count

    def pages(self, numbers: NDArray[uint32]) -> NDArray[uint32]:
        """The pages of numbers."""
        if self._table is None:
            return numbers
        pages: NDArray[uint32] = kernels.sorting.translate(self._table, numbers)
        return pages

    def distinct(self, pieces: list[tuple[Run | None, Held, Held]]) -> NDArray[uint64]:
        """All numbers, ascending: for a graph where they are names among others."""
        found = [np.flatnonzero(self._flags).astype(np.uint64)]
        for run, *held in pieces:
            if run is None:
                found += [np.unique(array.load()).astype(np.uint64) for array in held]
        return np.unique(np.concatenate(found))

    def names(self, pieces: list[tuple[Run | None, Held, Held]]) -> Iterator[bytes]:
        return (str(number).encode() for number in self.distinct(pieces).tolist())


class ColumnPart:
    """What some pages of a run carry: their places in the run, and the strings."""

    def __init__(
        self, run: Run, places: NDArray[uint32], values: list[bytes], spool: Spool
    ) -> None:
        packed = Names.of(values)
        self.run = run
        self.places = spool.keep(places)
        self.text = spool.keep(packed.blob)
        self.ends = spool.keep(packed.offsets)

    def between(self, low: int, high: int) -> Iterator[tuple[int, bytes]]:
        """The pages of a range and their strings, in the order in which they were read."""
        assert self.run.pages is not None
        places = self.places.load()
        kept = places != NONE
        pages = np.full(len(places), NONE, np.uint32)
        pages[kept] = self.run.pages.load()[places[kept]]
        chosen = np.flatnonzero((pages >= low) & (pages < high) & kept)
        names = Names(self.text.load(), self.ends.load())
        for index in chosen.tolist():
            yield int(pages[index]), names[index]


def write_column(
    column: str, parts: list[ColumnPart], pages: int, array: Callable[[str], Any]
) -> None:
    """A string for every page, the first that was read; empty where there was none."""
    text, blocks = array(f"{column}.text"), array(f"{column}.blocks")
    written = 0
    step = 1 << 20
    for low in range(0, pages, step):
        high = min(low + step, pages)
        values = [b""] * (high - low)
        for part in parts:
            for page, value in part.between(low, high):
                values[page - low] = values[page - low] or value
        packed = Names.of(values)
        coded, starts = kernels.names.encode(packed.blob, packed.offsets)
        text.append(coded)
        blocks.append(starts + np.uint64(written))
        written += len(coded)


def auto_site(
    out_offsets: NDArray[Any], domains: NDArray[Any], plain: NDArray[bool_], n_domains: int
) -> str:
    """`page` where the pages with links are on one domain or have plain names, else `host`."""
    counts = np.zeros(n_domains, np.int64)
    linking = plain_linking = 0
    step = 1 << 22
    for low in range(0, len(domains), step):
        offsets = out_offsets[low : low + step + 1]
        has_links = offsets[1:] > offsets[:-1]
        is_plain = plain[low : low + step]
        linking += int(np.count_nonzero(has_links))
        plain_linking += int(np.count_nonzero(has_links & is_plain))
        found = np.bincount(domains[low : low + step][has_links & ~is_plain])
        counts[: len(found)] += found
    if not linking:
        return "host"
    most = int(counts.max()) if n_domains else 0
    return "page" if most + plain_linking >= ONE_SITE * linking else "host"
