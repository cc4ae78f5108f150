"""Files are read with any compression, and errors say what is wrong."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from tests.sources import links_of, read, write
from whatsrelated.errors import MissingExtra, ReadError
from whatsrelated.sources import files
from whatsrelated.sources.files import File

TEXT = b"".join(b"page%d\tpage%d\n" % (i, i * 7 % 1000) for i in range(2000))
PACKERS = {
    "none": bytes,
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": zstandard.compress,
}
every_packing = pytest.mark.parametrize("kind", PACKERS)


@every_packing
def test_compression_is_recognised_by_the_first_bytes(kind: str, tmp_path: Path) -> None:
    file = File(write(tmp_path / "links.png", PACKERS[kind](TEXT)))
    assert file.read() == TEXT
    assert file.packing == ("" if kind == "none" else kind)


@every_packing
def test_members_one_after_the_other_are_one_file(kind: str, tmp_path: Path) -> None:
    packed = PACKERS[kind](TEXT[:10_000]) + PACKERS[kind](b"") + PACKERS[kind](TEXT[10_000:])
    assert File(write(tmp_path / "links", packed)).read() == TEXT


@every_packing
def test_a_cut_file_is_an_error_that_names_it(kind: str, tmp_path: Path) -> None:
    packed = PACKERS[kind](TEXT)
    path = write(tmp_path / "links.gz", packed[: len(packed) // 2])
    if kind == "none":
        assert len(File(path).read()) == len(packed) // 2
        return
    with pytest.raises(ReadError, match=rf"links\.gz is cut short: its {kind} data"):
        File(path).read()


@pytest.mark.parametrize("kind", ["gzip", "bzip2", "xz"])
def test_a_damaged_file_is_an_error_that_names_it(kind: str, tmp_path: Path) -> None:
    packed = bytearray(PACKERS[kind](TEXT))
    packed[len(packed) // 2] ^= 0xFF
    with pytest.raises(ReadError, match=r"links is (damaged|cut short)"):
        File(write(tmp_path / "links", bytes(packed))).read()


def test_zeros_after_a_member_are_padding_and_anything_else_is_damage(tmp_path: Path) -> None:
    packed = gzip.compress(TEXT)
    assert File(write(tmp_path / "padded", packed + b"\0" * 5000)).read() == TEXT
    with pytest.raises(ReadError, match="damaged"):
        File(write(tmp_path / "more", packed + b"garbage")).read()


@pytest.mark.parametrize("kind", ["gzip", "bzip2", "xz", "zstd"])
def test_a_bomb_is_refused_before_it_fills_the_memory(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "BOMB_BYTES", 1 << 22)
    path = write(tmp_path / "bomb", PACKERS[kind](bytes(1 << 25)))
    sizes: list[int] = []
    with pytest.raises(ReadError, match=r"more than 250 times its size.*pipe it in"):
        sizes.extend(map(len, File(path).pieces()))
    assert sum(sizes) < 1 << 24


def test_a_small_file_that_compresses_well_is_not_a_bomb(tmp_path: Path) -> None:
    path = write(tmp_path / "zeros", gzip.compress(bytes(1 << 22)))
    assert len(File(path).read()) == 1 << 22


def test_standard_input_is_recognised_and_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(TEXT))))
    links = links_of(read("-"))
    assert len(links) == 2000
    assert links[3] == ("page3", "page21")


def test_without_its_package_zstandard_names_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(MissingExtra, match=r"pip install 'whatsrelated\[zst\]'"):
        File(write(tmp_path / "links", zstandard.compress(TEXT))).read()


def test_a_byte_order_mark_is_not_part_of_the_first_name(tmp_path: Path) -> None:
    path = write(tmp_path / "links", b"\xef\xbb\xbfa\tb\n")
    assert links_of(read(path)) == [("a", "b")]


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_needs_no_byte_order_mark(tmp_path: Path, codec: str) -> None:
    text = "source\ttarget\nhttps://a/\tTé\nc\t\N{HOT BEVERAGE}\n".encode(codec)
    links = [("https://a/", "Té"), ("c", "\N{HOT BEVERAGE}")]
    assert links_of(read(write(tmp_path / "links.tsv", text))) == links


def test_numbers_of_two_bytes_are_not_utf_16(tmp_path: Path) -> None:
    numbers = b"".join(number.to_bytes(2, "little") for number in range(1, 100))
    assert File(write(tmp_path / "numbers.bin", numbers)).sample == numbers


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-be"])
def test_utf_16_is_read_like_utf_8(tmp_path: Path, codec: str) -> None:
    text = ("\ufeff" * (codec != "utf-16") + "a\tTé\nc\t\N{HOT BEVERAGE}\n").encode(codec)
    links = [("a", "Té"), ("c", "\N{HOT BEVERAGE}")]
    assert links_of(read(write(tmp_path / "links.tsv", text))) == links
    assert links_of(read(write(tmp_path / "links.tsv.gz", gzip.compress(text)))) == links


@given(st.lists(st.binary(max_size=12).map(lambda b: b.translate(None, b"\n\xef"))), st.data())
def test_pieces_end_with_lines_and_cut_the_long_ones(lines: list[bytes], data: Any) -> None:
    text = b"\n".join(lines)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=5)))
    file = File("-")
    bounds = [0, *cuts, len(text)]
    file._pieces = iter([text[a:b] for a, b in pairwise(bounds)])
    longest = 6
    pieces = list(file.lines(longest))
    assert all(piece.endswith(b"\n") for piece in pieces)
    wanted = lines if not lines or lines[-1] else lines[:-1]
    got = b"".join(pieces).split(b"\n")[:-1]
    assert [line[: longest + 1] for line in got] == [line[: longest + 1] for line in wanted]
    assert [len(line) > longest for line in got] == [len(line) > longest for line in wanted]


@pytest.mark.needs_system("p7zip")
def test_7z_is_unpacked_with_the_7z_command(tmp_path: Path) -> None:
    path = write(tmp_path / "links.tsv", TEXT)
    subprocess.run(["7zr", "a", "-bd", "links.7z", "links.tsv"], cwd=tmp_path, check=True)
    packed = tmp_path / "links.7z"
    assert File(packed).read() == File(path).read()
    packed.write_bytes(packed.read_bytes()[:-20])
    with pytest.raises(ReadError, match=r"links.7z is damaged: its 7z data is invalid"):
        File(packed).read()


def test_7z_without_the_command_is_an_error_that_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "SEVEN_ZIP", ("no-such-command",))
    with pytest.raises(ReadError, match=r"is a 7z archive: install 7z \(Debian: p7zip\)"):
        File(write(tmp_path / "links", b"7z\xbc\xaf\x27\x1c\0\4")).read()
