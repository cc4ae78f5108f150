"""The related pages of every page, by Spark: executors map the graph and answer for ranges.

No row is moved between machines: a task answers for its pages by the code of `related all`
(`api.batches`), so that every answer is that of one machine.  The graph is in a folder that
all machines see, or its files are sent once to each (`ship`), and laid out there anew.
"""

from __future__ import annotations

import atexit
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
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

SCHEMA = "url string, rank int, related_url string, score double, answered_for string"
PAGES = 20_000
"""Neighbouring pages that a task answers for, where there are enough for all processors."""


@dataclass(frozen=True)
class GraphFiles:
    """Where the graph is on a machine: in a folder, or as files that Spark has sent there."""

    folder: str
    fingerprint: str
    shipped: tuple[tuple[str, str], ...] = ()
    """The name under which a file was sent, and its path in the graph."""

    def open(self) -> Graph:
        return _open(self)

    def place(self) -> Path:
        """The folder of the graph on this machine, made of links where its files were sent."""
        if not self.shipped:
            return Path(self.folder)
        from pyspark import SparkFiles

        root = Path(SparkFiles.getRootDirectory()).absolute()
        made = root / f"{self.fingerprint}.graph"
        if not made.exists():
            aside = Path(tempfile.mkdtemp(dir=root))
            for sent, path in self.shipped:
                (aside / path).parent.mkdir(parents=True, exist_ok=True)
                (aside / path).symlink_to(root / sent)
            try:
                aside.rename(made)
            except OSError:
                assert made.exists()  # another process was quicker
        return made


@lru_cache(maxsize=1)
def _open(files: GraphFiles) -> Graph:
    """The graph, once in each process."""
    graph = open_graph(files.place(), verify="none")
    if graph.store.fingerprint != files.fingerprint:
        raise OptionError(f"{files.folder} was built anew while it was asked; start again.")
    return graph


def graph_files(session: SparkSession, graph: Graph, ship: bool) -> GraphFiles:
    """The graph for executors; its files are sent to every machine if `ship`."""
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
    atexit.register(shutil.rmtree, links, ignore_errors=True)  # machines may join until then
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
    """A row for each result of each page, in the order of pages and ranks."""
    pages = graph.store.n_pages
    if pages:
        next(iter(graph.answer_blocks(batch, range(1))))  # a rank that it needs is stored now
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
            own = range(number * pages // tasks, (number + 1) * pages // tasks)
            yield from answer_rows(files.open(), batch, own)


def answer_rows(graph: Graph, batch: Batch, pages: range) -> Iterator[pa.RecordBatch]:
    """The results for some pages by number as rows for Spark, which knows no dictionaries."""
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
    """The Arrow batches that tasks have sent as bytes."""
    import pyarrow as pa

    for batch in rows:
        for data in batch.column(batch.schema.get_field_index("data")):
            yield from pa.ipc.open_stream(data.as_buffer())


WRITERS = {".parquet": "parquet", ".csv": "csv", ".jsonl": "json"}
"""The formats of the folder that is written, by the ending of its name."""


def require_new(path: Path) -> str:
    """The format of a folder to write; an error where something is there already."""
    kind = WRITERS.get(path.suffix)
    if kind is None:
        raise OptionError(
            f"spark all writes {', '.join(WRITERS)}, and {path} ends with none of them."
        )
    if path.exists():
        raise OptionError(f"{path} is there already; remove it, or choose another place.")
    return kind


def write_answers(found: DataFrame, path: Path) -> int:
    """Write the rows as a folder of files, aside, and rename it once it is whole; how many rows."""
    kind = require_new(path)
    aside = path.absolute().with_name(f".{path.name}-{secrets.token_hex(4)}")
    try:
        with explained(f"{path} cannot be written"):
            writer = found.write.mode("errorifexists")
            if kind == "csv":
                writer = writer.option("header", True)
            writer.format(kind).save(aside.as_uri())
            reader = found.sparkSession.read.format(kind).option("header", True)
            rows = reader.schema(found.schema).load(aside.as_uri()).count()
        require_new(path)
        aside.rename(path)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise
    return rows
