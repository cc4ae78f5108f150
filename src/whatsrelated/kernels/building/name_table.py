"""Sorted strings, front-coded in blocks of 32, in plain Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.errors import GraphFormatError
from whatsrelated.kernels.building.sort_keys import packed
from whatsrelated.names.keys import name_of
from whatsrelated.stream import Names

if TYPE_CHECKING:
    from numpy import int64, uint8, uint64
    from numpy.typing import NDArray

BLOCK = 32
LONGEST = 56
"""Maximum number of bits in a length."""


def _length(value: int) -> bytes:
    coded = bytearray()
    while value >= 128:
        coded.append(value & 127 | 128)
        value >>= 7
    coded.append(value)
    return bytes(coded)


def _read_length(data: Any, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(data) and shift <= LONGEST - 7:
        byte = int(data[at])
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
    raise _damaged()


def _read_rest(data: Any, at: int) -> tuple[bytes, int]:
    """The bytes of a length-prefixed string, and the position after them."""
    size, at = _read_length(data, at)
    if size > len(data) - at:
        raise _damaged()
    return bytes(data[at : at + size]), at + size


def _damaged() -> GraphFormatError:
    return GraphFormatError("The strings of the graph are damaged; build the graph again.")


def _shared(a: bytes, b: bytes) -> int:
    size = 0
    while size < min(len(a), len(b)) and a[size] == b[size]:
        size += 1
    return size


def encode(text: Any, ends: Any) -> tuple[NDArray[uint8], NDArray[uint64]]:
    """The front-coded bytes of ascending strings, and the start of each block."""
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
    first, at = _read_rest(coded, int(blocks[block]))
    keys = [first]
    for _ in range(1, count):
        shared, at = _read_length(coded, at)
        suffix, at = _read_rest(coded, at)
        if shared > len(keys[-1]):
            raise _damaged()
        keys.append(keys[-1][:shared] + suffix)
    return keys


class Table:
    """Strings by number, as `encode` wrote them."""

    def __init__(self, coded: Any, blocks: Any, count: int) -> None:
        if not 0 <= count <= BLOCK * len(blocks):
            raise GraphFormatError(f"{len(blocks)} blocks cannot hold {count} strings.")
        self.coded, self.blocks, self.count = coded, blocks, count

    def get(self, index: int) -> bytes:
        """The string at `index`."""
        if not 0 <= index < self.count:
            raise IndexError(f"no string {index} of {self.count}")
        return _block(self.coded, self.blocks, index // BLOCK, index % BLOCK + 1)[-1]

    def get_many(self, indices: Any) -> tuple[NDArray[uint8], NDArray[uint64]]:
        """The strings at many indices, packed: their bytes and ends."""
        return packed([self.get(int(index)) for index in indices])

    def spell(self, indices: Any) -> tuple[NDArray[uint8], NDArray[uint64]]:
        """The names of the pages with the sort keys at these indices, packed."""
        return packed([name.encode() for name in self.urls(indices)])

    def url(self, index: int) -> str:
        """The name of the page with the sort key at `index`."""
        try:
            return name_of(self.get(index))
        except UnicodeDecodeError:
            raise _damaged() from None

    def urls(self, indices: Any) -> list[str]:
        """The names of the pages with the sort keys at these indices."""
        return [self.url(int(index)) for index in indices]

    def find(self, key: bytes) -> int:
        """The index of `key` or, if it is absent, -1 minus its insertion index."""
        low, high = 0, -(-self.count // BLOCK)
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
        """`find` for many packed keys."""
        return np.array([self.find(key) for key in Names(text, ends)], np.int64)
