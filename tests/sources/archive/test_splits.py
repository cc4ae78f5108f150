"""Ranges read in parallel give the same as one pass."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.machine.hanging import HangingClock, hang
from tests.sources.archive import (
    SITE,
    http,
    inline,
    links,
    packed,
    page,
    read,
    read_with_workers,
    record,
    write,
)
from whatsrelated.machine import workers
from whatsrelated.sources.archive import splits
from whatsrelated.sources.archive.containers import Containers
from whatsrelated.sources.archive.reader import ArchiveReader
from whatsrelated.sources.archive.splits import ReadRange, read_archives
from whatsrelated.sources.files import File
from whatsrelated.sources.reader import ReadContext

NOISE = random.Random(7)


def members(count=40):
    """Pages of many sizes, some of them archives themselves."""
    inner = [packed(page(f"{SITE}inner/{n}", "/x")) for n in range(9)]
    made = []
    for number in range(count):
        body = links(f"/{number + 1}") + NOISE.randbytes(NOISE.choice([0, 30, 900, 9000]))
        if number % 7 == 3:
            body += b"".join(inner)
        made.append(record(f"{SITE}{number}", http(body)))
    return made


def urls(path, monkeypatch, step):
    monkeypatch.setattr(splits, "PACKED_RANGE", step)
    monkeypatch.setattr(splits, "PLAIN_RANGE", step)
    found, context = read(monkeypatch, path)
    return list(found), context.refused.counts, context.refused.examples


@pytest.mark.parametrize("pack", [None, packed])
@pytest.mark.parametrize("step", [100, 777, 20_000])
def test_ranges_of_any_size_give_what_one_range_gives(tmp_path, monkeypatch, pack, step):
    made = members()
    for number in (5, 17):
        made[number] = made[number][:-30] + b"damage" + made[number][-30:]
    if pack:
        made = [pack(member) for member in made]
        made[9] = made[9][:-1] + b"?"
        made[11] += bytes(2000)
    path = write(tmp_path / "x", *made)
    whole = urls(path, monkeypatch, 1 << 30)
    assert len(whole[0]) >= 38
    assert urls(path, monkeypatch, step) == whole


@dataclass(frozen=True)
class Hanging(ReadRange):
    """Work that hangs on one page, crashes on another, and reads the others."""

    folder: str = ""

    def __call__(self, item: str) -> bytes:
        import os

        from whatsrelated.sources.archive import captures

        read_page = captures.read_page

        def read(markup, url, *arguments, **more):
            if b"hang" in markup:
                hang(self.folder)
            if b"crash" in markup:
                os.abort()
            return read_page(markup, url, *arguments, **more)

        captures.read_page = read
        try:
            return super().__call__(item)
        finally:
            captures.read_page = read_page


def read_hanging(tmp_path, monkeypatch, made, kind):
    """What is read from an archive of these pages, to its end, by work that hangs."""
    path = write(tmp_path / "x.warc.gz", *made, pack=packed)
    monkeypatch.setattr(workers, "clock", HangingClock(tmp_path))
    parts = list(Containers(ReadContext()).slices(File(path)))
    work = kind(ArchiveReader(), folder=str(tmp_path))
    batches = list(read_archives(parts, work, processes=1, seconds=20.0))
    assert batches[-1].next == path.stat().st_size
    return batches


def test_only_the_item_that_hangs_or_crashes_a_worker_is_lost(tmp_path, monkeypatch):
    made = [page(f"{SITE}{number}", "/x") for number in range(8)]
    made[2] = record(f"{SITE}2", http(b"hang"))
    made[5] = record(f"{SITE}5", http(b"crash"))
    batches = read_hanging(tmp_path, monkeypatch, made, Hanging)
    assert sum(len(batch.pages) for batch in batches) == 6
    refused = [reason for batch in batches for reason, _ in batch.refused]
    assert sorted(refused) == ["crashed the reader", "took over 20 s"]


@dataclass(frozen=True)
class HangingMember(ReadRange):
    """Work that hangs when one member is unpacked, so its range cannot even be listed."""

    folder: str = ""

    def __call__(self, item: str) -> bytes:
        from whatsrelated.sources.archive import records

        unpack = records.RecordReader._unpack

        def unpack_or_hang(reader, *arguments):
            found = unpack(reader, *arguments)
            if b"hang" in bytes(found[0]):
                hang(self.folder)
            return found

        records.RecordReader._unpack = unpack_or_hang  # type: ignore[method-assign]
        try:
            return super().__call__(item)
        finally:
            records.RecordReader._unpack = unpack  # type: ignore[method-assign]


def test_a_member_that_takes_too_long_to_unpack_is_lost_alone(tmp_path, monkeypatch):
    made = [page(f"{SITE}{number}", "/x") for number in range(8)]
    made[2] = record(f"{SITE}2", http(b"hang"))
    made[4] += page(f"{SITE}again", "/x")
    batches = read_hanging(tmp_path, monkeypatch, made, HangingMember)
    assert sum(len(batch.pages) for batch in batches) == 8
    assert [reason for batch in batches for reason, _ in batch.refused] == ["took over 20 s"]


def test_several_processes_read_the_same_in_the_same_order(tmp_path, monkeypatch):
    monkeypatch.setattr(splits, "PACKED_RANGE", 5000)
    path = write(tmp_path / "x.warc.gz", *members(), pack=packed)
    one, two = (read_with_workers(path, workers=count) for count in (1, 2))
    assert list(one[0].items()) == list(two[0].items())
    assert len(one[0]) == 40


def test_the_work_is_the_same_here_and_in_a_process(tmp_path):
    path = write(Path(tmp_path, "x.warc"), page(SITE, "/x"))
    parts = list(Containers(ReadContext()).slices(File(path)))
    items = [splits._encode_range(one).decode() for one in splits._ranges(parts)]
    work = ReadRange(ArchiveReader())
    processed = workers.results(work, items, noun="the reader", workers=1)
    assert list(inline(work, items)) == list(processed)
