"""Find related pages for every page on Spark: each executor maps the graph and answers ranges of
pages.

No rows move between machines. A task answers its pages with the same code as `related all`
(`api.batches`), so every answer is the same as on one machine. The graph is in a shared folder, or
its files are sent to each machine once (`ship`).
"""

from __future__ import annotations

import atexit
import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from whatsrelated.api import Graph
from whatsrelated.api import open as open_graph
from whatsrelated.apps.spark.session import explained
from whatsrelated.errors import OptionError, OutOfMemory
from whatsrelated.graph.format import CURRENT, current_generation
from whatsrelated.query.record_batches import record_batch
from whatsrelated.ranks.cache import FOLDER as RANKS

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyspark.sql import DataFrame, SparkSession

    from whatsrelated.api.batches import Batch

SCHEMA = "url string, position int, related_url string, score double, answered_for string"
PAGES = 20_000
"""Number of consecutive pages per task, if that keeps all processors busy."""


@dataclass(frozen=True)
class GraphFiles:
    """The graph on a machine: a folder, or files that Spark sent there."""

    folder: str
    fingerprint: str
    shipped: tuple[tuple[str, str], ...] = ()
    """The name under which each file was sent, and its path in the graph."""

    def open(self) -> Graph:
        return _open(self)

    def place(self) -> Path:
        """The graph's folder on this machine; if its files were sent, a folder of symbolic links to
        them.
        """
        if not self.shipped:
            return Path(self.folder)
        from pyspark import SparkFiles

        root = Path(SparkFiles.getRootDirectory()).absolute()
        graph_folder = root / f"{self.fingerprint}.graph"
        if not graph_folder.exists():
            aside = Path(tempfile.mkdtemp(dir=root))
            for sent, path in self.shipped:
                (aside / path).parent.mkdir(parents=True, exist_ok=True)
                (aside / path).symlink_to(root / sent)
            try:
                aside.rename(graph_folder)
            except OSError:
                assert graph_folder.exists()  # another process created it first
        return graph_folder


@lru_cache(maxsize=1)
def _open(files: GraphFiles) -> Graph:
    """Open the graph, once per process."""
    graph = open_graph(files.place(), verify="none")
    if graph.store.fingerprint != files.fingerprint:
        raise OptionError(f"{files.folder} was rebuilt during the job; run the job again.")
    return graph


def graph_files(session: SparkSession, graph: Graph, ship: bool) -> GraphFiles:
    """The information that executors need to open the graph; `ship` sends its files to every
    machine.
    """
    path = graph.store.path
    if path is None:
        raise OptionError("spark all needs a graph in a folder.")
    folder = path.absolute()
    if not ship:
        return GraphFiles(str(folder), graph.store.fingerprint)
    generation, _ = current_generation(folder)
    files = [folder / CURRENT, *generation.iterdir(), *(folder / RANKS).glob("*.*")]
    shipped = []
    links = Path(tempfile.mkdtemp(prefix="related-", dir=folder.parent))
    # so machines that join later get them too
    atexit.register(shutil.rmtree, links, ignore_errors=True)
    for number, file in enumerate(files):
        name = f"{graph.store.fingerprint}-{number}"
        os.link(file, links / name)
        session.sparkContext.addFile(str(links / name))
        shipped.append((name, str(file.relative_to(folder))))
    return GraphFiles(str(folder), graph.store.fingerprint, tuple(shipped))


def answers(
    session: SparkSession,
    graph: Graph,
    batch: Batch,
    *,
    ship: bool = False,
    partitions: int | None = None,
) -> DataFrame:
    """One row per result of each page, in the order of pages and positions."""
    pages = graph.store.n_pages
    if pages:
        next(iter(graph.answer_blocks(batch, range(1))))  # stores a rank that the method needs
    size = min(PAGES, -(-pages // (4 * session.sparkContext.defaultParallelism)) or 1)
    tasks = partitions or -(-pages // size)
    files = graph_files(session, graph, ship)
    schema = f"{SCHEMA}, reason string" if batch.why else SCHEMA
    numbers = session.range(0, tasks, 1, max(tasks, 1))
    return numbers.mapInArrow(partial(_answer, files, batch, tasks, pages), schema)


def _answer(
    files: GraphFiles, batch: Batch, tasks: int, pages: int, numbers: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    for some in numbers:
        for number in some.column(0).to_pylist():
            task_pages = range(number * pages // tasks, (number + 1) * pages // tasks)
            yield from answer_rows(files.open(), batch, task_pages)


def answer_rows(graph: Graph, batch: Batch, pages: range) -> Iterator[pa.RecordBatch]:
    """The results for a range of pages as rows for Spark, without dictionary encoding."""
    import pyarrow as pa

    for block in graph.answer_blocks(batch, pages):
        if block.failed:
            page, why = next(iter(block.failed.items()))
            raise OutOfMemory(f"{graph.store.url(page)}: {why}")
        rows = record_batch(graph.store, block)
        columns = [
            column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
            for column in rows.columns
        ]
        yield pa.RecordBatch.from_arrays(columns, names=rows.schema.names)


def decoded(rows: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Decode the Arrow batches that tasks sent as bytes."""
    import pyarrow as pa

    for batch in rows:
        for data in batch.column(batch.schema.get_field_index("data")):
            yield from pa.ipc.open_stream(data.as_buffer())


WRITERS = {".parquet": "parquet", ".csv": "csv", ".jsonl": "json"}
"""The output formats, by the folder's suffix."""


def require_new(path: Path) -> str:
    """The format of an output folder; raise OptionError if it already exists."""
    kind = WRITERS.get(path.suffix)
    if kind is None:
        raise OptionError(f"spark all: the output must end in {', '.join(WRITERS)}, got {path}.")
    if path.exists():
        raise OptionError(f"{path} already exists; remove it or choose another path.")
    return kind


def write_answers(frame: DataFrame, path: Path, stop: Callable[[], None] = lambda: None) -> int:
    """Write the rows to a temporary folder, rename it when complete, and return their number.

    After an error or a signal, `stop` ends whatever still writes, before the folder is removed.
    """
    kind = require_new(path)
    aside = path.absolute().with_name(f".{path.name}-{secrets.token_hex(4)}")
    try:
        with explained(f"{path} cannot be written"):
            writer = frame.write.mode("errorifexists")
            if kind == "csv":
                writer = writer.option("header", True)
            writer.format(kind).save(aside.as_uri())
            reader = frame.sparkSession.read.format(kind).option("header", True)
            rows = reader.schema(frame.schema).load(aside.as_uri()).count()
        require_new(path)
        aside.rename(path)
    except BaseException:
        stop()
        shutil.rmtree(aside, ignore_errors=True)
        raise
    return rows
