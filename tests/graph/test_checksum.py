"""The checksum that is verified whenever a graph is opened."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.graph.checksum import PIECE, WORD, Checksum, K


def checksum_of(*pieces: bytes) -> str:
    checksum = Checksum()
    for piece in pieces:
        checksum.update(piece)
    return checksum.hexdigest()


def by_definition(data: bytes) -> str:
    """Σ w_p · (2·K·p + 1), a word at a time."""
    words = [int.from_bytes(data[at : at + 8], "little") for at in range(0, len(data), 8)]
    return f"{sum(w * (2 * K * p + 1) for p, w in enumerate(words)) & WORD:016x}"


@given(st.lists(st.binary(max_size=70), max_size=8))
def test_it_is_the_sum_of_the_definition_however_the_bytes_come(pieces: list[bytes]) -> None:
    assert checksum_of(*pieces) == checksum_of(b"".join(pieces)) == by_definition(b"".join(pieces))


@pytest.mark.parametrize("size", [0, 1, 8, 4095, 4096, 4104, PIECE, PIECE + 4101, 2 * PIECE + 8])
def test_long_bytes_are_added_up_by_rows_and_columns(size: int) -> None:
    data = np.random.default_rng(size).bytes(size)
    assert checksum_of(data) == checksum_of(data[:5], data[5:]) == by_definition(data)


@given(st.binary(min_size=1, max_size=6000), st.data())
def test_no_single_flip_and_no_swap_goes_unnoticed(data: bytes, draw: st.DataObject) -> None:
    before = checksum_of(data)
    place = draw.draw(st.integers(0, 8 * len(data) - 1))
    flipped = bytearray(data)
    flipped[place // 8] ^= 1 << place % 8
    assert checksum_of(bytes(flipped)) != before
    words = [data[at : at + 8] for at in range(0, len(data) // 8 * 8, 8)]
    if len(words) > 1 and words[0] != words[-1]:
        swapped = [words[-1], *words[1:-1], words[0]]
        assert checksum_of(b"".join(swapped)) != checksum_of(b"".join(words))
