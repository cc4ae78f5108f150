"""Files that tasks leave for the stages after them, in a folder that all machines see.

A task writes its file under a name of its own and then renames it: a task that is tried
again, or run twice at a time, writes the same bytes, and whoever reads sees a whole file.
Names are numbers, as those of a build's sorted runs: a killed build is cleaned up by the next.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

KINDS = ("run", "keys", "names", "table", "out", "in-degrees", "in", "column")
"""What a file holds, in the order of the stages."""


@dataclass(frozen=True)
class Scratch:
    """A folder of files, each a few arrays that a task has left."""

    folder: str

    def path(self, kind: str, *number: int) -> Path:
        """The file of a kind with a number, or two."""
        digits = "".join(f"{part:07}" for part in number)
        return Path(self.folder, f"{KINDS.index(kind) + 1:03}{digits}.run")

    def save(self, kind: str, *number: int, **arrays: NDArray[Any]) -> None:
        """Write arrays as a whole."""
        path = self.path(kind, *number)
        aside = path.with_name(f"{secrets.randbelow(10**24):024}.run")
        with aside.open("wb") as file:
            np.savez(file, allow_pickle=False, **arrays)
        aside.replace(path)

    def load(self, kind: str, *number: int) -> dict[str, NDArray[Any]]:
        """All arrays of a file."""
        with np.load(self.path(kind, *number)) as file:
            return {name: file[name] for name in file.files}

    def part(self, kind: str, name: str, *number: int) -> NDArray[Any]:
        """One array of a file."""
        with np.load(self.path(kind, *number)) as file:
            array: NDArray[Any] = file[name]
            return array

    def drop(self, kind: str, *number: int) -> None:
        """Remove a file that is needed no more."""
        self.path(kind, *number).unlink(missing_ok=True)
