"""The records of a WARC or ARC file, even if it is compressed or damaged.

Each record of a compressed archive is a separate member (gzip or Zstandard), so reading can begin
at any member. A position is a member's offset in the file plus an offset in its unpacked data. The
second is 0 except in members with several records.

1. At each position there is either a record or damage: a member that does not unpack, an invalid
  header, or a wrong length.
2. After damage, we search for the next record. In a compressed file, that is a member (found by its
  magic number) whose unpacked data begins like a record; in a plain file, a line that begins a
  record.
3. A wrong length is corrected if possible: a record ends at the end of its member, or
   before the line that begins the next record.

The result depends only on the position, so a file can be read in ranges, and `splits` can check
that the ranges fit together.
"""

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import msgspec

from whatsrelated.machine.packages import load
from whatsrelated.sources.archive.http import MAX_BODY, parse_headers
from whatsrelated.sources.packed_members import GzipMember, PackedMember, ZstandardFrame

MAX_HEAD = 1 << 20
"""Maximum size of a record's header in bytes."""

MAX_MEMBER = 4 * MAX_BODY
"""Maximum number of bytes read from a member; the rest is skipped."""

BOMB_RATIO = 250
"""A longer member that unpacks to more than this many times its size is abandoned."""

GZIP, ZSTD = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"
DICTIONARY = b"\x5d\x2a\x4d\x18"
"""The first bytes of a Zstandard file whose frames share a dictionary."""

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
    """A record: its offset, its header fields by lower-case name, and its content."""

    offset: int
    head: dict[str, str]
    content: memoryview
    whole: bool = True
    """Whether the content is complete; overlong content is cut."""


class Damage(NamedTuple):
    """Something that is not a record, and its position."""

    offset: int
    reason: str


class Position(NamedTuple):
    """The start of a record: the offset of its member, and its offset in the member."""

    offset: int
    inner: int = 0


class ArchiveSlice(msgspec.Struct, frozen=True, array_like=True):
    """The part of a file that is an archive: the whole file, or a member of a WACZ."""

    path: str
    begin: int
    end: int
    packing: str = ""
    """`gzip`, `zstd` or empty."""
    kind: str = "warc"
    """`warc` or `arc`."""
    label: str = ""
    """The archive's name in messages."""


class RecordReader:
    """Reads the records of a slice from any position."""

    def __init__(self, part: ArchiveSlice) -> None:
        with open(part.path, "rb") as file:  # noqa: PTH123
            is_empty = os.fstat(file.fileno()).st_size == 0  # an empty file cannot be mapped
            self._map = (
                mmap.mmap(-1, 1)
                if is_empty
                else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            )
        self.part = part
        self._view = memoryview(self._map)
        self._end = 0 if is_empty else min(part.end, len(self._map))
        self.position = Position(part.begin)
        """The first position that has not been read yet."""

    def read(self, start: Position, stop: int) -> Iterator[Record | Damage]:
        """The records that begin at `start` or later and before `stop`."""
        self.position = start
        while self.position.offset < min(stop, self._end):
            read = self._read_member if self.part.packing else self._read_plain
            yield from read(self.position)

    def find(self, start: int) -> int:
        """The offset of the first record at or after `start`; the end if there is none."""
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
        """Whether the first member (and so presumably every member) has more than one record."""
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
        """The first unpacked bytes of a member."""
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
        if self._map[offset + 1 : offset + 4] == b"\x2a\x4d\x18":  # a skippable frame
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
            reached, inner, damage = record
            inner = _skip_lines(data, inner, len(data))
            following = inner < len(data)
            self.position = Position(offset, inner) if following else Position(end)
            if damage:
                yield Damage(offset, damage)
            if reached is not None:
                yield reached
            if not following:
                return
        self.position = Position(end)

    def _record_of(
        self, data: memoryview, offset: int, inner: int, whole: bool
    ) -> tuple[Record | None, int, str] | None:
        """The record at a position in a member, its end, and any fault."""
        inner = _skip_lines(data, inner, len(data))
        if inner >= len(data):
            return None
        parsed = self._head(data, inner, len(data))
        if parsed is None:
            return None, len(data), "not a record"
        head, begin, length = parsed
        end = begin + length
        damage = ""
        if end > len(data) or not self._ends_record(data, end):
            if whole:
                damage = "wrong lengths"
                close = self._next_in(data, begin)
                end = begin + len(bytes(data[begin:close]).rstrip(b"\r\n"))
            end = min(end, len(data))
        record = Record(offset, head, data[begin:end], whole or end < len(data))
        return record, end, damage

    def _next_in(self, data: memoryview, begin: int) -> int:
        """The start of the next record in a member; its end if there is none."""
        for line in _NEXT[self.part.kind].finditer(data, begin):
            if _BEGINNING[self.part.kind].match(data, line.end()):
                return line.start()
        return len(data)

    def _ends_record(self, data: memoryview | mmap.mmap, end: int) -> bool:
        """Whether another record begins here, or nothing follows."""
        rest = bytes(data[end : end + 64]).lstrip(b"\r\n")
        if self.part.kind == "arc":
            return not rest or re.match(rb"[a-z][a-z0-9+.-]*:", rest) is not None
        return not rest or rest.startswith(b"WARC/")

    def _head(
        self, data: memoryview | mmap.mmap, begin: int, end: int
    ) -> tuple[dict[str, str], int, int] | None:
        """The header of a record, the start of its content, and its declared length."""
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

    def _unpack(self, offset: int, max_size: int | None = None) -> tuple[memoryview, int, str]:
        """The unpacked data of a member, its end in the file, and any fault.

        Stops after `most` bytes, if given.
        """
        member = self._member()
        data = bytearray()
        size, place = 0, offset
        step = _PIECE if self.part.packing == "gzip" else _ZSTD_PIECE
        while not member.eof and (max_size is None or size < max_size):
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
        """Whether only zeros or line ends follow."""
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
        if end > self._end or not self._ends_record(self._map, end):
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
        limit = begin + MAX_MEMBER
        yield Record(place, head, self._view[begin : min(end, limit)], end <= limit)


def _skip_lines(data: memoryview, place: int, end: int) -> int:
    """The offset of the first non-empty line."""
    while place < end and data[place] in b"\r\n":
        place += 1
    return place


def _arc_head(line: re.Match[bytes]) -> dict[str, str]:
    """The header of an ARC record, with WARC's field names."""
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
