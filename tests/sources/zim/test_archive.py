"""ZIM files: entries, clusters, and errors in damaged ones."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from tests.sources.zim import Item, write_zim, zim
from whatsrelated.errors import ReadError
from whatsrelated.sources.zim import archive as archives
from whatsrelated.sources.zim.archive import Archive, ZimEntry

ITEMS = (
    Item("tea", "<p>tea", title="Tea"),
    Item("milk", "<p>milk"),
    Item("chai", to="tea"),
    Item("cup.png", "x", mime="image/png"),
)


@pytest.mark.parametrize("extended", [False, True])
@pytest.mark.parametrize("kind", ["plain", "lzma", "zstd"])
def test_entries_are_found_and_contents_unpacked(tmp_path: Path, kind: str, extended: bool) -> None:
    archive = Archive(write_zim(tmp_path / "x.zim", *ITEMS, kind=kind, extended=extended))
    assert [archive.entry(n).path for n in range(archive.count)] == [
        *("chai", "cup.png", "milk", "tea")
    ]
    number = archive.find("C", "chai")
    assert number is not None
    assert archive.entry(number).is_redirect
    entry = archive.final(number)
    assert entry == ZimEntry("text/html", "C", "tea", "Tea", 0, 0)
    assert archive.blobs(0) == [b"<p>tea", b"<p>milk"]
    assert archive.blobs(1) == [b"x"]
    assert archive.find("C", "coffee") is None
    assert archive.find("A", "tea") is None


def test_a_split_file_is_read_as_one(tmp_path: Path) -> None:
    data = zim(*ITEMS)
    for number, first in enumerate(range(0, len(data), 97)):
        (tmp_path / f"x.zima{chr(97 + number)}").write_bytes(data[first : first + 97])
    archive = Archive(tmp_path / "x.zimaa")
    assert archive.size == len(data)
    assert archive.blobs(0) == [b"<p>tea", b"<p>milk"]


def test_redirects_in_a_circle_lead_nowhere(tmp_path: Path) -> None:
    path = write_zim(tmp_path / "x.zim", Item("a", to="b"), Item("b", to="a"), Item("c", "x"))
    assert Archive(path).final(0) is None


def test_a_cluster_that_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "MAX_CLUSTER", 1000)
    for kind in ("lzma", "zstd"):
        path = write_zim(tmp_path / "x.zim", Item("a", "x" * 2000), kind=kind)
        with pytest.raises(ReadError, match="cluster 0 unpacks to more than"):
            Archive(path).blobs(0)


def test_every_truncation_and_changed_byte_gives_a_message_or_does_no_harm(tmp_path: Path) -> None:
    data = zim(*ITEMS)
    path = tmp_path / "x.zim"
    damaged = [data[:size] for size in range(0, len(data), 3)]
    damaged += [data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :] for at in range(len(data))]
    refused = 0
    for case in damaged:
        path.write_bytes(case)
        try:
            archive = Archive(path)
            for number in range(min(archive.count, 10)):
                archive.final(number)
            archive.blobs(0)
            archive.find("C", "tea")
        except ReadError as error:
            assert str(error).startswith(f"{path} is damaged or not a ZIM file: ")  # noqa: PT017
            refused += 1
    assert refused > len(damaged) // 2


def test_a_piece_outside_of_its_cluster_is_refused(tmp_path: Path) -> None:
    data = zim(Item("a", "xy"), kind="plain")
    at = data.index(struct.pack("<II", 8, 10))
    path = tmp_path / "x.zim"
    path.write_bytes(data[: at + 4] + struct.pack("<I", 99) + data[at + 8 :])
    with pytest.raises(ReadError, match="a piece of cluster 0 lies outside it"):
        Archive(path).blobs(0)


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("bad_mimetype_in_dirent", "entry 8 has type 1,234 of 5"),
        ("bad_mimetype_list", "its list of types is missing"),
        ("invalid_checksumpos", "its checksum cannot be at byte 0"),
        ("invalid_mimelistpos", "its list of types cannot be at byte 0"),
    ],
)
def test_damaged_files_are_rejected_with_a_message(shared: Path, name: str, what: str) -> None:
    path = shared / "data" / "zim" / f"invalid.{name}.zim"
    with pytest.raises(ReadError, match=what):
        all(archive.entry(number) for archive in [Archive(path)] for number in range(archive.count))
