"""Read archives in parallel ranges, with the same result as one sequential pass.

1. A file is cut into ranges of bytes.  A worker finds the first record that begins in its range,
  and reads every record that begins in it, even if the last one ends outside.
2. Results arrive in order, each with the offset of its first record and the offset where the next
   range should begin. If these do not match, a worker mistook something for a record (an archive
   inside an archive, or damage at the seam). That range is then read again, starting where the
   previous one ended. The result is therefore always the same as from a sequential read.
3. If a worker crashes or takes too long, its range is read record by record, and only the record
   that caused the problem is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from whatsrelated.machine import workers
from whatsrelated.sources.archive.records import (
    ArchiveSlice,
    Damage,
    Position,
    Record,
    RecordReader,
)

if TYPE_CHECKING:
    from whatsrelated.sources.page_reader import HtmlReader

PACKED_RANGE, PLAIN_RANGE = 1 << 20, 4 << 20
"""Size of a range in bytes, for compressed and for plain archives."""

WINDOW = 64
"""Maximum number of ranges in progress or waiting for an earlier one."""


class Range(msgspec.Struct, array_like=True, frozen=True):
    """The part of an archive that a worker should read.

    `how` is one of: `read` from exactly that position; `find` the first record and read from there;
    `list` the positions of records; read `one`; list `members` without unpacking them.
    """

    part: ArchiveSlice
    start: int
    stop: int
    how: str
    inner: int = 0


class RangeContents(msgspec.Struct, array_like=True, omit_defaults=True):
    """The contents of a range."""

    first: int = 0
    """The start of its first record."""
    next: int = 0
    """The position at which the first record after the range should begin."""
    pages: list[bytes] = []
    redirects: list[tuple[str, str]] = []
    revisits: list[tuple[str, int, str, int, str]] = []
    statuses: list[tuple[str, int, int]] = []
    counts: dict[str, int] = {}
    refused: list[tuple[str, str]] = []
    positions: list[tuple[int, int]] = []


_encode_range = msgspec.json.Encoder().encode
_decode_range = msgspec.json.Decoder(Range).decode
_encode_batch = msgspec.msgpack.Encoder().encode
_decode_batch = msgspec.msgpack.Decoder(RangeContents).decode


@dataclass(frozen=True)
class ReadRange:
    """A worker's task: read the pages in a range."""

    reader: HtmlReader
    text: bool = False

    def __call__(self, item: str) -> bytes:
        from whatsrelated.sources.archive.captures import CaptureReader
        from whatsrelated.sources.page_records import encode_record

        task = _decode_range(item)
        records = _records(task.part)
        if task.how == "members":
            return _encode_batch(_members(records, task.start, task.stop))
        start = Position(task.start, task.inner)
        if task.how == "find":
            start = Position(records.find(task.start))
        batch = RangeContents(first=start.offset, next=start.offset)
        captures = CaptureReader(self.reader, self.text)
        position = start
        for record in records.read(start, task.stop):
            place = f"{task.part.label}:{record.offset}:"
            if isinstance(record, Damage):
                batch.refused.append((record.reason, place))
            elif task.how == "list":
                batch.positions.append(position)
            else:
                captures.add(record, place)
            position = records.position
            if task.how == "one" and isinstance(record, Record):
                break
        results = captures.results
        batch.next = max(records.position.offset, batch.first)
        batch.pages = [encode_record(page) for page in results.pages]
        batch.redirects, batch.revisits = results.redirects, results.revisits
        batch.statuses = results.statuses
        batch.counts = dict(results.counts)
        batch.refused += results.refused
        return _encode_batch(batch)


def _members(records: RecordReader, start: int, stop: int) -> RangeContents:
    """List where records seem to start, by the first bytes of members or lines."""
    batch = RangeContents(first=start, next=records.find(start))
    while batch.next < stop:
        batch.positions.append((batch.next, 0))
        batch.next = records.find(batch.next + 1)
    return batch


@lru_cache(maxsize=2)
def _records(part: ArchiveSlice) -> RecordReader:
    return RecordReader(part)


def read_archives(
    parts: Iterable[ArchiveSlice], work: ReadRange, *, processes: int, seconds: float
) -> Iterator[RangeContents]:
    """The contents of archives, range by range, in order."""
    ranges = _RangeReader(work, processes, seconds)
    yield from ranges.read(parts)


class _RangeReader:
    """Reads ranges and makes sure that they fit together."""

    def __init__(self, work: ReadRange, processes: int, seconds: float) -> None:
        self.work = work
        self.processes = processes
        self.seconds = seconds

    def _results(
        self, ranges: Iterable[Range]
    ) -> Iterator[tuple[Range, RangeContents | workers.Lost]]:
        items = (_encode_range(one).decode() for one in ranges)
        answers = workers.results(
            self.work,
            items,
            noun="the reader",
            workers=self.processes,
            seconds=self.seconds,
            window=WINDOW,
        )
        for item, answer in answers:
            lost = isinstance(answer, workers.Lost)
            yield _decode_range(item), answer if lost else _decode_batch(answer)  # type: ignore[misc, arg-type]

    def read(self, parts: Iterable[ArchiveSlice]) -> Iterator[RangeContents]:
        current: ArchiveSlice | None = None
        expected = 0
        for one, answer in self._results(_ranges(parts)):
            if one.part != current:
                current, expected = one.part, one.part.begin
            if expected >= one.stop:
                continue
            for batch in self._read_range(one, answer, expected):
                yield batch
                expected = batch.next

    def _read_range(
        self, one: Range, answer: RangeContents | workers.Lost, expected: int
    ) -> Iterator[RangeContents]:
        if isinstance(answer, RangeContents) and answer.first == expected:
            yield answer
            return
        again = Range(one.part, expected, one.stop, "read")
        if isinstance(answer, RangeContents):
            [(_, answer)] = self._results([again])
        if isinstance(answer, RangeContents):
            yield answer
        else:
            yield from self._one_by_one(again, answer)

    def _one_by_one(self, whole: Range, lost: workers.Lost) -> Iterator[RangeContents]:
        part = whole.part
        how = "one"
        [(_, listed)] = self._results([Range(part, whole.start, whole.stop, "list")])
        if isinstance(listed, workers.Lost):  # unpacking a member takes too long
            how = "read"
            [(_, listed)] = self._results([Range(part, whole.start, whole.stop, "members")])
        if isinstance(listed, workers.Lost):
            place = f"{part.label}:{whole.start}: {whole.stop - whole.start:,} bytes"
            yield RangeContents(next=whole.stop, refused=[(lost.reason, place)])
            return
        singles = [
            Range(part, at, whole.stop if how == "one" else at + 1, how, inner)
            for at, inner in listed.positions
        ]
        after = whole.start
        for one, answer in self._results(singles):
            if one.start < after:  # it was in the previous member
                continue
            if isinstance(answer, workers.Lost):
                answer = RangeContents(refused=[(answer.reason, f"{part.label}:{one.start}:")])
            after = answer.next
            answer.next, answer.refused = (
                listed.next,
                [each for each in answer.refused if each not in listed.refused],
            )
            yield answer
        yield RangeContents(next=listed.next, refused=listed.refused)


def _ranges(parts: Iterable[ArchiveSlice]) -> Iterator[Range]:
    for part in parts:
        step = PACKED_RANGE if part.packing else PLAIN_RANGE
        for start in range(part.begin, part.end, step):
            how = "find" if start > part.begin else "read"
            yield Range(part, start, min(start + step, part.end), how)
