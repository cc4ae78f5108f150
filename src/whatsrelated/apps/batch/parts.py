"""Store the parts of an output.  A part is written to a temporary file, then renamed.

A Parquet output is a folder with its parts and a manifest.  Any other output is one file NAME: its
parts are in `NAME.parts`, its manifest is `NAME.manifest.json`, and when all parts are complete
they become NAME.

A process locks the temporary file that it is writing. An unlocked file was left behind by a killed
process and is removed.
"""

from __future__ import annotations

import gzip
import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from whatsrelated.apps.batch.formats import TABLES, head
from whatsrelated.errors import BuildError
from whatsrelated.machine.files import NAME_SHOWN, UNFINISHED, output_file, refuse_special
from whatsrelated.machine.locks import try_lock, wait_for_lock

if TYPE_CHECKING:
    from collections.abc import Iterable

    from whatsrelated.apps.batch.manifest import Manifest


@dataclass(frozen=True, slots=True)
class BatchOutput:
    """An output on disk."""

    output: Path
    format: str

    @property
    def is_folder(self) -> bool:
        """Whether the parts themselves are the output."""
        return self.format == "parquet"

    @property
    def folder(self) -> Path:
        """The folder that holds the parts."""
        return self.output if self.is_folder else self._beside(".parts")

    @property
    def manifest(self) -> Path:
        return self.output / "_manifest.json" if self.is_folder else self._beside(".manifest.json")

    def _beside(self, suffix: str) -> Path:
        return self.output.with_name(self.output.name + suffix)

    def part(self, number: int) -> Path:
        """The file of a part."""
        ending = self.output.name.partition(".")[2] if not self.is_folder else "parquet"
        return self.folder / f"part-{number:06}.{ending}"

    def missing(self, parts: Iterable[int]) -> list[int]:
        """The parts that do not exist yet."""
        existing = {path.name for path in self.folder.iterdir()}
        return [number for number in parts if self.part(number).name not in existing]

    def is_complete(self, n_parts: int) -> bool:
        """Whether the output is complete, even if parts have yet to be removed."""
        if self.is_folder:
            return not self.missing(range(n_parts))
        return self.output.exists()

    @contextmanager
    def prepared(self) -> Iterator[None]:
        """Create the folder for the parts.

        If the block fails before any part is written, remove it.
        """
        self._make()
        try:
            yield
        except BaseException as error:
            if {path.name for path in self.folder.iterdir()} - {self.manifest.name}:
                if isinstance(error, BuildError):
                    raise BuildError(
                        f"{error} Finished parts are in {self.folder}: run the same command again "
                        "to "
                        "continue, or remove it."
                    ) from error
                raise
            with suppress(OSError):
                self.manifest.unlink(missing_ok=True)
                self.folder.rmdir()
            raise

    def _make(self) -> None:
        """Create the folder of the parts; raise an error if something else is there."""
        if not self.is_folder:
            refuse_special(self.output)
        if self.folder.is_symlink():
            raise BuildError(f"{self.folder} is a link; remove it, or choose another name.")
        if self.is_folder and self.folder.is_dir() and not self.manifest.exists():
            if any(self.folder.iterdir()):
                raise BuildError(f"{self.folder} contains other files; choose another name.")
        elif self.output.exists() and not self.manifest.exists():
            raise BuildError(f"{self.output} exists and has no manifest; choose another name.")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BuildError(
                f"{self.folder} cannot be created: {error.strerror or error}."
            ) from error

    def remove_left(self, parts: Iterable[int]) -> None:
        """Remove temporary files of these parts that killed processes left behind."""
        names = {self.part(number).name[:NAME_SHOWN] for number in parts}
        for path in self.folder.iterdir():
            unfinished = UNFINISHED.fullmatch(path.name)
            if unfinished is not None and unfinished[1] in names:
                with suppress(FileNotFoundError), path.open("rb") as file:
                    if try_lock(file):
                        path.unlink()

    @contextmanager
    def write_part(self, number: int) -> Iterator[Path]:
        """A temporary file that becomes the part when it is complete."""
        with output_file(self.part(number)) as file:
            try_lock(file)
            yield Path(file.name)


VIEW = """
CREATE INDEX pages_by_url ON pages (url);
CREATE VIEW answers AS SELECT
    own.url AS url, position, other.url AS related_url, score,
    CASE WHEN asked.answered_for = asked.page THEN NULL ELSE above.url END AS answered_for, reason
    FROM related JOIN asked ON asked.page = related.page
    JOIN pages own ON own.page = related.page
    JOIN pages other ON other.page = related.related
    JOIN pages above ON above.page = asked.answered_for;
"""


def join(place: BatchOutput, manifest: Manifest) -> None:
    """Join the parts into the output and remove them, unless another shard has done so."""
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
                "INSERT INTO related SELECT * FROM part.related ORDER BY page, position;"
                "COMMIT; DETACH part;"
            )
        database.executescript(VIEW + "CREATE TABLE manifest (json TEXT NOT NULL);")
        database.execute("INSERT INTO manifest VALUES (?)", (json.dumps(manifest),))
    except sqlite3.Error as error:
        raise OSError(str(error)) from error
    finally:
        database.close()
