"""Answer for every page of a job; several processes write the missing parts.

Each process opens the graph, and the operating system keeps one copy of it in memory.
A process writes whole parts and returns only counts.
"""

from __future__ import annotations

import mmap
import os
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.api.limits import QUESTION_MEMORY
from whatsrelated.api.tasks import run_tasks
from whatsrelated.apps.batch import formats, manifest
from whatsrelated.apps.batch.job import Shard
from whatsrelated.apps.batch.parts import BatchOutput, join
from whatsrelated.errors import BuildError
from whatsrelated.machine.resources import processors
from whatsrelated.machine.workers import Lost

if TYPE_CHECKING:
    from whatsrelated.api import Graph
    from whatsrelated.apps.batch.job import Job
    from whatsrelated.contract.blocks import AnswerBlock
    from whatsrelated.stream import Progress

EVERY = 0.2
"""Seconds between progress checks."""
PATIENCE = 1e6
"""Time limit for a part, in seconds."""
PROCESS_MEMORY = 256 << 20
"""Memory that a process needs besides its queries, for the program and the rows of a block."""
MAX_NAMED = 3
"""Maximum number of failed pages named in a report; all of them are counted."""


@dataclass
class PartReport:
    """The counts of a part, and the errors of its failed pages."""

    pages: int = 0
    rows: int = 0
    failed: dict[int, str] = field(default_factory=dict)


@dataclass
class RunReport:
    """The result of a run."""

    pages: int = 0
    """Pages answered in this run."""
    rows: int = 0
    already_done: int = 0
    """Pages in parts that already existed."""
    failed: dict[str, str] = field(default_factory=dict)
    """The first failed pages, with their errors."""
    n_failed: int = 0
    complete: bool = False
    """Whether the parts of all shards exist."""


def processes_within(memory: int | None, max_processes: int = 0) -> tuple[int, int]:
    """The number of processes that fit into `memory`, and the memory for each query.

    Queries get less than the usual memory only if a single process would not fit otherwise.
    """
    count = max_processes or processors()
    if memory is None:
        return count, QUESTION_MEMORY
    fitting = memory // (PROCESS_MEMORY + QUESTION_MEMORY)
    if fitting:
        return min(count, fitting), QUESTION_MEMORY
    return 1, max(memory - PROCESS_MEMORY, QUESTION_MEMORY // 16)


def answer_all(
    graph: Graph,
    job: Job,
    *,
    shard: Shard | None = None,
    processes: int = 0,
    progress: Progress | None = None,
) -> RunReport:
    """Write the missing parts of a shard; join all parts if they are now complete."""
    place = BatchOutput(job.output, job.format)
    new_manifest = manifest.describe(job, graph)
    report = RunReport(already_done=job.n_pages, complete=True)
    with place.prepared():
        manifest.require_same(place.manifest, new_manifest)
        if place.is_folder or not place.output.exists():
            shard_parts = job.parts(shard or Shard())
            missing = place.missing(shard_parts)
            place.remove_left(shard_parts)
            report.already_done = sum(
                len(job.pages(part)) for part in shard_parts if part not in set(missing)
            )
            _answer_parts(graph, job, missing, processes, report, progress)
            report.complete = not place.missing(range(job.n_parts))
        if report.complete and not place.is_folder:
            join(place, new_manifest)
    return report


def _answer_parts(
    graph: Graph,
    job: Job,
    parts: list[int],
    processes: int,
    report: RunReport,
    progress: Progress | None,
) -> None:
    count = min(processes or processors(), len(parts))
    with _Tally.make(job.n_parts) as tally:
        task = AnswerPart(job, tally.path, os.getpid())
        results = run_tasks(graph, task, parts, processes=count, seconds=PATIENCE, window=2 * count)
        with _watched(tally, sum(len(job.pages(part)) for part in parts), progress):
            for part, one in results:
                if isinstance(one, Lost):
                    raise BuildError(
                        f"A part was lost because its worker {one.reason}; run the command again "
                        f"(part {part:,} of {job.output})."
                    )
                report.pages += one.pages
                report.rows += one.rows
                report.n_failed += len(one.failed)
                for page, reason in one.failed.items():
                    if len(report.failed) < MAX_NAMED:
                        report.failed[graph.url(page)] = reason


@dataclass(frozen=True)
class AnswerPart:
    """A worker's task: answer for the pages of a part, and write the part."""

    job: Job
    tally: Path
    parent: int

    def __call__(self, graph: Graph, part: int) -> PartReport:
        job, place = self.job, BatchOutput(self.job.output, self.job.format)
        report = PartReport()
        with _Tally(self.tally) as tally, place.write_part(part) as aside:

            def done(pages: int) -> None:
                tally.put(part, report.pages + pages)
                if os.getpid() != self.parent and os.getppid() != self.parent:
                    raise SystemExit(1)  # the job has ended

            def blocks() -> Iterator[AnswerBlock]:
                for block in graph.answer_blocks(job.batch, job.pages(part), done=done):
                    report.pages += len(block.asked)
                    report.failed.update(block.failed)
                    yield block

            packed = job.output.name.endswith(".gz")
            report.rows = formats.write(job.format, graph.store, blocks(), aside, packed)
        return report


class _Tally:
    """The number of pages done in each part, in a small file that all processes map."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    @contextmanager
    def make(cls, parts: int) -> Iterator[_Tally]:
        with tempfile.TemporaryDirectory(prefix="related-") as folder:
            path = Path(folder, "tally")
            path.write_bytes(bytes(8 * max(parts, 1)))
            with cls(path) as tally:
                yield tally

    def __enter__(self) -> _Tally:
        with self.path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), 0)
        return self

    def __exit__(self, *error: object) -> None:
        self._map.close()

    def put(self, part: int, pages: int) -> None:
        self._map[8 * part : 8 * part + 8] = pages.to_bytes(8, "little")

    def total(self) -> int:
        return int(np.frombuffer(bytes(self._map), "<u8").sum())


@contextmanager
def _watched(tally: _Tally, of: int, progress: Progress | None) -> Iterator[None]:
    """Report progress while the processes work."""
    if progress is None:
        yield
        return
    ended = threading.Event()
    watcher = threading.Thread(target=_watch, args=(tally, of, progress, ended), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


def _watch(
    tally: _Tally, of: int, progress: Callable[[str, int, int | None], None], ended: threading.Event
) -> None:
    while not ended.wait(EVERY):
        progress("finding related pages", tally.total(), of)
