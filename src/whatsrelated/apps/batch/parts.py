"""Where the parts of an output are, and how one is written: aside, then renamed.

A Parquet output is a folder that has its parts and manifest in it, and every part is a file
of the whole.  Any other output is one file: its parts are in `NAME.parts` and its manifest is
`NAME.manifest.json`, and when all parts are there they become NAME (`batch.joining`).

Whoever writes a part holds a lock on the file aside; what nobody holds was left by a process
that was killed, and is removed.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from whatsrelated.errors import BuildError
from whatsrelated.machine.locks import try_lock

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class BatchOutput:
    """An output on disk."""

    output: Path
    format: str

    @property
    def is_folder(self) -> bool:
        """Whether the parts are the output."""
        return self.format == "parquet"

    @property
    def folder(self) -> Path:
        """Where the parts are."""
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
        """Those of the parts that are not there yet."""
        there = {path.name for path in self.folder.iterdir()}
        return [number for number in parts if self.part(number).name not in there]

    def is_complete(self, n_parts: int) -> bool:
        """Whether nothing is left to be done, or only to be removed."""
        if self.is_folder:
            return not self.missing(range(n_parts))
        return self.output.exists()

    def make(self) -> None:
        """Make the folder of the parts; refuse a place that has something else."""
        if self.is_folder and self.folder.is_dir() and not self.manifest.exists():
            if any(self.folder.iterdir()):
                raise BuildError(f"{self.folder} has other files in it; choose another name.")
        elif self.output.exists() and not self.manifest.exists():
            raise BuildError(f"{self.output} exists and has no manifest; choose another name.")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BuildError(f"{self.folder} cannot be made: {error.strerror or error}.") from error

    def remove_left(self, parts: Iterable[int]) -> None:
        """Remove what was left aside by processes that were killed, of these parts."""
        wanted = {self._prefix(number) for number in parts}
        for path in self.folder.glob(".part-*"):
            if path.name.partition("~")[0] + "~" not in wanted:
                continue
            try:
                with path.open("rb") as file:
                    if try_lock(file):
                        path.unlink()
            except FileNotFoundError:
                continue

    def _prefix(self, number: int) -> str:
        return f".part-{number:06}~"

    @contextmanager
    def write_part(self, number: int) -> Iterator[Path]:
        """A file that becomes the part when it is complete."""
        aside = None
        try:
            handle, name = tempfile.mkstemp(prefix=self._prefix(number), dir=self.folder)
            aside = Path(name)
            with open(handle, "r+b") as held:  # noqa: PTH123 -- it is open
                try_lock(held)
                yield aside
                os.fsync(held.fileno())
                aside.chmod(0o644)
                aside.replace(self.part(number))
                aside = None
        except OSError as error:
            raise BuildError(
                f"{self.part(number)} cannot be written: {error.strerror or error}."
            ) from error
        finally:
            if aside is not None:
                aside.unlink(missing_ok=True)
