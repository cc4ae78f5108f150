"""A file as its bytes, whatever it is packed in.

Compression is told by the first bytes, never by the name: gzip, bzip2, xz and
Zstandard, several members one after the other, or none.  `-` is the standard
input; it and pipes are read once, so what was looked at is kept.

A file that unpacks to more than 1 GiB and more than 250 times its size is taken
for a bomb and refused: link lists pack to a fifth, seldom to a twentieth.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from whatsrelated.errors import MissingExtra, ReadError

SAMPLE = 1 << 16
PIECE = 1 << 19
LONGEST_LINE = 1 << 20
BOMB_BYTES = 1 << 30
BOMB_RATIO = 250
MARK = b"\xef\xbb\xbf"

MAGIC = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\0": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
}


class File:
    """One file of a source: its name for messages, its first bytes, its contents."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.is_standard = str(path) == "-"
        self.is_stream = self.is_standard or self.path.is_fifo()
        self.label = "standard input" if self.is_standard else str(path)
        self.packing = ""
        self.taken = 0
        """How many bytes of the file, as it lies on disk, have been read."""
        self._pieces: Iterator[bytes] | None = None
        self._sample: bytes | None = None

    @property
    def size(self) -> int:
        """The bytes on disk, 0 where nobody knows."""
        return 0 if self.is_stream else self.path.stat().st_size

    @property
    def stem(self) -> str:
        """The file's name without what says how it is packed."""
        name = self.path.name.lower()
        for suffix in (".gz", ".bz2", ".xz", ".zst"):
            name = name.removesuffix(suffix)
        return name

    @property
    def sample(self) -> bytes:
        """The first bytes, unpacked; the whole file where it is short."""
        if self._sample is None:
            pieces = self._unpacked()
            first = b""
            for piece in pieces:
                first += piece
                if len(first) > SAMPLE:
                    break
            if self.is_stream:
                self._pieces = _chained(first, pieces)
            self._sample = first[: SAMPLE + 1].removeprefix(MARK)
        return self._sample

    @property
    def is_short(self) -> bool:
        """Whether the sample is the whole file."""
        return len(self.sample) <= SAMPLE - 3

    def pieces(self) -> Iterator[bytes]:
        """The contents, some megabytes at a time."""
        if not self.is_stream:
            self.taken = 0
            return self._unpacked()
        if self._pieces is None:
            self._pieces = self._unpacked()
        return self._pieces

    def lines(self, longest: int = LONGEST_LINE) -> Iterator[bytes]:
        """The contents in pieces that end with a line; see `blocks`."""
        return map(bytes, self.blocks(longest))

    def blocks(self, longest: int = LONGEST_LINE) -> Iterator[memoryview]:
        """The contents in pieces that end with a line, without a copy, for a kernel.

        Of a line longer than `longest` that goes over pieces only one byte more
        is given: enough to see that it is.
        """
        rest = b""
        first = True
        for piece in self.pieces():
            if first:
                piece, first = self._without_mark(piece), False
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
            rest = piece[end:][: longest + 1]
        if rest:
            yield memoryview(rest + b"\n")

    def _without_mark(self, first: bytes) -> bytes:
        """Text without its byte order mark."""
        if first[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise ReadError(
                f"{self.label} is UTF-16; convert it to UTF-8: iconv -f UTF-16 -t UTF-8."
            )
        return first.removeprefix(MARK)

    def read(self) -> bytes:
        """The whole contents."""
        return b"".join(self.pieces())

    def _unpacked(self) -> Iterator[bytes]:
        if self.is_standard:
            yield from _joined(self._members(sys.stdin.buffer))
            return
        try:
            raw = self.path.open("rb")
        except OSError as error:
            raise ReadError(f"{self.label} cannot be opened: {error.strerror}.") from error
        with raw:
            yield from _joined(self._members(raw))

    def _members(self, raw: IO[bytes]) -> Iterator[bytes]:
        data = self._raw(raw, 16)
        while data and len(data) < 6:
            more = self._raw(raw, 16)
            if not more:
                break
            data += more
        kind = next((kind for magic, kind in MAGIC.items() if data.startswith(magic)), "")
        self.packing = kind
        if not kind:
            while data:
                yield data
                data = self._raw(raw, PIECE)
            return
        given = 0
        for piece in self._unpack(raw, data, kind):
            given += len(piece)
            if given > BOMB_BYTES and given > BOMB_RATIO * self.taken:
                raise ReadError(
                    f"{self.label} unpacks to more than {BOMB_RATIO} times its size: refused as a "
                    f"bomb; where it is not, unpack it yourself and pipe it in."
                )
            yield piece

    def _raw(self, raw: IO[bytes], size: int) -> bytes:
        try:
            data = raw.read(size)
        except OSError as error:
            raise ReadError(f"{self.label} cannot be read: {error.strerror}.") from error
        self.taken += len(data)
        return data

    def _unpack(self, raw: IO[bytes], data: bytes, kind: str) -> Iterator[bytes]:
        make, size, faults = _unpacker(kind)
        unpacker = make()
        while True:
            try:
                piece = unpacker.decompress(data, PIECE)
            except faults as error:
                raise ReadError(f"{self.label} is damaged: its {kind} data is wrong.") from error
            if piece:
                yield piece
            data = b""
            if unpacker.eof:
                data = (unpacker.unused_data or self._raw(raw, size)).lstrip(b"\0")
                while not data:
                    data = self._raw(raw, size)
                    if not data:
                        return
                    data = data.lstrip(b"\0")
                unpacker = make()
            elif unpacker.needs_input:
                data = self._raw(raw, size)
                if not data:
                    raise ReadError(
                        f"{self.label} is cut short: its {kind} data ends in the middle."
                    )


def _unpacker(kind: str) -> tuple[Callable[[], Any], int, tuple[type[Exception], ...]]:
    """What unpacks one member, how much to feed it at a time, and the faults it may find."""
    if kind == "gzip":
        import zlib

        return _Gzip, PIECE // 4, (zlib.error,)
    if kind == "bzip2":
        import bz2

        return bz2.BZ2Decompressor, PIECE // 4, (OSError, ValueError)
    if kind == "xz":
        import lzma

        return lzma.LZMADecompressor, PIECE // 4, (lzma.LZMAError,)
    try:
        import zstandard
    except ImportError as error:
        raise MissingExtra(
            "Zstandard needs an extra package: pip install 'whatsrelated[zst]'."
        ) from error
    return _Zstandard, 1 << 13, (zstandard.ZstdError,)


class _Gzip:
    """zlib with the manners of bz2 and lzma."""

    def __init__(self) -> None:
        import zlib

        self._inflate = zlib.decompressobj(31)
        self.needs_input = True

    def decompress(self, data: bytes, size: int) -> bytes:
        piece = self._inflate.decompress(self._inflate.unconsumed_tail + data, size)
        self.needs_input = len(piece) < size and not self._inflate.unconsumed_tail
        return piece

    @property
    def eof(self) -> bool:
        return self._inflate.eof

    @property
    def unused_data(self) -> bytes:
        return self._inflate.unused_data


class _Zstandard:
    """Zstandard with the manners of bz2 and lzma; it knows no bound, so it is fed little."""

    needs_input = True

    def __init__(self) -> None:
        import zstandard

        self._frame = zstandard.ZstdDecompressor(max_window_size=1 << 31).decompressobj()

    def decompress(self, data: bytes, size: int) -> bytes:
        return self._frame.decompress(data) if data else b""

    @property
    def eof(self) -> bool:
        return self._frame.eof

    @property
    def unused_data(self) -> bytes:
        return self._frame.unused_data


def _joined(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Small pieces as larger ones."""
    held: list[bytes] = []
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size >= PIECE // 2:
            yield b"".join(held)
            held, size = [], 0
    if held:
        yield b"".join(held)


def _chained(first: bytes, pieces: Iterator[bytes]) -> Iterator[bytes]:
    if first:
        yield first
    yield from pieces
