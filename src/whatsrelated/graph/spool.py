"""Arrays held in memory while they fit, on disk beyond: how a build keeps its bound."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Held:
    """One array that a build will need again: in memory, or in a file."""

    def __init__(self, spool: Spool, array: NDArray[Any] | None, path: Path | None) -> None:
        self._spool = spool
        self._array = array
        self._path = path
        self.dtype = np.dtype(np.uint8)
        self.count = 0

    def __len__(self) -> int:
        return self.count

    def load(self, first: int = 0, last: int | None = None) -> NDArray[Any]:
        """The array, or a part of it."""
        last = self.count if last is None else last
        if self._array is not None:
            return self._array[first:last]
        assert self._path is not None
        return np.fromfile(self._path, self.dtype, last - first, offset=first * self.dtype.itemsize)

    def drop(self) -> None:
        """Forget the array, and its file."""
        if self._array is not None:
            self._spool.held -= self._array.nbytes
            self._array = None
        if self._path is not None:
            self._path.unlink(missing_ok=True)
            self._path = None


class Spool:
    """Keeps arrays: `memory` bytes of them in memory, the others in `folder`."""

    def __init__(self, folder: Path | None, memory: int) -> None:
        self.folder = folder
        self.memory = memory
        self.held = 0
        self.written = 0
        self._serial = itertools.count()

    def keep(self, array: NDArray[Any]) -> Held:
        """Hold an array, where it fits."""
        fits = self.folder is None or self.held + array.nbytes <= self.memory
        if fits:
            kept = Held(self, array, None)
            self.held += array.nbytes
        else:
            path = self._path()
            array.tofile(path)
            self.written += array.nbytes
            kept = Held(self, None, path)
        kept.dtype = array.dtype
        kept.count = len(array)
        return kept

    def growing(self, dtype: str) -> Growing:
        """An array that grows on disk."""
        return Growing(self, self._path(), np.dtype(dtype))

    def _path(self) -> Path:
        assert self.folder is not None
        return self.folder / f"{next(self._serial):06}.run"


class Growing:
    """An array written piece by piece to a file, then held."""

    def __init__(self, spool: Spool, path: Path, dtype: np.dtype[Any]) -> None:
        self._spool = spool
        self._path = path
        self._dtype = dtype
        self._file = path.open("wb")
        self.count = 0

    def append(self, values: NDArray[Any]) -> None:
        self._file.write(np.ascontiguousarray(values, self._dtype).data.cast("B"))
        self.count += len(values)

    def close(self) -> Held:
        self._file.close()
        self._spool.written += self.count * self._dtype.itemsize
        kept = Held(self._spool, None, self._path)
        kept.dtype = self._dtype
        kept.count = self.count
        return kept
