"""Build a graph on Spark that is byte for byte the output of `related build`.

Spark moves bytes between tasks (`exchange`); the tasks do the same work as a single machine, range
by range (`reading`, `numbering`, `linking`, `columns`). Each stage leaves its output in a shared
scratch folder. The driver holds only counts and a sample of keys, nothing that grows with the
graph. At the end, it joins the pieces one by one into the files of a new generation, hashing them
as it writes, and switches to that generation.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
import numpy as np

from whatsrelated.api.building import BuildOptions
from whatsrelated.apps.spark import columns, linking, named, numbering, reading
from whatsrelated.apps.spark.exchange import first_stage, next_stage, results
from whatsrelated.apps.spark.pieces import Pieces
from whatsrelated.apps.spark.scratch import ScratchFolder
from whatsrelated.graph.build import complete_manifest, require_links
from whatsrelated.graph.generations import Generation
from whatsrelated.graph.least_parents import described_left_out
from whatsrelated.graph.packing import PackedArrays, is_to_be_packed
from whatsrelated.graph.store import Store
from whatsrelated.sources import Sources
from whatsrelated.stream import Progress, Refused

if TYPE_CHECKING:
    from pyspark import RDD
    from pyspark.sql import SparkSession

    from whatsrelated.apps.spark.exchange import Row

MAX_RANGES = 4096
"""Maximum number of ranges of keys or pages; the more memory a task has, the fewer ranges."""
BYTES_PER_LINK = 64
"""Peak memory of a task per link, in bytes."""
BLOCKS = 16
"""In-degrees are summed for 2**BLOCKS blocks of pages."""
MIN_TASK = 1 << 16
"""Minimum size of a task's sources, in bytes."""


@dataclass(frozen=True)
class SparkBuildOptions(BuildOptions):
    """Build options on Spark, where memory is limited per task and files are shared."""

    name: ClassVar[str] = "spark build"
    fixed: ClassVar[tuple[str, ...]] = ("memory", "temp")


@dataclass
class SparkPlan:
    """Settings for a build on Spark; `task_memory` is the memory limit of a task, in bytes."""

    options: SparkBuildOptions
    ordered: bool
    task_memory: int
    partitions: int | None = None
    """Number of ranges of keys and pages; the default depends on memory and processors."""
    scratch: Path | None = None


class SparkBuild:
    """One build: its stages, and the driver's state between them."""

    def __init__(
        self,
        session: SparkSession,
        settings: SparkPlan,
        scratch: ScratchFolder,
        progress: Progress | None = None,
    ) -> None:
        self.session, self.settings, self.scratch = session, settings, scratch
        self._progress = progress

    def report(self, what: str, done: int = 0) -> None:
        if self._progress is not None:
            self._progress(what, done, None)

    def ranges(self, bytes_needed: int) -> int:
        """The number of ranges for work that needs `bytes_needed` bytes."""
        if self.settings.partitions:
            return self.settings.partitions
        parts = bytes_needed // self.settings.task_memory + 1
        return min(max(parts, parallelism(self.session)), MAX_RANGES)

    def read_names(self, sources: Sources) -> named.NameRuns:
        """Read the names file into runs."""
        self.report("reading names")
        return named.save_names(self.scratch, self.settings.options, sources)

    def read(self, sources: Sources, names: named.NameRuns | None) -> reading.ReadResult:
        """Read all sources into runs."""
        self.report("reading links")
        total = sum(unit.size for unit in reading.units_of(sources, 1 << 62))
        min_tasks = self.settings.partitions or 2 * parallelism(self.session)
        size = max(min(self.settings.task_memory // 8, total // min_tasks + 1), MIN_TASK)
        tasks = reading.tasks_of(reading.units_of(sources, size), size)
        task = reading.Reading(
            self.scratch,
            tasks,
            self.settings.options,
            sources.guessed,
            self.settings.task_memory,
            names.named if names else None,
        )
        packed = results(first_stage(self.session, len(tasks), task))
        decoded = [
            msgspec.msgpack.decode(packed[number], type=reading.TaskSummary)
            for number in range(len(tasks))
        ]
        result = reading.ReadResult(decoded)
        result.require_good(sources)
        return result

    def number(self, read: reading.ReadResult | named.NameRuns) -> numbering.NumberedRanges:
        """Merge the keys of all runs, range by range."""
        self.report("numbering pages")
        min_parents = self.settings.options.least_parents
        need = sum(3 * run.size + (120 + 40 * min_parents) * run.keys for run in read.summaries)
        cuts = numbering.key_cuts(read.summaries, self.ranges(need))
        ranges = len(cuts) + 1
        slicing = numbering.Slicing(self.scratch, read.runs, cuts, min_parents)
        sent = first_stage(self.session, len(read.runs), slicing)
        merging = numbering.Merging(self.scratch, max(self.most_links // 4, 1), min_parents)
        packed = results(next_stage(sent, ranges, merging))
        return numbering.NumberedRanges(
            [
                msgspec.msgpack.decode(packed[number], type=numbering.RangeSummary)
                for number in range(ranges)
            ]
        )

    @property
    def most_links(self) -> int:
        """Maximum number of links in a task, unless a single page has more."""
        return max(self.settings.task_memory // BYTES_PER_LINK, 1)

    def group(
        self,
        read: reading.ReadResult,
        names: named.NameRuns | None,
        numbers: numbering.NumberedRanges,
    ) -> tuple[list[int], list[linking.DegreeSummary], int]:
        """Group links by source and count in-degrees; return the source ranges and the degrees."""
        self.report("grouping links")
        pages = numbers.pages
        links = sum(run.links for run in read.summaries)
        parts = self.ranges(links * BYTES_PER_LINK)
        max_links = max(min(links // parts, self.most_links), 1)
        shift = max(0, pages.bit_length() - BLOCKS)
        width = ((pages // parts >> shift) + 1) << shift
        if names is None:
            bounds = numbers.page_ranges(max_links)
            translating = linking.Translating(self.scratch, read.runs, bounds, numbers.left_out > 0)
            sent = next_stage(self._number_runs(numbers), len(read.runs), translating)
        else:
            table = self._tabulate(names, numbers)
            bounds = named.page_ranges(read.summaries, table, shift, max_links, pages)
            task = named.TranslatingNumbers(self.scratch, read.runs, bounds, shift, table)
            sent = first_stage(self.session, len(read.runs), task)
        grouping = linking.Grouping(self.scratch, bounds, width, shift)
        counters = -(-pages // width)
        sent = next_stage(sent, len(bounds) - 1, grouping)
        counting = linking.Counting(self.scratch, pages, width, shift, self.most_links)
        packed = results(next_stage(sent, counters, counting))
        degrees = [
            msgspec.msgpack.decode(packed[number], type=linking.DegreeSummary)
            for number in range(counters)
        ]
        return bounds, degrees, shift

    def _number_runs(self, numbers: numbering.NumberedRanges) -> RDD[Row]:
        """Write the names, and send each run the page numbers of its keys."""
        task = numbering.Numbering(self.scratch, numbers.starts)
        return first_stage(self.session, len(numbers.ranges), task)

    def _tabulate(self, names: named.NameRuns, numbers: numbering.NumberedRanges) -> str:
        """Write the page of every named number to a file; return its path."""
        path = Path(self.scratch.folder, "000003.run")
        with path.open("wb") as file:
            file.truncate(4 * max(last for _, last in names.named.runs))
        task = named.Tabulating(self.scratch, names.runs, str(path))
        results(next_stage(self._number_runs(numbers), len(names.runs), task))
        return str(path)

    def reverse(
        self, bounds: list[int], ranges: linking.InRanges, degrees: Path
    ) -> list[tuple[int, int]]:
        """Group links by target; return the ranges of targets."""
        self.report("reversing links")
        receivers = ranges.receivers
        reversing = linking.Reversing(self.scratch, bounds, ranges, str(degrees))
        sent = first_stage(self.session, len(bounds) - 1, reversing)
        sorting = linking.Sorting(self.scratch, receivers, str(degrees))
        results(next_stage(sent, len(receivers), sorting))
        return receivers

    def write_columns(
        self, read: reading.ReadResult | named.NameRuns, pages: int
    ) -> tuple[list[str], int]:
        """Write titles and other columns; return the columns' names and the number of ranges."""
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
    """The number of tasks that the cluster runs at a time."""
    return int(session.sparkContext.defaultParallelism)


def build_on_disk(
    session: SparkSession,
    sources: Sources,
    path: Path,
    settings: SparkPlan,
    *,
    provenance: dict[str, Any],
    refused: Refused,
    progress: Progress | None = None,
) -> Store:
    """Build a graph from shared files; it replaces any graph at `path`."""
    begun = time.time()
    options = settings.options
    with Generation(path, settings.scratch, keep=options.keep) as generation:
        scratch = ScratchFolder(str(generation.temporary))
        build = SparkBuild(session, settings, scratch, progress)
        names = build.read_names(sources) if sources.names else None
        read = build.read(sources, names)
        read.add_counts(sources, refused)
        numbers = build.number(names or read)
        bounds, degrees, shift = build.group(read, names, numbers)
        packed = None
        if is_to_be_packed(options.store, sum(run.links for run in read.summaries), numbers.pages):
            packed = PackedArrays(generation.array, numbers.pages)
        pieces = Pieces(scratch, generation.temporary, packed or generation.array, numbers, bounds)
        pieces.write_names()
        links = pieces.write_out_links()
        require_links(links, path, options.allow_empty, refused)
        cuts = pieces.write_in_offsets(len(degrees))
        ranges = linking.InRanges.choose(degrees, shift, build.most_links, numbers.pages, cuts)
        receivers = build.reverse(bounds, ranges, pieces.degrees)
        pieces.append("in.links", ("in", "links"), len(receivers))
        pieces.write_columns(*build.write_columns(names or read, numbers.pages))
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
                **described_left_out(options.least_parents, numbers.left_out),
            },
        }
        if packed:
            manifest["plain_links"] = packed.close()
        build.report("syncing files")
        files = generation.finish()
        complete = complete_manifest(manifest, files, generation.map_arrays(files), plain)
        generation.switch(complete)
    return Store.open(path)
