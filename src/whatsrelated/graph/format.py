"""The graph on disk: a folder of plain arrays, a manifest, and one small file that points to it.

    web.graph/
      current                 which generation is valid, and its manifest's checksum
      current.verified        the files of a large graph that were verified when it was opened
      lock                    held by the building process
      generation-000001/
        manifest.json         lengths, checksums, how the graph was built
        out.offsets.npy …     plain NumPy arrays, mapped when opened
      ranks/                  computed global ranks, by options and fingerprint

A build writes and syncs a new generation, then switches `current` atomically. A reader sees either
the old graph or the new one. Readers map all files when they open a graph, so an old generation can
be deleted as soon as it is replaced.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import mmap
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from whatsrelated.errors import GraphFormatError
from whatsrelated.graph.checksum import Checksum
from whatsrelated.machine.files import open_at_once, read_small, replace_file
from whatsrelated.machine.places import similar_path

if TYPE_CHECKING:
    from numpy.typing import NDArray

PLAIN, PACKED = 1, 2
"""Format versions for plain links and for packed links."""
VERSION = PACKED
"""The newest format version; older ones can be read."""
MAX_PAGES = 2**32 - 1
"""Maximum number of pages. Numbers have 32 bits, and the highest marks a rejected name."""
CURRENT = "current"
VERIFIED = "current.verified"
MANIFEST = "manifest.json"
HEADER = 128
NUMBERED = re.compile(r"generation-([0-9]{6,18})")
"""The name of a generation's folder."""

ARRAYS = {
    "out.offsets": "<u8",
    "out.links": "<u4",
    "in.offsets": "<u8",
    "in.links": "<u4",
    "hosts": "<u4",
    "domains": "<u4",
    "names.text": "|u1",
    "names.blocks": "<u8",
    "read": "|u1",
    "out.index": "<u4",
    "out.long": "<u4",
    "out.packed": "<u8",
    "in.index": "<u4",
    "in.long": "<u4",
    "in.packed": "<u8",
}
"""The arrays of every graph; each column (titles, terms) adds a `.text` and a `.blocks`.

`read`, one bit per page, lowest bit of each byte first, is missing in older graphs.
Packed graphs have `index`, `long` and `packed` instead of `offsets` and `links`.
"""


def header(dtype: str, count: int) -> bytes:
    """The fixed-size header of a one-dimensional `.npy` file."""
    text = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({count},), }}"
    body = text.encode().ljust(HEADER - 11) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(body).to_bytes(2, "little") + body


def dtype_of(name: str) -> str:
    """The data type of the graph's array with this name."""
    return ARRAYS.get(name) or ("|u1" if name.endswith(".text") else "<u8")


class AppendableArray(Protocol):
    """An array of a graph that is being written, in memory or on disk."""

    def append(self, values: NDArray[Any]) -> None:
        """Write the next values."""


ArraysByName = Callable[[str], AppendableArray]
"""The arrays of a graph that is being written, each created on first use."""


class ArrayWriter:
    """One array of a graph, hashed as it is written to a file piece by piece."""

    def __init__(self, folder: Path, name: str) -> None:
        self.dtype = np.dtype(dtype_of(name))
        self.count = 0
        self._file = (folder / f"{name}.npy").open("wb")
        self._file.write(header(self.dtype.str, 0))
        self._hash = hashlib.sha256()
        self._sum = Checksum()

    def append(self, values: NDArray[Any]) -> None:
        """Write the next values."""
        data = np.ascontiguousarray(values, self.dtype).data.cast("B") if len(values) else b""
        self._file.write(data)
        self._hash.update(data)
        self._sum.update(data)
        self.count += len(values)

    def close(self) -> dict[str, Any]:
        """Finish and sync the file; return its entry for the manifest."""
        self._file.seek(0)
        self._file.write(header(self.dtype.str, self.count))
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        return {
            "dtype": self.dtype.str,
            "count": self.count,
            "sha256": self._hash.hexdigest(),
            "sum": self._sum.hexdigest(),
        }

    def abandon(self) -> None:
        """Close the file without finishing it, even if the disk is full."""
        with contextlib.suppress(OSError):
            self._file.close()


def write_array(path: Path, array: NDArray[Any]) -> None:
    """Replace an array atomically; readers that have mapped the old one keep it."""
    data = np.ascontiguousarray(array)
    with replace_file(path) as file:
        file.write(header(data.dtype.str, len(data)))
        file.write(data.data.cast("B") if len(data) else b"")


def map_array(path: Path, dtype: str, count: int) -> NDArray[Any]:
    """Map the array in a file; raise GraphFormatError if its length or type is wrong."""
    kind = np.dtype(dtype)
    expected = HEADER + count * kind.itemsize
    try:
        with open_at_once(path) as file:
            size = os.fstat(file.fileno()).st_size
            if size != expected:
                raise GraphFormatError(
                    f"{path} has {size:,} bytes instead of {expected:,}; build the graph again."
                )
            if file.read(HEADER) != header(dtype, count):
                raise GraphFormatError(f"{path} has a damaged header; build the graph again.")
            if not count:
                return np.empty(0, kind)
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except FileNotFoundError:
        raise GraphFormatError(f"{path} is missing; build the graph again.") from None
    except OSError as error:
        raise GraphFormatError(f"{path} cannot be read: {error.strerror}.") from None
    return np.frombuffer(data, kind, offset=HEADER)


def mapping_of(array: NDArray[Any]) -> mmap.mmap | None:
    """The mapping that holds an array, if it is in a file."""
    base: object = array.base
    base = base.obj if isinstance(base, memoryview) else base
    return base if isinstance(base, mmap.mmap) else None


def digest(data: bytes) -> str:
    """The checksum of some bytes."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def write_synced(path: Path, data: bytes) -> None:
    """Replace a small file atomically."""
    with replace_file(path) as file:
        file.write(data)


def current_generation(path: Path, number: int | None = None) -> tuple[Path, str]:
    """The folder and manifest checksum of the valid generation, or of generation `number`."""
    current = _read_current(path)
    if number is None:
        return path / current["generation"], current["manifest"]
    generations = kept_generations(path)[1]
    for name, checksum in generations.items():
        if number_of(name) == number:
            return path / name, checksum
    numbers = ", ".join(str(number_of(name)) for name in generations)
    raise GraphFormatError(
        f"{path} has no generation {number}; it has {numbers} "
        "(related build and related update keep older ones with --keep)."
    )


def kept_generations(path: Path) -> tuple[int, dict[str, str]]:
    """The number of generations to keep, and the manifest checksum of each existing one."""
    current = _read_current(path)
    return current["keep"], {**current["older"], current["generation"]: current["manifest"]}


def number_of(generation: str) -> int:
    """The number in the name of a generation's folder."""
    match = NUMBERED.fullmatch(generation)
    return int(match[1]) if match else 0


def _no_graph(path: Path) -> str:
    """The error about a path without a graph."""
    way = f"make one with: related build SOURCE -o {path}"
    if _holds_other_files(path):
        return f"{path} is not a graph; make one with: related build {path} -o web.graph"
    if path.exists():
        return f"{path} is not a graph; {way}"
    check = "" if path.suffix == ".graph" else "check the path, or "
    return f"{path} does not exist; {similar_path(path) or check + way}"


def _holds_other_files(path: Path) -> bool:
    """Whether a folder has files, but no generation of a graph."""
    try:
        names = os.listdir(path)  # noqa: PTH208
    except OSError:
        return False
    return bool(names) and not any(map(number_of, names))


def _read_current(path: Path) -> dict[str, Any]:
    """The contents of `current`: the valid generation and the older ones still kept."""
    damaged = GraphFormatError(f"{path / CURRENT} is damaged; build the graph again.")
    try:
        current = json.loads(read_small(path / CURRENT))
        version = current["format"]
    except FileNotFoundError:
        raise GraphFormatError(_no_graph(path)) from None
    except NotADirectoryError:
        raise GraphFormatError(
            f"{path} is a file, not a graph; build one with: related build {path} -o web.graph"
        ) from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise damaged from None
    if version not in (PLAIN, PACKED):
        raise GraphFormatError(
            f"{path} has format version {version!r:.20}, this program reads {PLAIN} to {VERSION}; "
            "upgrade it, or build the graph again.",
            newer=isinstance(version, int) and version > VERSION,
        )
    generation, older = current.get("generation"), current.get("older", {})
    keep = current.get("keep", 1)
    names = [generation, *older] if isinstance(older, dict) else [None]
    if (
        not all(isinstance(name, str) and _is_file_name(name) for name in names)
        or not all(NUMBERED.fullmatch(name) for name in older)
        or not isinstance(keep, int)
        or keep < 1
        or "manifest" not in current
    ):
        raise damaged
    checksums = {name: str(checksum) for name, checksum in older.items()}
    return {**current, "manifest": str(current["manifest"]), "older": checksums, "keep": keep}


def _is_file_name(name: str) -> bool:
    return Path(name).name == name and name != ".." and "\0" not in name


def read_manifest(folder: Path, checksum: str) -> dict[str, Any]:
    """The manifest of a generation, verified by its checksum in `current`."""
    try:
        data = read_small(folder / MANIFEST)
    except (FileNotFoundError, NotADirectoryError):
        raise GraphFormatError(f"{folder / MANIFEST} is missing; build the graph again.") from None
    if digest(data) != checksum:
        raise GraphFormatError(f"{folder / MANIFEST} is damaged; build the graph again.")
    try:
        manifest: dict[str, Any] = json.loads(data)
    except (ValueError, RecursionError):
        raise GraphFormatError(f"{folder / MANIFEST} is damaged; build the graph again.") from None
    return manifest


def map_arrays(folder: Path, manifest: dict[str, Any]) -> dict[str, NDArray[Any]]:
    """All arrays of a generation, by name."""
    return {
        name: map_array(folder / f"{name}.npy", file["dtype"], file["count"])
        for name, file in manifest["files"].items()
    }


def describe_data(array: NDArray[Any]) -> dict[str, Any]:
    """The manifest's description of an array: its type, length and digest."""
    digest_of = _data_digest(array, hashlib.sha256())
    return {"dtype": array.dtype.str, "count": len(array), "sha256": digest_of}


def _data_digest(array: NDArray[Any], hashed: Any) -> str:
    """The digest of an array's bytes, excluding its header."""
    step = (1 << 24) // array.dtype.itemsize
    for start in range(0, len(array), step):
        hashed.update(np.ascontiguousarray(array[start : start + step]).data.cast("B"))
    return str(hashed.hexdigest())


def data_differs(array: NDArray[Any], file: dict[str, Any]) -> bool:
    """Whether the bytes of an array differ from those that were written."""
    if "sha256" in file:
        return bool(_data_digest(array, hashlib.sha256()) != file["sha256"])
    before = hashlib.blake2b(digest_size=16)  # for graphs and ranks of earlier versions
    return bool(_data_digest(array, before) != file["blake2b"])
