"""The first stage of a build: tasks read files into sorted runs of keys and pairs of positions.

1. The driver recognises the files as any build does, and splits them into tasks of similar size, in
   the given order. A large plain list of links is split by lines; any other file is read as a whole
   by one task.
2. A task reads its files into runs with our readers (`graph.build_input`) and writes them to the
   scratch folder. It returns only counts and a sample of each run's keys.

Links are ordered by task, run and row, that is, by file, by the first byte of a part, and by row.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from whatsrelated.api.building import BuildOptions
from whatsrelated.apps.spark.exchange import Blob, Received
from whatsrelated.apps.spark.named import Named, TaskNames
from whatsrelated.apps.spark.numbering import RunSummary
from whatsrelated.apps.spark.scratch import ScratchFolder
from whatsrelated.errors import ReadError, RelatedError
from whatsrelated.graph.array_spool import ArraySpool
from whatsrelated.graph.build_input import NUMBERS_AT_ONCE, BuildInput, RunInput
from whatsrelated.graph.numbering import KeyRun, NumberRun
from whatsrelated.graph.page_columns import columns
from whatsrelated.graph.plan import Plan
from whatsrelated.graph.streamed_run import StreamedRun
from whatsrelated.names.naming import Naming
from whatsrelated.names.titles import TitleEnds
from whatsrelated.sources import Sources
from whatsrelated.sources.columns import ColumnsReader
from whatsrelated.sources.file_parts import FilePart
from whatsrelated.sources.files import File
from whatsrelated.sources.rank_names import RankNames
from whatsrelated.sources.reader import Item, ReadContext
from whatsrelated.sources.recognition import LISTS, require_few_refused
from whatsrelated.stream import Names, NumberedLinks, Refused, StreamedNames

if TYPE_CHECKING:
    from whatsrelated.sources.reader import Reader

MAX_ENDS = 1000
"""Maximum number of title prefixes and suffixes that a task reports."""


@dataclass(frozen=True)
class Unit:
    """A unit of reading: a file, files that are read together, or a part of a list."""

    paths: tuple[str, ...]
    reader: Reader
    size: int
    first: int = 0
    last: int | None = None
    """The end of a part of a list; None for whole files."""

    def files(self) -> list[File]:
        return [File(path) for path in self.paths]


def units_of(sources: Sources, part: int) -> Iterator[Unit]:
    """The units to read, in order; plain lists are split into parts of about `part` bytes."""
    together: set[Reader] = set()
    for file, reader in sources.parts:
        if file.is_stream:
            raise ReadError(
                f"{file.label} is a stream, which other machines cannot read; copy it to a file."
            )
        path = str(file.path.absolute())
        if reader.together:
            if reader not in together:
                together.add(reader)
                others = [other for other, its in sources.parts if its == reader]
                paths = tuple(str(other.path.absolute()) for other in others)
                yield Unit(paths, reader, sum(map(_size, others)))
            continue
        size = _size(file)
        if size <= part or not _has_lines(file, reader):
            yield Unit((path,), reader, size)
            continue
        for first in range(0, size, part):
            last = min(first + part, size)
            yield Unit((path,), reader, last - first, first, last)


def _size(file: File) -> int:
    return file.path.stat().st_size if file.path.is_file() else 1 << 20


def _has_lines(file: File, reader: Reader) -> bool:
    """Whether a file is a plain list that can be read in parts."""
    if not isinstance(reader, ColumnsReader) or not file.sample or file.packing:
        return False
    return reader.layout(file).has_lines


def tasks_of(units: Iterable[Unit], size: int) -> list[list[Unit]]:
    """Group consecutive units into tasks of about `size` bytes."""
    tasks: list[list[Unit]] = []
    held = size
    for unit in units:
        if held + unit.size > size:
            tasks.append([])
            held = 0
        tasks[-1].append(unit)
        held += unit.size
    return tasks


class TaskSummary(msgspec.Struct):
    """A summary of what a task has read, with its errors."""

    runs: list[RunSummary] = []
    read_links: int = 0
    refused: dict[str, int] = {}
    examples: dict[str, list[str]] = {}
    reader_counts: dict[str, dict[str, int]] = {}
    published: list[str] = []
    titles: int = 0
    title_ends: list[tuple[str, bool, int]] = []
    parts: dict[str, tuple[int, int, int]] = {}
    """For each list that is read in parts: the numbers of items, lines and rejected lines."""
    error: str = ""
    count: int = 0
    """With a names file, one more than the highest number in a link."""


@dataclass(frozen=True)
class Reading:
    """The task of the first stage."""

    scratch: ScratchFolder
    tasks: list[list[Unit]]
    options: BuildOptions
    guessed: bool
    memory: int
    named: Named | None = None

    def __call__(self, number: int, received: Received) -> Iterator[Blob]:
        summary = TaskSummary()
        with tempfile.TemporaryDirectory(prefix="related-") as folder:
            try:
                self._read(number, summary, folder)
            except RelatedError as error:
                summary = TaskSummary(error=str(error))
        yield Blob(0, msgspec.msgpack.encode(summary))

    def _read(self, number: int, summary: TaskSummary, folder: str) -> None:
        options = replace(self.options, memory=self.memory)
        plan = Plan(options, options, columns=columns(options, options.text))
        context = ReadContext(options, plan.refused, self.memory // 4, temporary=folder)
        context.numbers_only = self.named is not None
        names = TaskNames(self.named, context) if self.named else None
        build_input = TaskInput(plan, ArraySpool(Path(folder), self.memory // 4), self.named)
        ends = TitleEnds()
        for unit in self.tasks[number]:
            for item in self._items(unit, context, summary, ends, names):
                build_input.add(item)
        build_input.finish()
        for place, run in enumerate(build_input.by_run()):
            summary.runs.append(self._save(number, place, run))
        summary.read_links = build_input.read_links
        summary.refused, summary.examples = plan.refused.counts, plan.refused.examples
        summary.reader_counts = {reader: dict(counts) for reader, counts in context.counts.items()}
        summary.published = context.published
        summary.count = names.highest + 1 if names else 0
        summary.titles, summary.title_ends = ends.titles, ends.most_common(MAX_ENDS)

    def _items(
        self,
        unit: Unit,
        context: ReadContext,
        summary: TaskSummary,
        ends: TitleEnds,
        names: TaskNames | None,
    ) -> Iterator[Item]:
        if unit.last is None:
            files = [(file, unit.reader) for file in unit.files()]
            sources = Sources(files, names, context, True, self.guessed)
            yield from sources
            ends.merge(sources.title_ends.titles, sources.title_ends.most_common(MAX_ENDS))
            return
        (path,) = unit.paths
        context.lines = context.bad_lines = items = 0
        part = FilePart(path, unit.first, unit.last)
        items_read = unit.reader.read(part, context)
        if names is not None:
            items_read = names.name_links(items_read, part.label, unit.reader.first_number)
        for item in items_read:
            items += 1
            yield item
        before = summary.parts.get(path, (0, 0, 0))
        after = items, context.lines, context.bad_lines
        summary.parts[path] = (before[0] + after[0], before[1] + after[1], before[2] + after[2])

    def _save(self, task: int, place: int, run_input: RunInput) -> RunSummary:
        run = run_input.run
        arrays = {
            "text": run.text.load(),
            "ends": run.ends.load(),
            "sources": run_input.sources,
            "targets": run_input.targets,
            "read": run_input.read,
        }
        for column, parts in run_input.columns.items():
            for number, part in enumerate(parts):
                arrays[f"{column}.{number}.places"] = part.places.load()
                arrays[f"{column}.{number}.text"] = part.text.load()
                arrays[f"{column}.{number}.ends"] = part.ends.load()
        self.scratch.save("run", task, place, **arrays)
        held = [column for column, parts in run_input.columns.items() if parts]
        numbered = run_input.sources if isinstance(run, NumberedRun) else None
        return RunSummary.of(run, len(run_input.sources), held, numbered)


class TaskInput(BuildInput):
    """A task's input: turns numbers into runs of keys, batch by batch."""

    streams = False  # links stay in the same run as their names
    _pages = 0

    def __init__(self, plan: Plan, spool: ArraySpool, named: Named | None) -> None:
        super().__init__(plan, spool)
        self._reasons = named.reasons if named else {}

    def _new_run(self, names: Names | StreamedNames) -> KeyRun | StreamedRun:
        if isinstance(names, Names):
            return super()._new_run(names)
        run = NumberedRun(names, self.plan.naming, self.spool, self._reasons)
        self.runs.append(run)  # type: ignore[arg-type]
        return run

    def _add_numbered(self, batch: NumberedLinks) -> None:
        self.read_links += len(batch.sources)
        run = NumberRun(np.concatenate([batch.sources, batch.targets]), self.spool)
        self.runs.append(run)
        sources, targets = np.split(run.places, 2)
        self._add_piece(run, sources, targets)
        for first in range(self._pages, batch.pages, NUMBERS_AT_ONCE):
            last = min(first + NUMBERS_AT_ONCE, batch.pages)
            self.runs.append(NumberRun(np.arange(first, last, dtype=np.uint64), self.spool))
        self._pages = max(self._pages, batch.pages)


class NumberedRun(StreamedRun):
    """Links between numbers with a names file; positions are numbers, and there are no keys."""

    def __init__(
        self,
        names: StreamedNames,
        naming: Naming,
        spool: ArraySpool,
        reasons: dict[int, tuple[str, str]],
    ) -> None:
        super().__init__(names, naming, spool)
        self.reasons = reasons
        self._refused = np.array(sorted(reasons), np.uint32)
        self.text = spool.add(np.empty(0, np.uint8))
        self.ends = spool.add(np.zeros(1, np.uint64))
        self.count = 0


@dataclass
class ReadResult:
    """The combined summaries of all tasks."""

    tasks: list[TaskSummary]

    @cached_property
    def runs(self) -> list[tuple[int, int]]:
        """The runs in order: the task, and the position among its runs."""
        return [
            (number, place)
            for number, task in enumerate(self.tasks)
            for place in range(len(task.runs))
        ]

    @cached_property
    def summaries(self) -> list[RunSummary]:
        return [run for task in self.tasks for run in task.runs]

    def require_good(self, sources: Sources) -> None:
        """Raise the first error of a task, or of a list that was read in parts."""
        for task in self.tasks:
            if task.error:
                raise ReadError(task.error)
        for file, reader in sources.parts:
            path = str(file.path.absolute())
            counts = [task.parts[path] for task in self.tasks if path in task.parts]
            if not counts:
                continue
            items, lines, bad = map(sum, zip(*counts, strict=True))
            if not items:
                raise ReadError(
                    f"{file.label} has no links: all of its {bad:,} lines were rejected."
                )
            if sources.guessed and reader.name in LISTS:
                require_few_refused(file, reader, bad, lines)

    def add_counts(self, sources: Sources, refused: Refused) -> None:
        """Add the counts of the tasks to the report of the build."""
        for task in self.tasks:
            for reason, count in task.refused.items():
                refused.add(reason, count=count)
                for example in task.examples.get(reason, []):
                    refused.add(reason, example, count=0)
            for reader, counts in task.reader_counts.items():
                sources.counts.setdefault(reader, Counter()).update(counts)
            sources.title_ends.merge(task.titles, task.title_ends)
        sources.finish(place for task in self.tasks for place in task.published)
        if isinstance(sources.names, RankNames):
            sources.names.count_to(max(task.count for task in self.tasks))
            sources.names.require_all()
