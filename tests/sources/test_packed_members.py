"""Compressed members: they decompress in pieces, and the rest is left."""

from __future__ import annotations

import gzip

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.sources.packed_members import GzipMember, PackedMember, ZstandardFrame


def zstandard_frame() -> PackedMember:
    return ZstandardFrame(zstandard.ZstdDecompressor())


def unpacked(member: PackedMember, data: bytes, step: int, size: int) -> tuple[bytes, bytes]:
    """A member decompressed a few bytes at a time, and the unused rest."""
    found, place = b"", 0
    while not member.eof:
        piece = b""
        if member.needs_input:
            piece = data[place : place + step]
            place += step
        found += member.decompress(memoryview(piece), size)
    return found, member.unused_data + data[place:]


@pytest.mark.parametrize(
    ("make", "pack"),
    [(GzipMember, gzip.compress), (zstandard_frame, zstandard.compress)],
    ids=["gzip", "Zstandard"],
)
@given(
    text=st.binary(max_size=40).map(lambda some: some * 50),
    rest=st.binary(max_size=40),
    step=st.integers(1, 300),
    size=st.integers(1, 300),
)
def test_a_member_is_unpacked_in_pieces_and_what_follows_is_left(
    make, pack, text, rest, step, size
):
    assert unpacked(make(), pack(text) + rest, step, size) == (text, rest)


@pytest.mark.parametrize(
    ("make", "start"), [(GzipMember, b"\x1f\x8b\x08"), (zstandard_frame, b"\x28\xb5\x2f\xfd")]
)
def test_damage_raises_one_of_the_errors_of_the_member(make, start):
    member = make()
    with pytest.raises(member.errors):
        member.decompress(start + b"\xff" * 100, 1000)
