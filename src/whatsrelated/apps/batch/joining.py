"""The parts of a text or of a database become one file, when all of them are there."""

from __future__ import annotations

import gzip
import json
import shutil
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from whatsrelated.apps.batch.formats import TABLES, head
from whatsrelated.machine.files import output_file
from whatsrelated.machine.locks import wait_for_lock

if TYPE_CHECKING:
    from whatsrelated.apps.batch.manifest import Manifest
    from whatsrelated.apps.batch.parts import BatchOutput

VIEW = """
CREATE INDEX pages_by_url ON pages (url);
CREATE VIEW answers AS SELECT
    own.url AS url, rank, other.url AS related_url, score,
    CASE WHEN asked.answered_for = asked.page THEN NULL ELSE above.url END AS answered_for, reason
    FROM related JOIN asked ON asked.page = related.page
    JOIN pages own ON own.page = related.page
    JOIN pages other ON other.page = related.related
    JOIN pages above ON above.page = asked.answered_for;
"""


def join(place: BatchOutput, manifest: Manifest) -> None:
    """Make the output of its parts and remove them, unless another shard has done so."""
    with place.manifest.open("rb") as held:
        wait_for_lock(held)
        if not place.output.exists():
            parts = [place.part(number) for number in range(manifest["parts"])]
            _replace(place, parts, manifest)
        shutil.rmtree(place.folder, ignore_errors=True)


def _replace(place: BatchOutput, parts: list[Path], manifest: Manifest) -> None:
    with output_file(place.output) as file:
        if place.format == "sqlite":
            _join_databases(Path(file.name), parts, manifest)
            return
        if place.format == "csv":
            first = head(manifest["why"])
            is_packed = place.output.name.endswith(".gz")
            file.write(gzip.compress(first, mtime=0) if is_packed else first)
        for part in parts:
            with part.open("rb") as text:
                shutil.copyfileobj(text, file, 1 << 20)


def _join_databases(path: Path, parts: list[Path], manifest: Manifest) -> None:
    database = sqlite3.connect(path, isolation_level=None)
    try:
        database.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + TABLES)
        for part in parts:
            database.execute("ATTACH ? AS part", (str(part),))
            database.executescript(
                "BEGIN;"
                "INSERT OR IGNORE INTO pages SELECT * FROM part.pages;"
                "INSERT INTO asked SELECT * FROM part.asked;"
                "INSERT INTO related SELECT * FROM part.related ORDER BY page, rank;"
                "COMMIT; DETACH part;"
            )
        database.executescript(VIEW + "CREATE TABLE manifest (json TEXT NOT NULL);")
        database.execute("INSERT INTO manifest VALUES (?)", (json.dumps(manifest),))
    except sqlite3.Error as error:
        raise OSError(str(error)) from error
    finally:
        database.close()
