"""Check that a graph is complete and safe to read before it is used.

Disks fail, copies are interrupted, and a graph may come from an attacker. Kernels trust offsets and
links, so the following is checked first:

1. the manifest is complete, and the lengths of the arrays match the number of pages;
2. offsets and blocks ascend and stay inside the arrays they point into, and no link
   leads to a page that does not exist;
3. no byte has changed since it was written, by a checksum that runs at memory speed.

Step 1 runs whenever a graph is opened; steps 2 and 3 depend on `verify`:

    full   every time
    lazy   every time if that takes milliseconds; for a large graph, once a week and
           when a file has changed since the check recorded next to `current`
    none   never

Writing to a file changes its ctime, which programs cannot set. Damage below the file system leaves
the ctime unchanged, but is found within a week. A graph that was just written is not verified,
since its bytes were hashed during writing.
"""

from __future__ import annotations

import contextlib
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.errors import OptionError
from whatsrelated.graph import format as disk
from whatsrelated.graph import rows
from whatsrelated.graph.advice import advise
from whatsrelated.graph.checksum import PIECE, Checksum
from whatsrelated.machine.files import read_small, replace_file

if TYPE_CHECKING:
    from numpy.typing import NDArray

VERIFY = ("full", "lazy", "none")
WRITTEN = "written"
"""The mode used instead if this process has just written the graph."""
CHEAP = 128 << 20
"""Graphs up to this many bytes are verified whenever they are opened."""
OLD = 7 * 24 * 3600
"""A large graph is verified again after this many seconds."""
CHEAP_DIGEST = 8 << 20
"""The same limit for graphs built without checksums, since digests take twenty times as long."""

CHEAP_LINKS = 1 << 20
"""Up to this many packed links are decoded whenever a graph is opened."""

KEYS: dict[str, type | tuple[type, ...]] = {
    "pages": int,
    "links": int,
    "hosts": int,
    "domains": int,
    "ordered": bool,
    "auto_site": str,
    "read_links": int,
    "refused": dict,
    "built": dict,
    "files": dict,
    "fingerprint": str,
}
"""The keys of every manifest."""
FILE_KEYS: dict[str, type | tuple[type, ...]] = {"dtype": str, "count": int}
DIGESTS = ("sha256", "blake2b")
"""The manifest keys of a file's digest, now and in earlier versions."""
NEEDED = ("hosts", "domains", "names.text", "names.blocks")
"""The arrays that every graph needs, besides its links."""
PLAIN_LINKS = ("out.offsets", "out.links", "in.offsets", "in.links")
PACKED_LINKS = ("out.index", "out.long", "out.packed", "in.index", "in.long", "in.packed")
WINDOW = 64
"""After this many pieces of a large array, its memory is released."""
DTYPES = ("|u1", "<u4", "<u8")
BLOCK = 32


def require_known(verify: str) -> None:
    """Raise OptionError for an unknown way to verify."""
    if verify not in VERIFY:
        raise OptionError(f"verify must be {', '.join(VERIFY[:-1])} or none, got {verify!r:.80}.")


def manifest_fault(manifest: Any) -> str | None:
    """The first fault in a manifest, such as a missing key or a wrong length; None if it is
    fine.
    """
    if not isinstance(manifest, dict) or not _has(manifest, KEYS):
        return "the manifest lacks required keys"
    if "read_pages" in manifest and not _has(manifest, {"read_pages": int}):
        return f"the manifest gives the number of pages read as {manifest['read_pages']!r:.80}"
    if manifest["auto_site"] not in ("host", "domain", "page"):
        return f"the manifest has an unknown site, {manifest['auto_site']!r:.80}"
    files, pages = manifest["files"], manifest["pages"]
    if pages > disk.MAX_PAGES:
        return f"it has {pages:,} pages, and a graph holds at most {disk.MAX_PAGES:,}"
    for name, file in files.items():
        if Path(name).name != name or "\0" in name:
            return f"the manifest names a file outside the graph, {name!r:.80}"
        if not (
            isinstance(file, dict)
            and _has(file, FILE_KEYS)
            and any(isinstance(file.get(kind), str) for kind in DIGESTS)
            and file["dtype"] in DTYPES
        ):
            return f"the manifest does not describe {name!r:.80}"
        if name in disk.ARRAYS and file["dtype"] != disk.dtype_of(name):
            return f"{name} has the wrong type, {file['dtype']!r:.20}"
    links = PACKED_LINKS if rows.is_packed(files) else PLAIN_LINKS
    missing = [name for name in (*links, *NEEDED) if name not in files]
    if missing:
        return f"the manifest lacks {missing[0]}"
    for name, file in files.items():
        expected = _expected_count(name, pages, manifest["links"])
        if expected is not None and file["count"] != expected:
            return f"{name} has {file['count']:,} entries instead of {expected:,}"
        if name.endswith(".blocks") and f"{name.removesuffix('.blocks')}.text" not in files:
            return f"the manifest lacks the text of {name}"
    return None


def _has(described: dict[str, Any], keys: dict[str, type | tuple[type, ...]]) -> bool:
    return all(
        isinstance(described.get(key), kind)
        and (kind is not int or (described[key] is not True and 0 <= described[key] < 2**62))
        for key, kind in keys.items()
    )


def _expected_count(name: str, pages: int, links: int) -> int | None:
    if name in ("out.offsets", "in.offsets"):
        return pages + 1
    if name in ("out.links", "in.links"):
        return links
    if name in ("out.index", "in.index"):
        return -(-pages // rows.PAGES_IN_BLOCK) * rows.LINE
    if name in ("hosts", "domains"):
        return pages
    if name == "read":  # a bit for each page
        return -(-pages // 8)
    return -(-pages // BLOCK) if name.endswith(".blocks") else None


def content_fault(arrays: dict[str, NDArray[Any]], manifest: dict[str, Any]) -> str | None:
    """The first fault in the bytes of a graph, or None."""
    files = manifest["files"]
    for name, array in arrays.items():
        expected = _expected_count(name, manifest["pages"], manifest["links"])
        if expected is not None and len(array) != expected:
            return f"{name} has {len(array):,} entries instead of {expected:,}"
        fault = _array_fault(name, array, files.get(name, {}), manifest["pages"])
        if fault:
            return fault
    for direction in ("out", "in"):
        if rows.is_packed(arrays):
            packed = rows.PackedRows(arrays, direction, manifest["pages"])
            fault = packed.fault(manifest["links"])
            if fault:
                return f"{direction}{rows.WORDS}: {fault}"
            continue
        offsets, links = arrays[f"{direction}.offsets"], arrays[f"{direction}.links"]
        if int(offsets[0]) != 0 or int(offsets[-1]) != len(links):
            return f"{direction}.offsets does not end where {direction}.links ends"
    for name, blocks in arrays.items():
        if name.endswith(".blocks") and len(blocks):
            text = arrays[f"{name.removesuffix('.blocks')}.text"]
            if int(blocks[-1]) >= len(text):
                return f"{name} goes past the end of its text"
    return None


def _array_fault(name: str, array: NDArray[Any], file: dict[str, Any], pages: int) -> str | None:
    checksum = Checksum()
    ascends = name.endswith((".offsets", ".blocks"))
    leads = name in ("out.links", "in.links")
    before = 0
    step = PIECE // array.dtype.itemsize
    for start in range(0, len(array), step):
        piece = array[start : start + step]
        checksum.update(piece.data)
        if start and start % (WINDOW * step) == 0:
            _release(array)
        if leads and int(piece.max()) >= pages:
            return f"{name} names page {int(piece.max()):,} of {pages:,}"
        if ascends:
            if int(piece[0]) < before or bool(np.any(piece[1:] < piece[:-1])):
                return f"{name} decreases after entry {start:,}"
            before = int(piece[-1])
    if len(array) > WINDOW * step:
        _release(array)
    differs = False
    if "sum" in file:
        differs = checksum.hexdigest() != file["sum"]
    elif any(kind in file for kind in DIGESTS):  # built before checksums were introduced
        differs = disk.data_differs(array, file)
    return f"{name}.npy has changed since it was written" if differs else None


def _release(array: NDArray[Any]) -> None:
    """Release the memory of a mapped array; later reads come from the file cache."""
    mapping = disk.mapping_of(array)
    if mapping is not None:
        advise([mapping], "DONTNEED")


def is_cheap(manifest: dict[str, Any]) -> bool:
    """Whether a graph is small enough to be verified whenever it is opened."""
    files = manifest["files"].values()
    if rows.is_packed(manifest["files"]) and manifest["links"] > CHEAP_LINKS:
        return False  # decoding every list takes longer than a checksum
    size = sum(file["count"] * np.dtype(file["dtype"]).itemsize for file in files)
    return bool(size <= (CHEAP if all("sum" in file for file in files) else CHEAP_DIGEST))


class Note:
    """A record, stored next to `current`, of the verified files of a large graph."""

    def __init__(self, path: Path, folder: Path, checksum: str, manifest: dict[str, Any]) -> None:
        self._path = path / disk.VERIFIED
        self._folder = folder
        self._checksum = checksum
        self._names = sorted(manifest["files"])
        self._before = self._identity()

    def is_valid(self) -> bool:
        """Whether these files were verified before and have not changed since."""
        if self._before is None:
            return False
        try:
            if not 0 <= time.time() - self._path.stat().st_mtime < OLD:
                return False
            return bool(json.loads(read_small(self._path)) == self._before)
        except (OSError, ValueError, RecursionError):
            return False

    def write(self) -> None:
        """Record that the files were verified, if they are unchanged and the folder is writable."""
        if self._before is not None and self._identity() == self._before:
            with contextlib.suppress(OSError), replace_file(self._path, sync=False) as file:
                file.write(json.dumps(self._before).encode())

    def _identity(self) -> dict[str, Any] | None:
        try:
            states = [(self._folder / f"{name}.npy").stat() for name in self._names]
        except OSError:
            return None
        return {
            "manifest": self._checksum,
            "files": [
                [s.st_dev, s.st_ino, s.st_size, s.st_mtime_ns, s.st_ctime_ns] for s in states
            ],
        }
