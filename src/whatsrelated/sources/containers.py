"""Zip and tar archives, plain or compressed, read as if they were folders.

An archive is unpacked to a temporary folder. If it holds pages, it is read as a folder of pages;
otherwise its files are read one by one. If an archive has a single top-level folder, that folder is
used. Archives are not trusted. Nothing is written outside the folder, and links and devices are
left out. An archive that unpacks to more than 1 GiB and 250 times its size is rejected.
"""

from __future__ import annotations

import shutil
import tarfile
import tempfile
import weakref
import zipfile
from collections.abc import Callable, Iterator
from io import RawIOBase
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Any

from whatsrelated.errors import ReadError
from whatsrelated.sources.files import BOMB_BYTES, BOMB_RATIO, PIECE, ZIP_FAULTS, File

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_FILES = 1_000_000
"""Maximum number of files in an archive."""


def is_container(file: File) -> bool:
    """Whether a file is a zip or tar archive."""
    return _is_zip(file) or file.sample[257:262] == b"ustar"


def _is_zip(file: File) -> bool:
    return file.sample.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def unpack(file: File, folder: Path, is_pages: Callable[[File], bool]) -> list[File]:
    """Unpack an archive to a folder; return the folder or its files as sources.

    `is_pages` tests whether it is a folder of pages.
    """
    if _is_zip(file):
        _unpack_zip(file, folder)
    else:
        _unpack_tar(file, folder)
    top = folder
    while len(inner := list(top.iterdir())) == 1 and inner[0].is_dir():
        top = inner[0]
    if not inner:
        raise ReadError(f"{file.label} contains no files.")
    whole = _labelled(top, file.label, file.origin)
    if is_pages(whole):
        return [whole]
    paths = sorted(path for path in top.rglob("*") if path.is_file())
    return [
        _labelled(path, f"{file.label}:{path.relative_to(top).as_posix()}", file.origin)
        for path in paths
    ]


def _labelled(path: Path, label: str, origin: str) -> File:
    file = File(path)
    file.label, file.origin = label, origin
    return file


def _unpack_zip(file: File, folder: Path) -> None:
    if file.is_stream or file.packing:
        raise ReadError(
            f"{file.label}: a zip archive cannot be read from a compressed file or a "
            "pipe; save it as a file first."
        )
    try:
        with zipfile.ZipFile(file.path) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            entries = [entry for entry in entries if entry.external_attr >> 28 in (0, 8)]
            if any(entry.flag_bits & 1 for entry in entries):
                raise ReadError(f"{file.label} is encrypted; unpack it and build from the files.")
            named = ((entry.filename, _opener(archive, entry)) for entry in entries)
            _write_files(file, named, folder, file.path.stat().st_size)
    except ReadError:
        raise
    except ZIP_FAULTS as error:
        raise ReadError(f"{file.label} is damaged or cut short: {error!s:.120}.") from error


def _opener(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Callable[[], IO[bytes]]:
    return lambda: archive.open(entry)


def _unpack_tar(file: File, folder: Path) -> None:
    stream: Any = _Stream(file)
    try:
        with tarfile.open(fileobj=stream, mode="r|") as archive:
            named = ((entry.name, _taker(archive, entry)) for entry in archive if entry.isreg())
            _write_files(file, named, folder, None)
    except ReadError:
        raise
    except (tarfile.TarError, *ZIP_FAULTS) as error:
        raise ReadError(f"{file.label} is damaged or cut short: {error!s:.120}.") from error


def _taker(archive: tarfile.TarFile, entry: tarfile.TarInfo) -> Callable[[], IO[bytes]]:
    def take() -> IO[bytes]:
        member = archive.extractfile(entry)
        assert member is not None
        return member

    return take


def _write_files(
    file: File,
    named: Iterable[tuple[str, Callable[[], IO[bytes]]]],
    folder: Path,
    packed: int | None,
) -> None:
    """Write the files of an archive; `packed` is the archive's size if known, for detecting
    decompression bombs.
    """
    size = 0
    for count, (name, open_member) in enumerate(named):
        if count >= MAX_FILES:
            raise ReadError(f"{file.label} has more than {MAX_FILES:,} files; unpack it yourself.")
        parts = [part for part in PurePosixPath(name.replace("\\", "/")).parts if part != "/"]
        if not parts or ".." in parts or any("\0" in part or ":" in part for part in parts):
            continue
        target = folder.joinpath(*parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        with open_member() as member, target.open("xb") as written:
            while piece := member.read(PIECE):
                size += len(piece)
                if packed is not None and size > BOMB_BYTES and size > BOMB_RATIO * packed:
                    raise ReadError(
                        f"{file.label} unpacks to more than {BOMB_RATIO} times its size and may be "
                        f"a decompression bomb; if you trust it, unpack it yourself."
                    )
                written.write(piece)


class _Stream(RawIOBase):
    """The unpacked contents of a file, as a file object."""

    def __init__(self, file: File) -> None:
        self._pieces: Iterator[bytes] = file.pieces()
        self._rest = b""

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        while size < 0 or len(self._rest) < size:
            piece = next(self._pieces, b"")
            if not piece:
                break
            self._rest += piece
        size = len(self._rest) if size < 0 else size
        piece, self._rest = self._rest[:size], self._rest[size:]
        return piece


class TemporaryFolder:
    """A folder that is removed when it is no longer needed or the process ends."""

    def __init__(self, inside: str | None) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="related-archive-", dir=inside))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
