"""The records of a WARC or ARC file, however it is packed and wherever it is damaged.

Each record of a packed archive is a member of its own (gzip or Zstandard), so that
reading can begin at any of them.  A position is the offset of a member in the file
and a place in what it unpacks to, which is 0 but for members of several records.

1. At a position there is a record, or there is damage: a member that does not
   unpack, a head that is none, a length that is wrong.
2. After damage the next record is found: a member by its magic number, if what it
   unpacks to begins like a record; in a plain file, a line like the first of a record.
3. A wrong length is corrected where that can be seen: the end of a member, or the
   line that begins the next record, says where a record ends.

What is found depends on the position alone, so that a file can be read in ranges,
and the ranges be checked to fit (`splits`).
"""

from __future__ import annotations

import mmap
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import msgspec

from whatsrelated.machine.packages import load
from whatsrelated.sources.archive.http import MAX_BODY, parse_headers
from whatsrelated.sources.packed_members import GzipMember, PackedMember, ZstandardFrame

MAX_HEAD = 1 << 20
"""Bytes that the head of a record may have."""

MAX_MEMBER = 4 * MAX_BODY
"""Bytes of a member that are kept; of a longer one, the rest is passed over."""

BOMB_RATIO = 250
"""A member that is longer and unpacks to more than so many times its size is given up."""

GZIP, ZSTD = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"
DICTIONARY = b"\x5d\x2a\x4d\x18"
"""How a Zstandard file begins whose frames share a dictionary."""

_PIECE = 1 << 15
_ZSTD_PIECE = 1 << 10
_ROOM = 1 << 22
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_WARC = re.compile(rb"WARC/[01]\.[0-9]+[ \t]*\r?\n[A-Za-z][A-Za-z0-9-]*[ \t]*:")
_ARC = re.compile(
    rb"([a-z][a-z0-9+.-]*:[^\n]{0,8192}) (\S+) ([0-9]{8,14})[0-9]* (\S+)"
    rb"(?: [0-9-]+ \S+ \S+ [0-9-]+ \S+)? ([0-9]{1,15})\r?\n"
)
_BEGINNING = {"warc": _WARC, "arc": _ARC}
_NEXT = {"warc": re.compile(rb"\n(?=WARC/[01]\.)"), "arc": re.compile(rb"\n(?=[a-z]+:)")}


class Record(NamedTuple):
    """A record: where it is, its head by names in lower case, and its content."""

    offset: int
    head: dict[str, str]
    content: memoryview
    whole: bool = True
    """Whether the content is all there; what is too large is cut."""


class Damage(NamedTuple):
    """Something that is no record, and where."""

    offset: int
    reason: str


class Position(NamedTuple):
    """Where a record begins: the offset of its member, and its place in it."""

    offset: int
    inner: int = 0


class ArchiveSlice(msgspec.Struct, frozen=True, array_like=True):
    """The part of a file that is an archive: all of it, or a member of a WACZ."""

    path: str
    begin: int
    end: int
    packing: str = ""
    """`gzip`, `zstd` or empty."""
    kind: str = "warc"
    """`warc` or `arc`."""
    label: str = ""
    """How messages call it."""


class RecordReader:
    """Reads the records of a slice from any position."""

    def __init__(self, part: ArchiveSlice) -> None:
        with open(part.path, "rb") as file:  # noqa: PTH123
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.part = part
        self._view = memoryview(self._map)
        self._end = min(part.end, len(self._map))
        self.position = Position(part.begin)
        """The first position that was not read."""

    def read(self, start: Position, stop: int) -> Iterator[Record | Damage]:
        """The records that begin before `stop`, from a position on."""
        self.position = start
        while self.position.offset < min(stop, self._end):
            read = self._read_member if self.part.packing else self._read_plain
            yield from read(self.position)

    def find(self, start: int) -> int:
        """The offset of the first record at `start` or after; the end where there is none."""
        part = self.part
        if not part.packing:
            return self._find_plain(start)
        magic = GZIP if part.packing == "gzip" else ZSTD
        place = self._map.find(magic, start, self._end)
        while place >= 0:
            begun = self._begin(place)
            if _BEGINNING[part.kind].match(begun.lstrip(b"\r\n")):
                return place
            place = self._map.find(magic, place + 1, self._end)
        return self._end

    def is_packed_whole(self) -> bool:
        """Whether the first member holds more than its record: all of them, no doubt."""
        begin = self.part.begin
        if not self.part.packing or self._map[begin : begin + 4] == DICTIONARY:
            return False
        data, _, _ = self._unpack(begin, MAX_HEAD)
        first = self._record_of(data, begin, 0, False)
        place = _skip_lines(data, first[1], len(data)) if first else 0
        return place > 0 and _BEGINNING[self.part.kind].match(data, place) is not None

    def _find_plain(self, start: int) -> int:
        beginning, place = _BEGINNING[self.part.kind], start
        if start == self.part.begin and beginning.match(self._map, start):
            return start
        for line in _NEXT[self.part.kind].finditer(self._map, max(start - 1, 0), self._end):
            place = line.end()
            if place >= start and beginning.match(self._map, place, place + MAX_HEAD):
                return place
        return self._end

    def _begin(self, place: int) -> bytes:
        """The first bytes that a member unpacks to."""
        member = self._member()
        try:
            return member.decompress(self._view[place : min(place + 512, self._end)], 512)
        except member.errors:
            return b""

    def _member(self) -> PackedMember:
        if self.part.packing == "gzip":
            return GzipMember()
        return ZstandardFrame(_zstd_decompressor(self._dictionary()))

    def _dictionary(self) -> bytes:
        begin = self.part.begin
        if self._map[begin : begin + 4] != DICTIONARY:
            return b""
        size = int.from_bytes(self._map[begin + 4 : begin + 8], "little")
        return self._map[begin + 8 : min(begin + 8 + size, self._end)]

    def _read_member(self, start: Position) -> Iterator[Record | Damage]:
        offset, inner = start
        if self._map[offset + 1 : offset + 4] == b"\x2a\x4d\x18":  # a frame to be skipped
            size = int.from_bytes(self._map[offset + 4 : offset + 8], "little")
            self.position = Position(offset + 8 + size)
            return
        data, end, problem = self._unpack(offset)
        if problem:
            after = self.find(offset + 1)
            self.position = Position(after)
            if not self._is_padding(offset):
                yield Damage(offset, problem)
            return
        whole = len(data) < MAX_MEMBER
        while (record := self._record_of(data, offset, inner, whole)) is not None:
            found, inner, damage = record
            inner = _skip_lines(data, inner, len(data))
            following = inner < len(data)
            self.position = Position(offset, inner) if following else Position(end)
            if damage:
                yield Damage(offset, damage)
            if found is not None:
                yield found
            if not following:
                return
        self.position = Position(end)

    def _record_of(
        self, data: memoryview, offset: int, inner: int, whole: bool
    ) -> tuple[Record | None, int, str] | None:
        """The record at a place of a member, where the next begins, and what is wrong."""
        inner = _skip_lines(data, inner, len(data))
        if inner >= len(data):
            return None
        parsed = self._head(data, inner, len(data))
        if parsed is None:
            return None, len(data), "not a record"
        head, begin, length = parsed
        end = begin + length
        damage = ""
        if end > len(data) or not self._goes_on(data, end):
            if whole:
                damage = "wrong lengths"
                close = self._next_in(data, begin)
                end = begin + len(bytes(data[begin:close]).rstrip(b"\r\n"))
            end = min(end, len(data))
        record = Record(offset, head, data[begin:end], whole or end < len(data))
        return record, end, damage

    def _next_in(self, data: memoryview, begin: int) -> int:
        """Where the next record of a member begins; its end where there is none."""
        for line in _NEXT[self.part.kind].finditer(data, begin):
            if _BEGINNING[self.part.kind].match(data, line.end()):
                return line.start()
        return len(data)

    def _goes_on(self, data: memoryview | mmap.mmap, end: int) -> bool:
        """Whether a record ends here: another begins, or nothing follows."""
        rest = bytes(data[end : end + 64]).lstrip(b"\r\n")
        if self.part.kind == "arc":
            return not rest or re.match(rb"[a-z][a-z0-9+.-]*:", rest) is not None
        return not rest or rest.startswith(b"WARC/")

    def _head(
        self, data: memoryview | mmap.mmap, begin: int, end: int
    ) -> tuple[dict[str, str], int, int] | None:
        """The head of a record, where its content begins, and how long it says that is."""
        if self.part.kind == "arc":
            line = _ARC.match(data, begin, min(end, begin + MAX_HEAD))
            return (_arc_head(line), line.end(), int(line[5])) if line else None
        if not _WARC.match(data, begin, min(end, begin + 1024)):
            return None
        close = _HEAD_END.search(data, begin, min(end, begin + MAX_HEAD))
        if close is None:
            return None
        head = parse_headers(bytes(data[begin : close.start()]))
        length = head.get("content-length", "")
        if not (length.isascii() and length.isdigit() and len(length) < 16):
            return None
        return head, close.end(), int(length)

    def _unpack(self, offset: int, most: int | None = None) -> tuple[memoryview, int, str]:
        """What a member unpacks to, where it ends in the file, and what is wrong with it.

        With `most`, no more than the beginning of it.
        """
        member = self._member()
        data = bytearray()
        size, place = 0, offset
        step = _PIECE if self.part.packing == "gzip" else _ZSTD_PIECE
        while not member.eof and (most is None or size < most):
            if place >= self._end:
                return memoryview(data), place, "cut short"
            piece = self._view[place : min(place + step, self._end)]
            place += len(piece)
            try:
                unpacked = member.decompress(piece, _ROOM)
                while unpacked:
                    size += len(unpacked)
                    if len(data) < MAX_MEMBER:
                        data += unpacked
                    unpacked = b"" if member.needs_input else member.decompress(b"", _ROOM)
            except member.errors:
                return memoryview(data), place, "damaged members"
            if size > MAX_MEMBER and size > BOMB_RATIO * (place - offset):
                return memoryview(data), place, "decompression bombs"
        return memoryview(data), place - len(member.unused_data), ""

    def _is_padding(self, offset: int) -> bool:
        """Whether nothing but zeros or line ends follow to the end."""
        return self.position.offset >= self._end and not any(
            bytes(self._view[place : place + _PIECE]).strip(b"\0\r\n")
            for place in range(offset, self._end, _PIECE)
        )

    def _read_plain(self, start: Position) -> Iterator[Record | Damage]:
        place = _skip_lines(self._view, start.offset, self._end)
        if place >= self._end:
            self.position = Position(self._end)
            return
        parsed = self._head(self._map, place, self._end)
        if parsed is None:
            reason = "not a record"
            self.position = Position(self._find_plain(place + 1))
            if self.position.offset >= self._end and self._end - place < MAX_HEAD:
                reason = "cut short" if self._map[place : place + 5] == b"WARC/" else reason
            if not self._is_padding(place):
                yield Damage(place, reason)
            return
        head, begin, length = parsed
        end = begin + length
        if end > self._end or not self._goes_on(self._map, end):
            after = self._find_plain(begin)
            if after >= self._end and end > self._end:
                self.position = Position(self._end)
                yield Damage(place, "cut short")
                return
            end = after
            while end > begin and self._map[end - 1] in b"\r\n":
                end -= 1
            yield Damage(place, "wrong lengths")
        self.position = Position(_skip_lines(self._view, end, self._end))
        most = begin + MAX_MEMBER
        yield Record(place, head, self._view[begin : min(end, most)], end <= most)


def _skip_lines(data: memoryview, place: int, end: int) -> int:
    """The place after empty lines."""
    while place < end and data[place] in b"\r\n":
        place += 1
    return place


def _arc_head(line: re.Match[bytes]) -> dict[str, str]:
    """The head of an ARC record, in the words of WARC."""
    url, _, date, media_type, _ = (group.decode("utf-8", "replace") for group in line.groups())
    web = url.startswith(("http://", "https://"))
    return {
        "warc-type": "response" if web else "warcinfo",
        "warc-target-uri": url,
        "warc-date": date,
        "content-type": "application/http" if web else media_type,
    }


@cache
def _zstd_decompressor(dictionary: bytes) -> Any:
    zstandard = load("zstandard", "Zstandard", "warc")
    plain = zstandard.ZstdDecompressor(max_window_size=1 << 27)
    if not dictionary:
        return plain
    if dictionary.startswith(ZSTD):
        with plain.stream_reader(dictionary) as reader:
            dictionary = reader.read(MAX_BODY)
    known = zstandard.ZstdCompressionDict(dictionary)
    return zstandard.ZstdDecompressor(known, max_window_size=1 << 27)
