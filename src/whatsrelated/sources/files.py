"""The uncompressed bytes of a file.

Compression is recognised by the first bytes, never by the name. gzip, bzip2, xz and Zstandard are
supported, with one or more members, and 7z if the 7z command is installed. `-` is the standard
input. Like any pipe, it can be read only once, so the sampled bytes are kept. UTF-16, as
spreadsheets write it, becomes UTF-8.

A file that unpacks to more than 1 GiB and 250 times its size is rejected as a decompression bomb.
Lists of links usually compress to a fifth of their size, rarely to a twentieth.
"""

from __future__ import annotations

import codecs
import contextlib
import lzma
import re
import shutil
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, Protocol

from whatsrelated.errors import ReadError
from whatsrelated.machine.packages import load
from whatsrelated.machine.places import similar_path
from whatsrelated.sources.packed_members import GzipMember, ZstandardFrame

SAMPLE = 1 << 16
PIECE = 1 << 19
LONGEST_LINE = 1 << 20
BOMB_BYTES = 1 << 30
BOMB_RATIO = 250
MARK = b"\xef\xbb\xbf"
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
ZIP_FAULTS = (
    *(OSError, EOFError, ValueError, LookupError, ArithmeticError, RuntimeError),
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error),
)
"""The errors that `zipfile` raises for a damaged file."""

MAGIC = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\0": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"7z\xbc\xaf\x27\x1c": "7z",
}
GZIP = re.compile(rb"\x1f\x8b\x08")
SEARCHED, MAX_TRIES = 1 << 22, 100
"""Limits of the search for another member after a damaged first one: bytes and attempts."""
SEVEN_ZIP = ("7zz", "7z", "7za", "7zr")
"""The names of the 7z command."""


def no_file(path: str | Path) -> ReadError:
    """The error for a source that does not exist."""
    if remote := re.match(r"(az|abfss?|hdfs|ftp|sftp):/+(.+)", str(path)):
        return ReadError(
            f"{remote[1]}://{remote[2]} is a remote path, which is not read; copy it to this "
            "machine first, and build from the copy."
        )
    if meant := similar_path(path):
        return ReadError(f"No file or folder {path}; {meant}")
    return ReadError(
        f"No file or folder {path}. Check the path, or try it without files: related demo"
    )


class File:
    """One file of a source, with its name for messages, its first bytes and its contents."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.is_standard = str(path) == "-"
        self.is_stream = self.is_standard or self.path.is_fifo()
        self.label = "standard input" if self.is_standard else str(path)
        self.origin = str(path)
        """The source that the user named: the file, or the archive that contains it."""
        self.first = 0
        """The byte at which this part of the file begins."""
        self.holder: object = None
        """A temporary folder, kept as long as the file."""
        self.packing = ""
        self._bytes_read = 0
        """The number of compressed bytes read."""
        self._pieces: Iterator[bytes] | None = None
        self._sample: bytes | None = None

    @property
    def stem(self) -> str:
        """The file's name in lower case, without a compression extension."""
        name = self.path.name.lower()
        for suffix in (".gz", ".bz2", ".xz", ".zst", ".7z"):
            name = name.removesuffix(suffix)
        return name

    @property
    def sample(self) -> bytes:
        """The first unpacked bytes, or the whole file if it is short."""
        if self._sample is None:
            pieces = self._contents()
            first = b""
            try:
                for piece in pieces:
                    first += piece
                    if len(first) > SAMPLE:
                        break
            except ReadError:
                first = first or self._later_sample()
                if not first or self.is_stream:
                    raise  # otherwise, reading the file will raise it again
            if self.is_stream:
                self._pieces = chain([first] if first else [], pieces)
            self._sample = first[: SAMPLE + 1].removeprefix(MARK)
        return self._sample

    def forget_sample(self) -> None:
        """Free the sample; it is read again if it is needed."""
        if not self.is_stream:
            self._sample = None

    def _later_sample(self) -> bytes:
        """The first bytes of a later gzip member if the first is damaged, otherwise empty."""
        if self.is_stream or self.packing != "gzip":
            return b""
        with self._open() as raw:
            data = raw.read(SEARCHED)
        for match in islice(re.finditer(GZIP, data[1:]), MAX_TRIES):
            place = match.end() - 2
            with contextlib.suppress(ReadError):
                return next(self.part(place, place + SEARCHED), b"")
        return b""

    @property
    def is_short(self) -> bool:
        """Whether the sample is the whole file."""
        return len(self.sample) <= SAMPLE - 3

    def place(self, number: int, line: bytes) -> str:
        """Describe a line in a message: its file, its number and its beginning."""
        return f"{self.label}:{number}: {line[:80].decode(errors='replace')}"

    def pieces(self) -> Iterator[bytes]:
        """The contents in pieces of about half a megabyte."""
        if not self.is_stream:
            self._bytes_read = 0
            return self._contents()
        if self._pieces is None:
            self._pieces = self._contents()
        return self._pieces

    def part(self, first: int, last: int) -> Iterator[bytes]:
        """The contents of a byte range of the file, which starts at a member if the file is
        compressed."""
        with self._open() as raw:
            raw.seek(first)
            yield from _join_small(self._members(_Range(raw, last - first)))

    def numbered_lines(self, longest: int = LONGEST_LINE) -> Iterator[tuple[int, bytes]]:
        """The lines, numbered from 1; see `blocks` for `longest`."""
        pieces = (piece.split(b"\n")[:-1] for piece in self.lines(longest))
        return enumerate(chain.from_iterable(pieces), 1)

    def lines(self, longest: int = LONGEST_LINE) -> Iterator[bytes]:
        """The contents in pieces of complete lines; see `blocks`."""
        return map(bytes, self.blocks(longest))

    def blocks(self, longest: int = LONGEST_LINE) -> Iterator[memoryview]:
        """The contents in pieces of complete lines, for a kernel, without copying them.

        A line longer than `longest` that spans several pieces is cut to `longest` + 1 bytes, enough
        to show that it is too long.
        """
        rest = bytearray()
        first = True
        for piece in self.pieces():
            if first:
                piece, first = piece.removeprefix(MARK), False
            end = piece.rfind(b"\n") + 1
            if not end:
                rest += piece[: longest + 1 - len(rest)]
                continue
            cut = 0
            if rest:
                cut = piece.index(b"\n") + 1
                line = rest + piece[: min(cut, longest + 1 - len(rest))].rstrip(b"\n")
                yield memoryview(line + b"\n")
            if cut < end:
                yield memoryview(piece)[cut:end]
            rest = bytearray(piece[end:][: longest + 1])
        if rest:
            yield memoryview(rest + b"\n")

    def read(self) -> bytes:
        """The whole contents."""
        return b"".join(self.pieces())

    def _contents(self) -> Iterator[bytes]:
        if self.is_standard:
            yield from self._as_utf8(_join_small(self._members(sys.stdin.buffer)))
            return
        with self._open() as raw:
            yield from self._as_utf8(_join_small(self._members(raw)))

    def _as_utf8(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """Convert UTF-16 to UTF-8. XML stays as it is, since it names its encoding."""
        first = next(pieces, b"")
        encoding = _utf16_of(first)
        if not encoding or "<?xml" in first[:64].decode(encoding, "replace"):
            if first:
                yield first
            yield from pieces
            return
        self.packing = f"{self.packing} UTF-16".strip()
        decoder = codecs.getincrementaldecoder(encoding)("replace")
        for piece in chain([first], pieces):
            yield decoder.decode(piece).encode()
        yield decoder.decode(b"", final=True).encode()

    def _open(self) -> IO[bytes]:
        try:
            return self.path.open("rb")
        except OSError as error:
            raise ReadError(f"{self.label} cannot be opened: {error.strerror}.") from error

    def _members(self, raw: Readable) -> Iterator[bytes]:
        data = self._read_raw(raw, 16)
        while data and len(data) < 6:
            more = self._read_raw(raw, 16)
            if not more:
                break
            data += more
        kind = next((kind for magic, kind in MAGIC.items() if data.startswith(magic)), "")
        self.packing = kind
        if not kind:
            while data:
                yield data
                data = self._read_raw(raw, PIECE)
            return
        size = 0
        pieces = self._unpack_7z() if kind == "7z" else self._unpack(raw, data, kind)
        for piece in pieces:
            size += len(piece)
            if size > BOMB_BYTES and size > BOMB_RATIO * self._bytes_read:
                raise ReadError(
                    f"{self.label} unpacks to more than {BOMB_RATIO} times its size and may be a "
                    f"decompression bomb; if you trust it, unpack it yourself and pipe it in."
                )
            yield piece

    def _read_raw(self, raw: Readable, size: int) -> bytes:
        try:
            data = raw.read(size)
        except OSError as error:
            raise ReadError(f"{self.label} cannot be read: {error.strerror}.") from error
        self._bytes_read += len(data)
        return data

    def _unpack_7z(self) -> Iterator[bytes]:
        """All files of a 7z archive, concatenated, as unpacked by the 7z command."""
        command = next(filter(None, map(shutil.which, SEVEN_ZIP)), None)
        if command is None or self.is_stream:
            way = "unpack it first" if command else "install 7z (Debian: p7zip), or unpack it first"
            raise ReadError(f"{self.label} is a 7z archive: {way}.")
        self._bytes_read = self.path.stat().st_size
        words = [command, "x", "-so", "-bd", "-y", "-p", "--", str(self.path.absolute())]
        with subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as process:
            assert process.stdout is not None
            try:
                while piece := process.stdout.read(PIECE):
                    yield piece
                if process.wait():
                    raise ReadError(f"{self.label} is damaged: its 7z data is invalid.")
            finally:
                process.kill()

    def _unpack(self, raw: Readable, data: bytes, kind: str) -> Iterator[bytes]:
        make, size, errors = _unpacker(kind)
        unpacker = make()
        while True:
            try:
                piece = unpacker.decompress(data, PIECE)
            except errors as error:
                raise ReadError(f"{self.label} is damaged: its {kind} data is invalid.") from error
            if piece:
                yield piece
            data = b""
            if unpacker.eof:
                data = (unpacker.unused_data or self._read_raw(raw, size)).lstrip(b"\0")
                while not data:
                    data = self._read_raw(raw, size)
                    if not data:
                        return
                    data = data.lstrip(b"\0")
                unpacker = make()
            elif unpacker.needs_input:
                data = self._read_raw(raw, size)
                if not data:
                    raise ReadError(f"{self.label} is cut short: its {kind} data is incomplete.")


def _utf16_of(first: bytes) -> str:
    """The UTF-16 encoding of a text, or nothing; without a byte order mark, most of its characters
    must be ASCII.
    """
    if first[:2] in UTF16_MARKS:
        return "utf-16"
    sides = first[0:1000:2], first[1:1000:2]
    for encoding, high, low in (("utf-16-be", *sides), ("utf-16-le", *sides[::-1])):
        if high.count(0) * 2 > len(high) and 0 not in low:
            text = first[:1000].decode(encoding, "replace")
            if all(one.isprintable() or one in "\t\r\n" for one in text):
                return encoding
    return ""


def _unpacker(kind: str) -> tuple[Callable[[], Any], int, tuple[type[Exception], ...]]:
    """A decompressor for one member, the number of bytes to feed it at a time, and its errors."""
    if kind == "gzip":
        return GzipMember, PIECE // 4, GzipMember.errors
    if kind == "bzip2":
        import bz2

        return bz2.BZ2Decompressor, PIECE // 4, (OSError, ValueError)
    if kind == "xz":
        import lzma

        return lzma.LZMADecompressor, PIECE // 4, (lzma.LZMAError,)
    zstandard = load("zstandard", "Zstandard", "zst")
    decompressor = zstandard.ZstdDecompressor(max_window_size=1 << 31)
    return lambda: ZstandardFrame(decompressor), 1 << 13, (zstandard.ZstdError,)


class Readable(Protocol):
    """A source of bytes."""

    def read(self, size: int, /) -> bytes: ...


class _Range:
    """At most the next `size` bytes of a file."""

    def __init__(self, raw: Readable, size: int) -> None:
        self._raw = raw
        self._remaining = size

    def read(self, size: int, /) -> bytes:
        data = self._raw.read(min(size, self._remaining))
        self._remaining -= len(data)
        return data


def _join_small(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The same bytes in fewer pieces; if an error occurs, the bytes before it are yielded first."""
    held: list[bytes] = []
    size = 0
    try:
        for piece in pieces:
            held.append(piece)
            size += len(piece)
            if size >= PIECE // 2:
                yield b"".join(held)
                held, size = [], 0
    except ReadError:
        if held:
            yield b"".join(held)
        raise
    if held:
        yield b"".join(held)


def only_names(file: File, what: str) -> ReadError:
    """The error for a names file that was given without the links."""
    if file.label != file.origin:  # inside an archive
        return ReadError(f"{file.label} {what}.")
    return ReadError(
        f"{file.label} {what}; give it together with the links: "
        f"related build LINKS --names-file {file.label}"
    )
