"""Files that tasks leave for later stages, in a shared folder.

A task writes its file under a unique name and then renames it. A task that is retried, or runs
twice at the same time, writes the same bytes, and readers see only complete files. Names are
numbers, like those of a build's sorted runs, so the next build removes what a killed one left
behind.
"""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import msgspec
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

KINDS = ("run", "keys", "names", "table", "out", "in-degrees", "in", "column")
"""The kinds of files, in the order of the stages."""
HEAD = 4
"""Size of the header's length field.

The header holds the arrays' names, types and lengths.
"""


@dataclass(frozen=True)
class ScratchFolder:
    """A folder of files, each with a few arrays that a task has written."""

    folder: str

    def path(self, kind: str, *number: int) -> Path:
        """The path of a file, given its kind and one or two numbers."""
        digits = "".join(f"{part:07}" for part in number)
        return Path(self.folder, f"{KINDS.index(kind) + 1:03}{digits}.run")

    def save(self, kind: str, *number: int, **arrays: NDArray[Any]) -> None:
        """Write arrays to a file, atomically."""
        path = self.path(kind, *number)
        aside = path.with_name(f"{secrets.randbelow(10**24):024}.run")
        head = {name: (array.dtype.str, len(array)) for name, array in arrays.items()}
        packed = msgspec.msgpack.encode(head)
        with aside.open("wb") as file:
            file.write(len(packed).to_bytes(HEAD, "little") + packed)
            for array in arrays.values():
                if len(array):  # tofile() would not report a full disk
                    file.write(np.ascontiguousarray(array).data.cast("B"))
        aside.replace(path)

    def load(self, kind: str, *number: int) -> dict[str, NDArray[Any]]:
        """All arrays of a file."""
        with self.path(kind, *number).open("rb") as file:
            arrays = _head(file).items()
            return {name: np.fromfile(file, dtype, count) for name, (dtype, count) in arrays}

    def part(self, kind: str, name: str, *number: int) -> NDArray[Any]:
        """One array of a file."""
        with self.path(kind, *number).open("rb") as file:
            for held, (dtype, count) in _head(file).items():
                if held == name:
                    return np.fromfile(file, dtype, count)
                file.seek(np.dtype(dtype).itemsize * count, os.SEEK_CUR)
        raise KeyError(name)


def _head(file: BinaryIO) -> dict[str, tuple[str, int]]:
    """The types and lengths of a file's arrays, in order."""
    size = int.from_bytes(file.read(HEAD), "little")
    return msgspec.msgpack.decode(file.read(size), type=dict[str, tuple[str, int]])
