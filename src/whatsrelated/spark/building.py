"""A graph built by Spark: byte for byte the one that `related build` makes.

Spark moves bytes between tasks (`exchange`); what tasks do is what one machine does, range
by range (`reading`, `numbering`, `linking`, `columns`).  What each stage leaves is in a
scratch folder that all machines see.  The driver holds counts and some keys, never anything
that grows with the graph: in the end it joins the pieces, one after the other, into the
files of a new generation, hashed on the way, and switches to it as any build does.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from whatsrelated.errors import BuildError
from whatsrelated.graph import terms
from whatsrelated.graph.build import complete_manifest
from whatsrelated.graph.format import ArraysByName
from whatsrelated.graph.generations import Generation
from whatsrelated.graph.least_parents import described_left_out
from whatsrelated.graph.packing import PackedArrays, is_to_be_packed
from whatsrelated.graph.store import Store
from whatsrelated.names.naming import Naming
from whatsrelated.sources import Sources
from whatsrelated.spark import columns, linking, numbering, reading
from whatsrelated.spark.exchange import first_stage, next_stage, results
from whatsrelated.spark.scratch import Scratch
from whatsrelated.stream import Progress, Refused

if TYPE_CHECKING:
    from numpy import uint64
    from numpy.typing import NDArray
    from pyspark.sql import SparkSession

MOST_RANGES = 4096
"""Ranges of keys or pages; with more memory for a task there are fewer."""
BYTES_PER_LINK = 64
"""What a link takes in a task at its peak."""
BLOCKS = 16
"""In-degrees are summed for 2**BLOCKS blocks of pages."""
SAMPLED = 1 << 16
"""Pages whose in-degrees cut the parents of hubs into parts."""
LEAST_TASK = 1 << 16
"""The least bytes of sources that are worth a task of their own."""


@dataclass
class Settings:
    """How a graph is built by Spark; `task_memory` is what a task may take, in bytes."""

    naming: Naming
    ordered: bool
    text: bool = False
    strict: bool = False
    task_memory: int = 512 << 20
    partitions: int | None = None
    """Ranges of keys and of pages; by default as many as memory and processors ask for."""
    allow_empty: bool = False
    keep: int | None = None
    scratch: Path | None = None
    store: str = "auto"
    least_parents: int = 0


class SparkBuild:
    """One build: the stages, and what the driver knows between them."""

    def __init__(
        self,
        session: SparkSession,
        settings: Settings,
        scratch: Scratch,
        progress: Progress | None = None,
    ) -> None:
        self.session, self.settings, self.scratch = session, settings, scratch
        self._progress = progress

    def report(self, what: str, done: int = 0) -> None:
        if self._progress is not None:
            self._progress(what, done, None)

    def ranges(self, bytes_needed: int) -> int:
        """How many ranges work of so many bytes is divided into."""
        if self.settings.partitions:
            return self.settings.partitions
        parts = bytes_needed // self.settings.task_memory + 1
        return min(max(parts, parallelism(self.session)), MOST_RANGES)

    def read(self, sources: Sources) -> reading.ReadResult:
        """Read all sources into runs."""
        self.report("reading links")
        total = sum(unit.size for unit in reading.units_of(sources, 1 << 62))
        wanted = self.settings.partitions or 2 * parallelism(self.session)
        size = max(min(self.settings.task_memory // 8, total // wanted + 1), LEAST_TASK)
        tasks = reading.tasks_of(reading.units_of(sources, size), size)
        task = reading.Reading(
            self.scratch,
            tasks,
            self.settings.naming,
            self.settings.text,
            self.settings.strict,
            sources.guessed,
            self.settings.task_memory,
        )
        found = results(first_stage(self.session, len(tasks), task))
        decoded = [
            msgspec.msgpack.decode(found[number], type=reading.TaskSummary)
            for number in range(len(tasks))
        ]
        result = reading.ReadResult(decoded)
        result.require_good(sources)
        return result

    def number(self, read: reading.ReadResult) -> numbering.Numbers:
        """Merge the keys of all runs, range by range."""
        self.report("numbering pages")
        least = self.settings.least_parents
        need = sum(3 * run.size + (120 + 40 * least) * run.keys for run in read.summaries)
        cuts = numbering.key_cuts(read.summaries, self.ranges(need))
        ranges = len(cuts) + 1
        slicing = numbering.Slicing(self.scratch, read.runs, cuts, least)
        sent = first_stage(self.session, len(read.runs), slicing)
        merging = numbering.Merging(self.scratch, max(self.most_links // 4, 1), least)
        found = results(next_stage(sent, ranges, merging))
        return numbering.Numbers(
            [
                msgspec.msgpack.decode(found[number], type=numbering.RangeSummary)
                for number in range(ranges)
            ]
        )

    @property
    def most_links(self) -> int:
        """How many links a task holds at most, where no page has more."""
        return max(self.settings.task_memory // BYTES_PER_LINK, 1)

    def group(
        self, read: reading.ReadResult, numbers: numbering.Numbers
    ) -> tuple[list[int], list[linking.DegreeSummary], int]:
        """Links by source, and the in-degrees: the ranges of sources, and what is known of both."""
        self.report("grouping links")
        pages = numbers.pages
        links = sum(run.links for run in read.summaries)
        parts = self.ranges(links * BYTES_PER_LINK)
        bounds = numbers.page_ranges(max(min(links // parts, self.most_links), 1))
        shift = max(0, pages.bit_length() - BLOCKS)
        width = ((pages // parts >> shift) + 1) << shift
        sent = first_stage(
            self.session,
            len(numbers.ranges),
            numbering.Numbering(self.scratch, numbers.starts),
        )
        translating = linking.Translating(self.scratch, read.runs, bounds, numbers.left_out > 0)
        sent = next_stage(sent, len(read.runs), translating)
        grouping = linking.Grouping(self.scratch, bounds, width, shift)
        counters = -(-pages // width)
        sent = next_stage(sent, len(bounds) - 1, grouping)
        counting = linking.Counting(self.scratch, pages, width, shift, self.most_links)
        found = results(next_stage(sent, counters, counting))
        degrees = [
            msgspec.msgpack.decode(found[number], type=linking.DegreeSummary)
            for number in range(counters)
        ]
        return bounds, degrees, shift

    def reverse(
        self, bounds: list[int], ranges: linking.InRanges, degrees: Path
    ) -> list[tuple[int, int]]:
        """Links by target; the ranges of targets."""
        self.report("reversing links")
        receivers = ranges.receivers
        reversing = linking.Reversing(self.scratch, bounds, ranges, str(degrees))
        sent = first_stage(self.session, len(bounds) - 1, reversing)
        sorting = linking.Sorting(self.scratch, receivers, str(degrees))
        results(next_stage(sent, len(receivers), sorting))
        return receivers

    def write_columns(self, read: reading.ReadResult, pages: int) -> tuple[list[str], int]:
        """What pages carry: the columns that there are, and in how many ranges."""
        held = sorted({column for run in read.summaries for column in run.columns})
        if not held:
            return [], 0
        self.report("writing titles")
        block = numbering.BLOCK
        width = (pages // self.ranges(200 * pages) // block + 1) * block
        ranges = -(-pages // width)
        chosen = [
            (number, file)
            for number, (file, run) in enumerate(zip(read.runs, read.summaries, strict=True))
            if run.columns
        ]
        sending = columns.Sending(self.scratch, chosen, held, width, ranges)
        sent = first_stage(self.session, len(chosen), sending)
        writing = columns.Writing(self.scratch, held, width, ranges, pages)
        results(next_stage(sent, ranges * len(held), writing))
        return held, ranges


def parallelism(session: SparkSession) -> int:
    """How many tasks the cluster runs at a time."""
    return int(session.sparkContext.defaultParallelism)


def build_on_disk(
    session: SparkSession,
    sources: Sources,
    path: Path,
    settings: Settings,
    *,
    provenance: dict[str, Any],
    refused: Refused,
    progress: Progress | None = None,
) -> Store:
    """Build a graph from files that all machines see, in the place of the one that is there."""
    begun = time.time()
    with Generation(path, settings.scratch, keep=settings.keep) as generation:
        scratch = Scratch(str(generation.temporary))
        build = SparkBuild(session, settings, scratch, progress)
        read = build.read(sources)
        read.add_counts(sources, refused)
        numbers = build.number(read)
        bounds, degrees, shift = build.group(read, numbers)
        packed = None
        if is_to_be_packed(settings.store, sum(run.links for run in read.summaries), numbers.pages):
            packed = PackedArrays(generation.array, numbers.pages)
        pieces = Pieces(scratch, generation.temporary, packed or generation.array, numbers, bounds)
        pieces.write_names()
        links = pieces.write_out_links()
        if not links and not settings.allow_empty:
            raise BuildError(
                f"{path} would have no links ({refused}), and is not built; check the "
                "sources and their format, or allow it (--allow-empty)."
            )
        cuts = pieces.write_in_offsets(len(degrees))
        ranges = linking.InRanges.choose(degrees, shift, build.most_links, numbers.pages, cuts)
        receivers = build.reverse(bounds, ranges, pieces.degrees)
        pieces.append("in.links", ("in", "links"), len(receivers))
        pieces.write_columns(*build.write_columns(read, numbers.pages))
        plain = pieces.plain()
        manifest: dict[str, Any] = {
            "pages": numbers.pages,
            "links": links,
            "hosts": numbers.sites.hosts,
            "domains": numbers.sites.domains,
            "ordered": settings.ordered,
            "read_links": sum(task.read_links for task in read.tasks),
            "refused": dict(refused.counts),
            "plain_pages": int(np.count_nonzero(plain)),
            "read_pages": pieces.read_pages,
            "built": {
                "at": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
                "seconds": round(time.time() - begun, 3),
                **provenance,
                **described_left_out(settings.least_parents, numbers.left_out),
            },
        }
        if packed:
            manifest["plain_links"] = packed.close()
        build.report("syncing files")
        files = generation.finish()
        complete = complete_manifest(manifest, files, generation.map_arrays(files), plain)
        generation.switch(complete)
    return Store.open(path)


class Pieces:
    """Joins what tasks have left into the files of a generation, a piece at a time."""

    def __init__(
        self,
        scratch: Scratch,
        aside: Path,
        array: ArraysByName,
        numbers: numbering.Numbers,
        bounds: list[int],
    ) -> None:
        self.scratch, self.array = scratch, array
        self.numbers, self.bounds = numbers, bounds
        self.read_pages = 0
        self.degrees = aside / "000001.run"
        self._plain = aside / "000002.run"

    def append(self, array: str, piece: tuple[str, str], count: int) -> None:
        """Write an array that is the pieces one after the other."""
        writer = self.array(array)
        for number in range(count):
            writer.append(self.scratch.part(*piece, number))

    def write_names(self) -> None:
        """Write names, hosts and domains; and aside, which pages have plain names."""
        ranges = range(len(self.numbers.ranges))
        self._write_strings("names", "names", ranges)
        with self._plain.open("wb") as file:
            for number in ranges:
                file.write(self.scratch.part("names", "plain", number).tobytes())
        for array in ("hosts", "domains"):
            self.append(array, ("names", array), len(ranges))

    def plain(self) -> NDArray[np.bool_]:
        """Whether each page has a plain name, mapped."""
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
        """Write the links from each page, and which pages were read; how many links."""
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
        """Write where the links of each page begin, and the links; how many there are."""
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
        """Write where the parents of each page begin, and all in-degrees aside.

        Returns what some of the pages that link are sorted by, in order.
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
        """Write the strings of columns, each in so many ranges."""
        for place, column in enumerate(held):
            numbers = range(place * ranges, (place + 1) * ranges)
            self._write_strings(column, "column", numbers)
            if column == terms.COLUMN:
                parts = [self.scratch.part("column", "counts", number) for number in numbers]
                self.array(f"{column}.counts").append(columns.add_counts(parts))
