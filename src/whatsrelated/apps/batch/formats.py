"""Output formats: how a part is written, one block of answers at a time.

- `parquet`: one row per result, with dictionaries of URLs (`query.record_batches`);
- `jsonl`: one line per page with the list of its results, even if it has none;
- `csv`: one line per result, with Parquet's columns;
- `sqlite`: page numbers in table `related`, URLs in `pages`; the view `answers` has
  Parquet's columns.

Text formats are compressed if the name ends with `.gz`; compressed parts can simply be
concatenated.
"""

from __future__ import annotations

import csv
import gzip
import io
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from whatsrelated.api.asking import arrow, positions, record_batch, schema
from whatsrelated.errors import OptionError
from whatsrelated.names.display import cell

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    from whatsrelated.api.stores import Store
    from whatsrelated.contract.blocks import AnswerBlock

Blocks = Iterable["AnswerBlock"]

SUFFIXES = {
    "parquet": (".parquet",),
    "jsonl": (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz"),
    "csv": (".csv", ".csv.gz"),
    "sqlite": (".sqlite", ".db"),
}
COLUMNS = ["url", "position", "related_url", "score", "answered_for"]
TABLES = """
CREATE TABLE pages (page INTEGER PRIMARY KEY, url TEXT NOT NULL);
CREATE TABLE asked (page INTEGER PRIMARY KEY, answered_for INTEGER NOT NULL);
CREATE TABLE related (
    page INTEGER NOT NULL, position INTEGER NOT NULL, related INTEGER NOT NULL,
    score REAL NOT NULL, reason TEXT, PRIMARY KEY (page, position)) WITHOUT ROWID;
"""


def format_of(output: Path, chosen: str | None) -> str:
    """The chosen format, or the one that the file name implies."""
    if chosen is not None:
        return chosen
    for name, endings in SUFFIXES.items():
        if output.name.endswith(endings):
            return name
    known = ", ".join(ending for endings in SUFFIXES.values() for ending in endings)
    raise OptionError(
        f"all: unknown format of {output.name}; use a name ending in {known}, or --format."
    )


def write(format: str, store: Store, blocks: Blocks, path: Path, packed: bool) -> int:
    """Write blocks of answers into an existing file; return the number of results."""
    return WRITERS[format](store, blocks, path, packed)


def _write_parquet(store: Store, blocks: Blocks, path: Path, packed: bool) -> int:
    rows, writer = 0, None
    try:
        for block in blocks:
            batch = record_batch(store, block)
            if writer is None:
                writer = arrow(".parquet").ParquetWriter(
                    path,
                    schema(block.reasons is not None),
                    compression="zstd",
                    use_dictionary=["url", "related_url", "answered_for"],
                    column_encoding={"position": "DELTA_BINARY_PACKED"},
                    write_statistics=["url"],
                )
            writer.write_batch(batch)
            rows += batch.num_rows
    finally:
        if writer is not None:
            writer.close()
    return rows


class ResultLine(msgspec.Struct, omit_defaults=True):
    """One result in a line of JSON Lines."""

    url: str
    score: float
    title: str | None = None
    reason: str | None = None


class PageLine(msgspec.Struct, omit_defaults=True):
    """A line of JSON Lines: a page and its results; `answered_for` is set only if it differs
    from `url`.
    """

    url: str
    results: list[ResultLine]
    answered_for: str | None = None


def _write_jsonl(store: Store, blocks: Blocks, path: Path, packed: bool) -> int:
    encode, rows = msgspec.json.Encoder().encode_lines, 0
    with _text_file(path, packed) as file:
        for block in blocks:
            file.write(encode(list(_lines(store, block))))
            rows += len(block.pages)
    return rows


def _lines(store: Store, block: AnswerBlock) -> Iterator[PageLine]:
    urls, titles = _named(store, block.pages, store.urls), _named(store, block.pages, store.titles)
    reasons: Any = repeat(None) if block.reasons is None else block.reasons
    results = [
        ResultLine(*row) for row in zip(urls, block.scores.tolist(), titles, reasons, strict=False)
    ]
    owners = zip(block.asked.tolist(), block.answered_for.tolist(), strict=True)
    names = store.urls(block.asked)
    first = 0
    for (page, answered), name, end in zip(owners, names, block.ends.tolist(), strict=True):
        above = store.url(answered) if answered != page else None
        yield PageLine(name, results[first:end], above)
        first = end


def _write_csv(store: Store, blocks: Blocks, path: Path, packed: bool) -> int:
    rows = 0
    with _text_file(path, packed) as file:
        for block in blocks:
            text = io.StringIO()
            csv.writer(text, lineterminator="\n").writerows(_rows(store, block))
            file.write(text.getvalue().encode())
            rows += len(block.pages)
    return rows


def head(why: bool) -> bytes:
    """The first line of CSV."""
    return (",".join([*COLUMNS, *(["reason"] if why else [])]) + "\n").encode()


def _rows(store: Store, block: AnswerBlock) -> Iterator[tuple[Any, ...]]:
    counts = block.counts.tolist()
    names = [cell(name) for name in store.urls(block.asked)]
    above = [
        cell(store.url(answered)) if answered != page else ""
        for page, answered in zip(block.asked.tolist(), block.answered_for.tolist(), strict=True)
    ]
    columns: list[Iterable[Any]] = [
        (name for name, count in zip(names, counts, strict=True) for _ in range(count)),
        positions(block).tolist(),
        _named(store, block.pages, lambda pages: [cell(name) for name in store.urls(pages)]),
        block.scores.tolist(),
        (name for name, count in zip(above, counts, strict=True) for _ in range(count)),
    ]
    if block.reasons is not None:
        columns.append(map(cell, block.reasons))
    return zip(*columns, strict=True)


def _write_sqlite(store: Store, blocks: Blocks, path: Path, packed: bool) -> int:
    rows = 0
    database = sqlite3.connect(path, isolation_level=None)
    try:
        database.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + TABLES)
        for block in blocks:
            database.execute("BEGIN")
            named = np.unique(np.concatenate([block.asked, block.answered_for, block.pages]))
            database.executemany(
                "INSERT OR IGNORE INTO pages VALUES (?, ?)",
                zip(named.tolist(), store.urls(named), strict=True),
            )
            database.executemany(
                "INSERT INTO asked VALUES (?, ?)",
                zip(block.asked.tolist(), block.answered_for.tolist(), strict=True),
            )
            reasons: Any = repeat(None) if block.reasons is None else block.reasons
            database.executemany(
                "INSERT INTO related VALUES (?, ?, ?, ?, ?)",
                zip(
                    np.repeat(block.asked, block.counts).tolist(),
                    positions(block).tolist(),
                    block.pages.tolist(),
                    block.scores.tolist(),
                    reasons,
                    strict=False,
                ),
            )
            database.execute("COMMIT")
            rows += len(block.pages)
    except sqlite3.OperationalError as error:
        raise OSError(str(error)) from error
    finally:
        database.close()
    return rows


def _named(
    store: Store, pages: NDArray[uint32], names: Callable[[NDArray[uint32]], list[Any]]
) -> list[Any]:
    """The names or titles of pages, each looked up only once."""
    distinct, places = np.unique(pages, return_inverse=True)
    texts: list[Any] = np.array(names(distinct), object)[places].tolist()
    return texts


@contextmanager
def _text_file(path: Path, packed: bool) -> Iterator[Any]:
    """The file to write; compressed text is reproducible."""
    with path.open("r+b") as file:
        if packed:
            with gzip.GzipFile("", "wb", 6, file, mtime=0) as gzipped:
                yield gzipped
        else:
            yield file


WRITERS: dict[str, Callable[[Store, Blocks, Path, bool], int]] = {
    "parquet": _write_parquet,
    "jsonl": _write_jsonl,
    "csv": _write_csv,
    "sqlite": _write_sqlite,
}
