"""Find archives in files, WACZ members, folders and streams.

Workers read archives at offsets, so the records must be in a file, uncompressed or compressed one
by one. Anything else (a pipe, a file compressed as a whole, a compressed zip member) is first
unpacked to a temporary file.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
import zipfile
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING

from whatsrelated.errors import ReadError
from whatsrelated.sources.archive.records import DICTIONARY, GZIP, ZSTD, ArchiveSlice, RecordReader
from whatsrelated.sources.files import BOMB_BYTES, BOMB_RATIO, ZIP_FAULTS, File

if TYPE_CHECKING:
    from whatsrelated.sources.reader import ReadContext

NAMES = re.compile(r"\.(?:w?arc|wacz|wat|wet)(?:\.gz|\.zst|\.open)?$", re.I)
"""The file extensions of archives."""

_ZIP = b"PK\x03\x04"
_PIECE = 1 << 20


def kind_of(start: bytes) -> str:
    """`warc` or `arc`, by the first bytes of an unpacked archive; empty if it is neither."""
    if start.startswith(b"WARC/"):
        return "warc"
    return "arc" if start.startswith(b"filedesc:") else ""


def is_archive(file: File) -> bool:
    """Whether a file is an archive, or a zip file that contains archives."""
    sample = file.sample
    if sample.startswith(DICTIONARY) or kind_of(sample):
        return True
    if not sample.startswith(_ZIP) or file.is_stream:
        return False
    if file.path.suffix.lower() == ".wacz":
        return True
    with contextlib.suppress(*ZIP_FAULTS), zipfile.ZipFile(file.path) as packed:
        return any(map(_is_member, packed.namelist()))
    return False


def _is_member(name: str) -> bool:
    return name.startswith("archive/") and NAMES.search(name) is not None


class Containers:
    """Finds the archives in files, and removes temporary files at the end."""

    def __init__(self, context: ReadContext) -> None:
        self._context = context
        self._unpacked: list[IO[bytes]] = []

    def close(self) -> None:
        """Remove the temporary files."""
        for file in self._unpacked:
            file.close()

    def slices(self, file: File) -> Iterator[ArchiveSlice]:
        """The archives in a file."""
        if file.sample.startswith(_ZIP) or file.path.suffix.lower() == ".wacz":
            yield from self._zip_members(file)
        elif file.is_stream:
            yield self._unpack(file.pieces(), file.label, 0)
        else:
            yield self._in_file(file)

    def _in_file(self, file: File) -> ArchiveSlice:
        path, size = str(file.path), file.path.stat().st_size
        with file.path.open("rb") as raw:
            part = slice_of(path, 0, size, raw.read(4), file.label, file.sample)
        if part is not None and not RecordReader(part).is_packed_whole():
            return part
        return self._unpack(file.pieces(), file.label, size)

    def _zip_members(self, file: File) -> Iterator[ArchiveSlice]:
        try:
            packed = zipfile.ZipFile(file.path)
        except ZIP_FAULTS:
            raise ReadError(f"{file.label} is not a WACZ file: it is not a zip file.") from None
        with packed, file.path.open("rb") as raw:
            members = [member for member in packed.infolist() if _is_member(member.filename)]
            if not members:
                raise ReadError(
                    f"{file.label} is not a WACZ file: it has no archive/*.warc.gz. If it is "
                    "another zip file of links or pages, give it a name that ends in .zip."
                )
            for member in members:
                label = f"{file.label}/{member.filename}"
                try:
                    part = self._zip_member(file, packed, raw, member, label)
                except ZIP_FAULTS:
                    self._context.refuse("damaged members", label)
                    continue
                if part is not None:
                    yield part

    def _zip_member(
        self,
        file: File,
        packed: zipfile.ZipFile,
        raw: IO[bytes],
        member: zipfile.ZipInfo,
        label: str,
    ) -> ArchiveSlice | None:
        with packed.open(member) as stream:
            start = stream.read(1 << 16)
        if not start:
            return None
        if member.compress_type == zipfile.ZIP_STORED:
            raw.seek(member.header_offset + 26)
            sizes = raw.read(4)
            skipped = 30 + int.from_bytes(sizes[:2], "little") + int.from_bytes(sizes[2:], "little")
            begin = member.header_offset + skipped
            end = begin + member.file_size
            part = slice_of(str(file.path), begin, end, start[:4], label, b"")
            if part is not None and not RecordReader(part).is_packed_whole():
                return part
        with packed.open(member) as stream:
            return self._unpack(iter(lambda: stream.read(_PIECE), b""), label, member.compress_size)

    def _unpack(self, pieces: Iterator[bytes], label: str, size: int) -> ArchiveSlice:
        """Unpack as much of the archive as possible to a temporary file."""
        place = tempfile.NamedTemporaryFile(dir=self._context.temporary)  # noqa: SIM115
        self._unpacked.append(place)
        written = 0
        try:
            for piece in pieces:
                place.write(piece)
                written += len(piece)
                if size and written > BOMB_BYTES and written > BOMB_RATIO * size:
                    raise ReadError(f"{label} may be a decompression bomb; unpack it yourself.")
        except ReadError as error:
            if not written or "bomb" in str(error):
                raise
            reason = "cut short" if "cut short" in str(error) else "damaged members"
            self._context.refuse(reason, f"{label}: {written:,} bytes unpacked")
        place.flush()
        place.seek(0)
        start = place.read(1 << 16)
        part = slice_of(place.name, 0, written, start[:4], label, b"")
        if part is None:
            raise ReadError(f"{label} is not a web archive.")
        if RecordReader(part).is_packed_whole():
            return self._unpack(File(place.name).pieces(), label, written)
        return part


def slice_of(
    path: str, begin: int, end: int, magic: bytes, label: str, start: bytes
) -> ArchiveSlice | None:
    """A part of a file as an archive; None if its compression is not supported."""
    packing = ""
    if magic.startswith(GZIP[:2]):
        packing = "gzip"
    elif magic in (ZSTD, DICTIONARY):
        packing = "zstd"
    elif magic[:1] not in (b"W", b"f"):  # the beginning may be damaged, so use the name
        packing = {".gz": "gzip", ".zst": "zstd"}.get(os.path.splitext(path)[1].lower(), "")  # noqa: PTH122
        if not packing:
            return None
    for kind in ("warc", "arc"):
        part = ArchiveSlice(path, begin, end, packing, kind, label)
        if kind == kind_of(start) or RecordReader(part).find(begin) < end:
            return part
    return None
