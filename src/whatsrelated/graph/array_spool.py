"""Keep arrays in memory while they fit, then on disk, so a build stays within its memory limit."""

from __future__ import annotations

import errno
import io
import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class ArraySpool:
    """Holds arrays: up to `memory` bytes in memory, the rest in `folder`.

    Without a folder, all arrays stay in memory.
    """

    def __init__(self, folder: Path | None, memory: int) -> None:
        self.folder = folder
        self.memory = memory
        self.in_memory = 0
        """The number of bytes in memory now."""
        self._serial = itertools.count()

    def add(self, array: NDArray[Any]) -> SpooledArray:
        """Hold an array, in memory if it fits."""
        if self._fits(array):
            self.in_memory += array.nbytes
            return SpooledArray(self, array.dtype, len(array), array)
        path = self._new_path()
        array.tofile(path)
        return SpooledArray(self, array.dtype, len(array), _path=path)

    def add_runs(self, array: NDArray[Any]) -> SpooledArray | SpooledRuns:
        """Hold an array with long runs of equal values, which is run-length encoded on disk."""
        if self._fits(array):
            return self.add(array)
        ends = np.append(np.flatnonzero(array[1:] != array[:-1]), len(array) - 1)
        if 2 * len(ends) >= len(array):
            return self.add(array)
        lengths = np.diff(ends, prepend=-1).astype(array.dtype)
        return SpooledRuns(self.add(np.concatenate([array[ends], lengths])), len(array))

    def _fits(self, array: NDArray[Any]) -> bool:
        return self.folder is None or self.in_memory + array.nbytes <= self.memory

    def writer(self, dtype: str, stays_open: bool = True) -> SpoolWriter:
        """An array written to disk piece by piece; its file may stay open between pieces."""
        return SpoolWriter(self, self._new_path(), np.dtype(dtype), stays_open)

    def _new_path(self) -> Path:
        assert self.folder is not None
        return self.folder / f"{next(self._serial):06}.run"


@dataclass(slots=True)
class SpooledArray:
    """One array that a build will need again, in memory or in a file."""

    _spool: ArraySpool
    _dtype: np.dtype[Any]
    _count: int
    _array: NDArray[Any] | None = None
    _path: Path | None = None

    def __len__(self) -> int:
        return self._count

    def load(
        self, first: int = 0, last: int | None = None, into: NDArray[Any] | None = None
    ) -> NDArray[Any]:
        """The array or part of it; a file is read into `into`, if given."""
        last = self._count if last is None else last
        if self._array is not None:
            return self._array[first:last]
        assert self._path is not None
        start = first * self._dtype.itemsize
        if into is None:
            return np.fromfile(self._path, self._dtype, last - first, offset=start)
        part = into[: last - first]
        with self._path.open("rb", buffering=0) as file:
            file.seek(start)
            read_into(file, part)
        return part

    def drop(self) -> None:
        """Free the array, and delete its file."""
        if self._array is not None:
            self._spool.in_memory -= self._array.nbytes
            self._array = None
        if self._path is not None:
            self._path.unlink(missing_ok=True)
            self._path = None


@dataclass(frozen=True, slots=True)
class SpooledRuns:
    """A run-length encoded array: the values of its runs, then their lengths."""

    _runs: SpooledArray
    _count: int

    def __len__(self) -> int:
        return self._count

    def load(self) -> NDArray[Any]:
        """The array."""
        values, lengths = self._runs.load().reshape(2, -1)
        return np.repeat(values, lengths.astype(np.int64))

    def drop(self) -> None:
        """Free the array, and delete its file."""
        self._runs.drop()


def read_into(file: io.RawIOBase, array: NDArray[Any]) -> None:
    """Fill an array from a file; raise OSError if the file is too short."""
    rest = array.data.cast("B") if len(array) else memoryview(b"")
    while len(rest):
        count = file.readinto(rest)
        if not count:
            raise OSError(errno.EIO, "a temporary file was cut short", getattr(file, "name", None))
        rest = rest[count:]


class SpoolWriter:
    """An array being written piece by piece to a file."""

    def __init__(
        self, spool: ArraySpool, path: Path, dtype: np.dtype[Any], stays_open: bool
    ) -> None:
        self._spool = spool
        self._path = path
        self._dtype = dtype
        self._stays_open = stays_open
        self._file = path.open("wb")
        self._count = 0
        if not stays_open:
            self._file.close()

    def append(self, values: NDArray[Any]) -> None:
        if not self._stays_open:
            self._file = self._path.open("ab")
        self._file.write(np.ascontiguousarray(values, self._dtype).data.cast("B"))
        self._count += len(values)
        if not self._stays_open:
            self._file.close()

    def map(self) -> NDArray[Any]:
        """Close the file; return its array, mapped."""
        self._file.close()
        if not self._count:
            return np.empty(0, self._dtype)
        return np.memmap(self._path, self._dtype, "r")

    def close(self) -> SpooledArray:
        """Close the file; return its array."""
        self._file.close()
        return SpooledArray(self._spool, self._dtype, self._count, _path=self._path)
