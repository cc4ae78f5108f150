"""Arrays that are computed from a graph when they are first needed, and kept in its folder.

A small file beside them names the graph they belong to and holds their checksums. If it names
another graph, or a checksum differs, the arrays are computed again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.errors import GraphFormatError
from whatsrelated.graph import format as disk
from whatsrelated.graph.checksum import Checksum
from whatsrelated.graph.verification import CHEAP
from whatsrelated.machine.files import read_small, remove_unfinished
from whatsrelated.machine.locks import wait_for_lock

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from whatsrelated.graph.store import Store

    Arrays = dict[str, NDArray[Any]]

INDEX = "index.json"


@dataclass(frozen=True)
class KeptArrays:
    """The arrays in one folder of a graph: their types, and a test of whether they are safe to
    read.
    """

    folder: str
    version: int
    types: Mapping[str, str]
    is_sound: Callable[[Arrays, Store], bool]

    def obtain(self, store: Store, build: Callable[[], Arrays]) -> Arrays:
        """The arrays of a graph; built if needed, and saved if possible."""
        if store.path is None:
            return build()
        arrays = self.read(store)
        if arrays is not None:
            return arrays
        folder = store.path / self.folder
        try:
            folder.mkdir(exist_ok=True)
            with (folder / "lock").open("a") as lock:
                wait_for_lock(lock)
                arrays = self.read(store)
                if arrays is None:
                    remove_unfinished(folder)
                    arrays = build()
                    self.write(folder, arrays, store)
        except OSError:
            return arrays or build()
        return arrays

    def read(self, store: Store) -> Arrays | None:
        """The saved arrays; None if they are missing, damaged or belong to another graph."""
        if store.path is None:
            return None
        folder = store.path / self.folder
        try:
            described = json.loads(read_small(folder / INDEX))
            expected = self._description(store)
            if {name: described[name] for name in expected} != expected:
                return None
            arrays = {
                name: disk.map_array(folder / f"{name}.npy", dtype, described["counts"][name])
                for name, dtype in self.types.items()
            }
            size = sum(array.nbytes for array in arrays.values())
            whole = size > CHEAP or described["sums"] == _sums(arrays)
        except (OSError, ValueError, KeyError, TypeError, RecursionError, GraphFormatError):
            return None
        return arrays if whole and self.is_sound(arrays, store) else None

    def write(self, folder: Path, arrays: Arrays, store: Store) -> None:
        """Write every array, then the small file that identifies their graph."""
        (folder / INDEX).unlink(missing_ok=True)
        arrays = {
            name: np.ascontiguousarray(array, self.types[name]) for name, array in arrays.items()
        }
        for name, array in arrays.items():
            disk.write_array(folder / f"{name}.npy", array)
        counts = {name: len(array) for name, array in arrays.items()}
        described = {**self._description(store), "counts": counts, "sums": _sums(arrays)}
        disk.write_synced(folder / INDEX, json.dumps(described).encode())

    def _description(self, store: Store) -> dict[str, Any]:
        return {"version": self.version, "graph": store.fingerprint, "pages": store.n_pages}


def _sums(arrays: Arrays) -> dict[str, str]:
    """The checksum of every array."""
    sums = {}
    for name, array in sorted(arrays.items()):
        checksum = Checksum()
        checksum.update(array.data.cast("B") if len(array) else b"")
        sums[name] = checksum.hexdigest()
    return sums
