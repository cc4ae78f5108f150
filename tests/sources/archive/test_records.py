"""Five pages, compressed, written and damaged in every way: none is lost silently."""

from __future__ import annotations

import bz2
import gzip
import lzma
import random
import zlib

import brotli
import pytest
import zstandard

from tests.sources.archive import (
    DATE,
    SITE,
    chunked,
    http,
    links,
    packed,
    page,
    read,
    read_with_workers,
    record,
    write,
)
from whatsrelated.sources import open_sources
from whatsrelated.sources.archive import records
from whatsrelated.sources.archive.records import ArchiveSlice, Damage, Position, RecordReader

URLS = [f"{SITE}{number}" for number in range(5)]
TARGET = "https://target.example/"
BODY = links(TARGET)
NOISE = random.Random(1).randbytes(5000)


def five(change=None, **more):
    """Five records of pages; `change` makes another of the third."""
    made = [page(url, TARGET, **more) for url in URLS]
    if change:
        made[2] = change(made[2])
    return made


def bodies(body, *headers):
    return [record(url, http(body, *headers)) for url in URLS]


def arc(*, newline=b"\n"):
    head = b"1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n"
    first = b"filedesc://x.arc 0.0.0.0 20080430204825 text/plain %d\n" % len(head) + head
    made = [first + newline]
    for url in URLS:
        body = http(BODY)
        line = f"{url} 192.0.2.1 20080430204825 text/html {len(body)}\n".encode()
        made.append(line + body + newline)
    return made


def zstd(data):
    return zstandard.ZstdCompressor().compress(data)


def zstd_with_dictionary(members):
    known = zstandard.ZstdCompressionDict(b"".join(members)[:4000], dict_type=1)
    pack = zstandard.ZstdCompressor(dict_data=known)
    content = known.as_bytes()
    head = b"\x5d\x2a\x4d\x18" + len(content).to_bytes(4, "little") + content
    return [head, *(pack.compress(member) for member in members)]


def shorter(member):
    return member.replace(b"Content-Length: ", b"Content-Length: 0", 1).replace(
        str(len(http(BODY))).encode(), b"60", 1
    )


def longer(member):
    return member.replace(b"Content-Length: %d" % len(http(BODY)), b"Content-Length: 700", 1)


def spoilt(member):
    data = bytearray(packed(member))
    data[len(data) // 2] ^= 0x55
    data[len(data) // 2 + 1] ^= 0xFF
    return bytes(data)


def gz(made):
    return [packed(member) for member in made]


GZIP_BODY = gzip.compress(BODY)
LONG = "X-Long: " + "x" * 70_000
INSIDE = b"".join(five())

CASES = {
    "WARC/1.0": (five(), 5, {}),
    "WARC/1.1": (five(version="1.1"), 5, {}),
    "a member each": (gz(five()), 5, {}),
    "one member": ([packed(b"".join(five()))], 5, {}),
    "two members of several": ([packed(five()[0]), packed(b"".join(five()[1:]))], 5, {}),
    "Zstandard": ([zstd(member) for member in five()], 5, {}),
    "Zstandard with a dictionary": (zstd_with_dictionary(five()), 5, {}),
    "Zstandard, one frame": ([zstd(b"".join(five()))], 5, {}),
    "bzip2": ([bz2.compress(b"".join(five()))], 5, {}),
    "xz": ([lzma.compress(b"".join(five()))], 5, {}),
    "ARC": (arc(), 5, {}),
    "ARC.gz": (gz(arc()), 5, {}),
    "ARC without empty lines": (arc(newline=b""), 5, {}),
    "ARC in one member": ([packed(b"".join(arc()))], 5, {}),
    "URLs in brackets": ([page(f"<{url}>", TARGET) for url in URLS], 5, {}),
    "line feeds alone": (five(end=b"\n"), 5, {}),
    "no empty lines between": ([member.removesuffix(b"\r\n" * 2) for member in gz(five())], 5, {}),
    "head in small letters": ([m.replace(b"WARC-T", b"warc-t") for m in five()], 5, {}),
    "HTTP with line feeds alone": ([record(u, http(BODY, end=b"\n")) for u in URLS], 5, {}),
    "no media type of the record": (
        [
            member.replace(b"Content-Type: application/http; msgtype=response\r\n", b"")
            for member in five()
        ],
        5,
        {},
    ),
    "chunked": (bodies(chunked(BODY), "Transfer-Encoding: chunked"), 5, {}),
    "chunked and gzip": (
        bodies(chunked(GZIP_BODY), "Transfer-Encoding: chunked", "Content-Encoding: gzip"),
        5,
        {},
    ),
    "gzip": (bodies(GZIP_BODY, "Content-Encoding: gzip"), 5, {}),
    "gzip as transfer coding": (bodies(GZIP_BODY, "Transfer-Encoding: gzip"), 5, {}),
    "deflate": (bodies(zlib.compress(BODY), "Content-Encoding: deflate"), 5, {}),
    "raw deflate": (bodies(zlib.compress(BODY)[2:-4], "Content-Encoding: deflate"), 5, {}),
    "brotli": (bodies(brotli.compress(BODY), "Content-Encoding: br"), 5, {}),
    "zstd": (bodies(zstd(BODY), "Content-Encoding: zstd"), 5, {}),
    "chunked and brotli": (
        bodies(
            chunked(brotli.compress(BODY)), "Transfer-Encoding: chunked", "Content-Encoding: br"
        ),
        5,
        {},
    ),
    "gzip, then brotli": (
        bodies(brotli.compress(GZIP_BODY), "Content-Encoding: gzip", "Content-Encoding: br"),
        5,
        {},
    ),
    "says gzip and is not": (bodies(BODY, "Content-Encoding: gzip"), 5, {}),
    "says deflate and is not": (bodies(BODY, "Content-Encoding: deflate"), 5, {}),
    "says chunked and is not": (bodies(BODY, "Transfer-Encoding: chunked"), 5, {}),
    "says brotli and is not": (bodies(BODY, "Content-Encoding: br"), 5, {}),
    "says zstd and is not": (bodies(BODY, "Content-Encoding: zstd"), 5, {}),
    "gzip that breaks off": (
        bodies(gzip.compress(BODY + b" " * 99_999)[:-60], "Content-Encoding: gzip"),
        5,
        {},
    ),
    "chunks that break off": (bodies(chunked(BODY)[:-7], "Transfer-Encoding: chunked"), 5, {}),
    "a head of 70 kB": (
        [
            page(url, TARGET).replace(b"WARC-Date", LONG.encode() + b"\r\nWARC-Date", 1)
            for url in URLS
        ],
        5,
        {},
    ),
    "an HTTP head of 70 kB": (bodies(BODY, LONG), 5, {}),
    "a length too short": (five(shorter), 5, {"wrong lengths": 1}),
    "a length too long": (five(longer), 5, {"wrong lengths": 1}),
    "a length too short, packed": (gz(five(shorter)), 5, {"wrong lengths": 1}),
    "a length too long, packed": (gz(five(longer)), 5, {"wrong lengths": 1}),
    "no length": (gz(five(lambda m: m.replace(b"Content-Length", b"X"))), 4, {"not a record": 1}),
    "no length, plain": (
        five(lambda m: m.replace(b"Content-Length", b"X")),
        4,
        {"not a record": 1},
    ),
    "cut in a member": (
        [b"".join(gz(five()))[: -len(packed(five()[0])) // 2]],
        4,
        {"cut short": 1},
    ),
    "cut in a plain record": ([b"".join(five())[:-40]], 4, {"cut short": 1}),
    "cut in a plain head": ([b"".join(five())[: -len(five()[4]) + 30]], 4, {"cut short": 1}),
    "cut in one member of all": (
        [packed(b"".join([*five()[:4], record(URLS[4], http(BODY + NOISE))]))[:-1500]],
        4,
        {"cut short": 2},
    ),
    "a damaged member": (
        [spoilt(m) if n == 2 else packed(m) for n, m in enumerate(five())],
        4,
        {"damaged members": 1},
    ),
    "a damaged first member": ([spoilt(five()[0]), *gz(five()[1:])], 4, {"damaged members": 1}),
    "a first member damaged at once": (
        [packed(b"")[:10] + b"\xff" * 500, *gz(five()[1:])],
        4,
        {"damaged members": 1},
    ),
    "zeros between members": ([packed(m) + bytes(100) for m in five()], 5, {"damaged members": 4}),
    "zeros at the end": ([*gz(five()), bytes(5000)], 5, {}),
    "garbage between plain records": (five(lambda m: m + b"garbage\r\n"), 5, {"wrong lengths": 1}),
    "an archive in an archive": (
        [*five()[:2], record(URLS[2], http(BODY + INSIDE)), *five()[3:]],
        5,
        {},
    ),
    "a packed archive in an archive": (
        gz([*five()[:2], record(URLS[2], http(BODY + b"".join(gz(five())))), *five()[3:]]),
        5,
        {},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_every_page_is_read_or_counted_as_unread(tmp_path, monkeypatch, case):
    members, pages, refused = CASES[case]
    found, context = read(monkeypatch, write(tmp_path / "x", *members), links="all")
    assert len(found) == pages
    assert set(found) <= set(URLS)
    assert all(links == [TARGET] for links in found.values())
    assert context.refused.counts == refused


def test_the_file_and_place_of_damage_are_reported(tmp_path, monkeypatch):
    members = gz(five())
    members[2] = spoilt(five()[2])
    path = write(tmp_path / "x.warc.gz", *members)
    _, context = read(monkeypatch, path)
    offset = len(members[0]) + len(members[1])
    assert context.refused.examples == {"damaged members": [f"{path}:{offset}:"]}


def test_an_archive_with_lost_first_bytes_is_recognised_by_its_name(tmp_path, monkeypatch):
    members = gz(five())
    path = write(tmp_path / "x.warc.gz", bytes(len(members[0])), *members[1:])
    found, context = read(monkeypatch, path)
    assert list(found) == URLS[1:]
    assert context.refused.examples == {"damaged members": [f"{path}:0:"]}
    for first in bytes(len(members[0])), spoilt(five()[0]), packed(b"")[:10] + b"\xff" * 500:
        source = open_sources([write(path, first, *members[1:])], options={"workers": 1})
        assert [one.url for one in source] == URLS[1:]


@pytest.mark.parametrize("cut", range(0, 2500, 61))
def test_a_truncated_file_gives_what_it_had_and_is_reported(tmp_path, monkeypatch, cut):
    members = gz(five())
    ends = [sum(map(len, members[: n + 1])) for n in range(5)]
    whole = b"".join(members)
    if not len(members[0]) < cut < len(whole):
        return
    found, context = read(monkeypatch, write(tmp_path / "x.warc.gz", whole[:cut]))
    assert len(found) == sum(end <= cut for end in ends)
    assert context.refused.counts == ({} if cut in ends else {"cut short": 1})


def test_a_member_unpacked_in_several_steps_ends_at_the_right_offset(tmp_path, monkeypatch):
    large = record(URLS[2], http(links("/x") + b" " * (9 << 20)))
    path = write(tmp_path / "x.warc.gz", *gz([*five()[:2], large, *five()[3:]]))
    found, context = read(monkeypatch, path)
    assert list(found) == URLS
    assert context.refused.counts == {}


def test_bombs_are_skipped_and_the_rest_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(records, "MAX_MEMBER", 1 << 20)
    bomb = packed(five()[2] + b" " * (64 << 20))
    path = write(tmp_path / "x.warc.gz", *gz(five()[:2]), bomb, *gz(five()[3:]))
    found, context = read(monkeypatch, path)
    assert list(found) == [*URLS[:2], *URLS[3:]]
    assert context.refused.counts == {"decompression bombs": 1}


def test_reading_depends_only_on_the_position(tmp_path):
    path = write(tmp_path / "x", packed(five()[0]), packed(b"".join(five()[1:])))
    part = ArchiveSlice(str(path), 0, path.stat().st_size, "gzip")
    reader = RecordReader(part)
    positions, urls = [Position(0)], []
    for one in reader.read(Position(0), part.end):
        assert not isinstance(one, Damage)
        urls.append(one.head["warc-target-uri"])
        positions.append(reader.position)
    assert urls == URLS
    for number, position in enumerate(positions[:-1]):
        again = next(iter(RecordReader(part).read(position, part.end)))
        assert again.head["warc-target-uri"] == URLS[number]


def test_worker_processes_read_the_same(tmp_path):
    path = write(tmp_path / "x.warc.gz", *gz(five(date=DATE)))
    assert list(read_with_workers(path)[0]) == URLS


def test_a_file_that_has_become_empty_has_no_records(tmp_path):
    file = tmp_path / "cut.warc.gz"
    file.touch()
    reader = RecordReader(ArchiveSlice(str(file), 0, 100, "gzip"))
    assert list(reader.read(Position(0), 100)) == []
    assert reader.find(0) == 0
