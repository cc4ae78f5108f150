"""Sorted strings, front-coded in blocks of 32, in plain Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.kernels.plain.keys import packed
from whatsrelated.names.keys import name_of
from whatsrelated.stream import Names

if TYPE_CHECKING:
    from numpy import int64, uint8, uint64
    from numpy.typing import NDArray

BLOCK = 32


def _length(value: int) -> bytes:
    coded = bytearray()
    while value >= 128:
        coded.append(value & 127 | 128)
        value >>= 7
    coded.append(value)
    return bytes(coded)


def _read_length(data: Any, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = int(data[at])
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def _shared(a: bytes, b: bytes) -> int:
    size = 0
    while size < min(len(a), len(b)) and a[size] == b[size]:
        size += 1
    return size


def encode(text: Any, ends: Any) -> tuple[NDArray[uint8], NDArray[uint64]]:
    """The front-coded bytes of ascending strings, and where each block begins."""
    coded = bytearray()
    blocks = []
    before = b""
    for index, key in enumerate(Names(text, ends)):
        if index % BLOCK == 0:
            blocks.append(len(coded))
            coded += _length(len(key)) + key
        else:
            shared = _shared(before, key)
            coded += _length(shared) + _length(len(key) - shared) + key[shared:]
        before = key
    return np.frombuffer(bytes(coded), np.uint8), np.array(blocks, np.uint64)


def _block(coded: Any, blocks: Any, block: int, count: int) -> list[bytes]:
    at = int(blocks[block])
    size, at = _read_length(coded, at)
    keys = [bytes(coded[at : at + size])]
    at += size
    for _ in range(1, count):
        shared, at = _read_length(coded, at)
        rest, at = _read_length(coded, at)
        keys.append(keys[-1][:shared] + bytes(coded[at : at + rest]))
        at += rest
    return keys


class Table:
    """Strings by number, as `encode` wrote them."""

    def __init__(self, coded: Any, blocks: Any, count: int) -> None:
        self.coded, self.blocks, self.count = coded, blocks, count

    def get(self, index: int) -> bytes:
        """The string at `index`."""
        return _block(self.coded, self.blocks, index // BLOCK, index % BLOCK + 1)[-1]

    def get_many(self, indices: Any) -> tuple[NDArray[uint8], NDArray[uint64]]:
        """The strings at many indices, packed: their bytes and ends."""
        return packed([self.get(int(index)) for index in indices])

    def url(self, index: int) -> str:
        """The name of the page whose sort key stands at `index`."""
        return name_of(self.get(index))

    def urls(self, indices: Any) -> list[str]:
        """The names of the pages whose sort keys stand at these indices."""
        return [self.url(int(index)) for index in indices]

    def find(self, key: bytes) -> int:
        """The index of `key`, or -1 - the index before which it would stand."""
        low, high = 0, len(self.blocks)
        while low < high:
            middle = (low + high) // 2
            if self.get(middle * BLOCK) <= key:
                low = middle + 1
            else:
                high = middle
        if low == 0:
            return -1
        start = (low - 1) * BLOCK
        size = min(BLOCK, self.count - start)
        for index, other in enumerate(_block(self.coded, self.blocks, low - 1, size)):
            if other == key:
                return start + index
            if other > key:
                return -1 - start - index
        return -1 - min(start + BLOCK, self.count)

    def find_many(self, text: Any, ends: Any) -> NDArray[int64]:
        """`find` for every one of many packed keys."""
        return np.array([self.find(key) for key in Names(text, ends)], np.int64)
