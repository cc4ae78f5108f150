"""Read outputs of `related all` in any format: the list of each page, in sort-key order."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sqlite3
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import msgspec

from whatsrelated.api.asking import arrow
from whatsrelated.apps.batch import manifest
from whatsrelated.apps.batch.formats import SUFFIXES, PageLine, format_of
from whatsrelated.apps.batch.parts import BatchOutput
from whatsrelated.errors import OptionError, ReadError

PageList = tuple[str, list[str]]
"""A page and its related pages, best first."""


def is_output(path: str | Path) -> bool:
    """Whether a path holds an output of `related all`."""
    named = str(path).endswith(tuple(end for ends in SUFFIXES.values() for end in ends))
    return named and BatchOutput(Path(path), format_of(Path(path), None)).manifest.exists()


def open_lists(path: Path) -> tuple[manifest.Manifest, Iterator[PageList]]:
    """An output's manifest and lists; pages without results may be absent."""
    format = format_of(path, None)
    place = BatchOutput(path, format)
    output_manifest = manifest.read(place.manifest)
    if output_manifest is None and not path.exists():
        raise OptionError(f"{path} does not exist; name an output of related all.")
    if output_manifest is None:
        raise OptionError(f"{path} is not an output of related all (no {place.manifest.name}).")
    if not path.exists() or not place.is_complete(output_manifest["parts"]):
        raise OptionError(f"{path} is not complete; run related all again.")
    return output_manifest, _guarded(path, _READERS[format](place, output_manifest))


def _guarded(path: Path, lists: Iterator[PageList]) -> Iterator[PageList]:
    """The lists; any error becomes a ReadError."""
    errors = (OSError, ValueError, KeyError, EOFError, sqlite3.Error, msgspec.MsgspecError)
    try:
        yield from lists
    except errors as error:
        raise ReadError(f"{path} cannot be read: {error}.") from error


def _grouped(rows: Iterable[tuple[str, str]]) -> Iterator[PageList]:
    for page, results in groupby(rows, key=itemgetter(0)):
        yield page, [result for _, result in results]


def _parquet(place: BatchOutput, output_manifest: manifest.Manifest) -> Iterator[PageList]:
    parquet = arrow(".parquet")
    for number in range(output_manifest["parts"]):
        with parquet.ParquetFile(place.part(number)) as file:
            for group in range(file.num_row_groups):
                table = file.read_row_group(group, ["url", "related_url"])
                columns = (table[name].to_pylist() for name in ("url", "related_url"))
                yield from _grouped(zip(*columns, strict=True))


def _lines(place: BatchOutput) -> Iterator[str]:
    with place.output.open("rb") as file:
        packed = place.output.name.endswith(".gz")
        raw: Any = gzip.GzipFile("", "rb", fileobj=file) if packed else file
        with io.TextIOWrapper(raw, encoding="utf-8", newline="") as lines:
            yield from lines


def _csv(place: BatchOutput, _: manifest.Manifest) -> Iterator[PageList]:
    rows = csv.DictReader(_lines(place))
    return _grouped((_uncelled(row["url"]), _uncelled(row["related_url"])) for row in rows)


def _uncelled(text: str) -> str:
    """Text without the escapes that make it safe for spreadsheets."""
    return text.removeprefix("'")


def _jsonl(place: BatchOutput, _: manifest.Manifest) -> Iterator[PageList]:
    decoder = msgspec.json.Decoder(PageLine)
    for line in _lines(place):
        page = decoder.decode(line)
        yield page.url, [result.url for result in page.results]


def _sqlite(place: BatchOutput, _: manifest.Manifest) -> Iterator[PageList]:
    database = sqlite3.connect(f"file:{json.dumps(str(place.output))[1:-1]}?mode=ro", uri=True)
    try:
        rows = database.execute(
            "SELECT own.url, other.url FROM related JOIN pages own ON own.page = related.page "
            "JOIN pages other ON other.page = related.related ORDER BY related.page, position"
        )
        yield from _grouped(rows)
    finally:
        database.close()


_READERS = {"parquet": _parquet, "jsonl": _jsonl, "csv": _csv, "sqlite": _sqlite}
