"""A cache of parsed files, stored with a graph, so unchanged files are not parsed again.

    web.graph/parsed/
      0f3a…-9b21….pages      the first 16 digits: which folder; the others: how it was read

A table has a record for each file, with the file's size, time and digest. A record is reused if the
size and time are the same or, failing that, if the bytes are. A file that changed less than
`RECENT` before it was read could change again without a new time, so its bytes are always compared.

If records depend on which other files exist, as for HTML, the digest of the reading options
includes the list of all files.
"""

from __future__ import annotations

import contextlib
import hashlib
import mmap
import os
import pickle
import shutil
import tempfile
import time
from collections import deque
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import msgspec

from whatsrelated.machine import workers
from whatsrelated.machine.files import remove_unfinished, replace_file
from whatsrelated.sources.page_records import decode_record

if TYPE_CHECKING:
    from whatsrelated.sources.page_reader import FolderWork

FOLDER = "parsed"
RECENT = 2 * 10**9
"""Two changes within this many nanoseconds may have the same time; some file systems have a
resolution of 2 s.
"""

STATE = 32
"""Size in bytes of a file's state: its size, time and digest."""


class ParsedFile(msgspec.Struct, array_like=True, frozen=True):
    """A file's state when it was read, and the place of its record in the table."""

    size: int
    time: int
    digest: bytes
    start: int
    length: int


_index = msgspec.msgpack.Decoder(dict[bytes, ParsedFile])


class ParsedFiles:
    """The tables of one graph; new tables are in temporary files until they are saved."""

    def __init__(self, graph: Path, temporary: str | None = None) -> None:
        self._folder = graph / FOLDER
        self._temporary = temporary
        self._fresh: list[ParsedFolder] = []

    def results(
        self, work: FolderWork, paths: Iterator[str], **settings: Any
    ) -> Iterator[tuple[str, bytes | workers.Lost]]:
        """Each file and its record, in order; workers read those that have changed."""
        listed: Iterable[str] = list(paths) if work.needs_all_files else paths
        table = self._table(work, listed if work.needs_all_files else ())
        order: deque[tuple[str, ParsedFile | None]] = deque()

        def changed() -> Iterator[str]:
            for path in listed:
                entry = table.unchanged(path)
                order.append((path, entry))
                if entry is None:
                    yield path

        def reused() -> Iterator[tuple[str, bytes]]:
            while order and order[0][1] is not None:
                path, entry = order.popleft()
                assert entry is not None
                yield path, table.keep(path, entry)

        for path, answer in workers.results(Dated(work), changed(), **settings):
            yield from reused()
            order.popleft()
            yield path, answer if isinstance(answer, workers.Lost) else table.put(path, answer)
        yield from reused()

    def _table(self, work: FolderWork, paths: Iterable[str]) -> ParsedFolder:
        how = hashlib.blake2b(pickle.dumps(work), digest_size=8)
        how.update(metadata.version("whatsrelated").encode())
        for path in paths:
            how.update(os.fsencode(path) + b"\0")
        where = hashlib.blake2b(os.fsencode(work.root), digest_size=8).hexdigest()
        place = self._folder / f"{where}-{how.hexdigest()}.pages"
        table = ParsedFolder(place, work.root, self._temporary)
        self._fresh.append(table)
        return table

    def save(self) -> None:
        """Replace the old tables with the new ones. The tables are not part of the graph."""
        for table in self._fresh:
            with contextlib.suppress(OSError):
                self._folder.mkdir(exist_ok=True)
                remove_unfinished(self._folder)
                table.save()
                for other in self._folder.glob(f"{table.path.name.partition('-')[0]}-*.pages"):
                    if other != table.path:
                        other.unlink()
        self.close()

    def close(self) -> None:
        """Discard the new tables."""
        for table in self._fresh:
            table.close()
        self._fresh = []


class Dated:
    """Wraps a worker's task: puts the file's state before its record, or zeros if the file changed
    meanwhile.
    """

    def __init__(self, work: FolderWork) -> None:
        self.work = work

    def __call__(self, path: str) -> bytes:
        before = state_of(f"{self.work.root}/{path}")
        record = self.work(path)
        same = before == state_of(f"{self.work.root}/{path}")
        return (before if same else bytes(STATE)) + record


def state_of(path: str) -> bytes:
    """The size, time and digest of a file."""
    try:
        status = os.stat(path)  # noqa: PTH116 -- called for every file
    except OSError:
        return bytes(STATE)
    numbers = (number.to_bytes(8, "little") for number in (status.st_size, status.st_mtime_ns))
    return b"".join(numbers) + digest_of(path)


def digest_of(path: str) -> bytes:
    """The digest of a file's bytes; zeros if it cannot be read."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 -- called for every file
            return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).digest()
    except OSError:
        return bytes(16)


class ParsedFolder:
    """The old table of one folder, if any, and the new one."""

    def __init__(self, path: Path, root: str, temporary: str | None) -> None:
        self.path = path
        self._root = root
        self._begun = time.time_ns()
        self._old: dict[bytes, ParsedFile] = {}
        self._data: mmap.mmap | bytes = b""
        self._new: dict[bytes, ParsedFile] = {}
        self._file: IO[bytes] = tempfile.TemporaryFile(dir=temporary)  # noqa: SIM115
        self._file.write(bytes(8))
        self._size = 8
        self._open()

    def _open(self) -> None:
        """Map the old table; ignore a damaged one."""
        with contextlib.suppress(OSError, ValueError, msgspec.MsgspecError):
            with self.path.open("rb") as file:
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            self._old = _index.decode(data[int.from_bytes(data[:8], "little") :])
            self._data = data

    def unchanged(self, path: str) -> ParsedFile | None:
        """The old table's entry for a file that has not changed, or None."""
        entry = self._old.get(os.fsencode(path))
        if entry is None:
            return None
        try:
            status = os.stat(f"{self._root}/{path}")  # noqa: PTH116 -- called for every file
        except OSError:
            return None
        if status.st_size != entry.size:
            return None
        if status.st_mtime_ns != entry.time and digest_of(f"{self._root}/{path}") != entry.digest:
            return None
        try:
            decode_record(self._record(entry))
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return None
        return msgspec.structs.replace(entry, time=status.st_mtime_ns)

    def _record(self, entry: ParsedFile) -> bytes:
        return self._data[entry.start : entry.start + entry.length]

    def keep(self, path: str, entry: ParsedFile) -> bytes:
        """Copy a record from the old table."""
        return self._add(path, entry.size, entry.time, entry.digest, self._record(entry))

    def put(self, path: str, answer: bytes) -> bytes:
        """Add a worker's answer: the state of the file, and its record."""
        size, when = (int.from_bytes(answer[at : at + 8], "little") for at in (0, 8))
        return self._add(path, size, when, answer[16:STATE], answer[STATE:])

    def _add(self, path: str, size: int, when: int, digest: bytes, record: bytes) -> bytes:
        time_tells = when < self._begun - RECENT
        self._new[os.fsencode(path)] = ParsedFile(
            size, when if time_tells else 0, digest, self._size, len(record)
        )
        self._file.write(record)
        self._size += len(record)
        return record

    def save(self) -> None:
        """Replace the old table with the new one, atomically."""
        if self._new == self._old:
            return
        self._file.write(msgspec.msgpack.encode(self._new))
        self._file.seek(0)
        self._file.write(self._size.to_bytes(8, "little"))
        self._file.seek(0)
        with replace_file(self.path, sync=False) as file:
            shutil.copyfileobj(self._file, file, 1 << 20)

    def close(self) -> None:
        self._file.close()
