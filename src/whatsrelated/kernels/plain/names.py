"""Sorted strings, front-coded in blocks of 32, in plain Python."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy import bool_, int32, int64, uint8, uint32, uint64
    from numpy.typing import NDArray

BLOCK = 32


def _strings(text: Any, ends: Any) -> list[bytes]:
    data = bytes(text)
    stops = [int(end) for end in ends]
    return [data[start:stop] for start, stop in pairwise(stops)]


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
    for index, key in enumerate(_strings(text, ends)):
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


def get(coded: Any, blocks: Any, index: int) -> bytes:
    """The string at `index`."""
    return _block(coded, blocks, index // BLOCK, index % BLOCK + 1)[-1]


def find(coded: Any, blocks: Any, count: int, key: bytes) -> int:
    """The index of `key`, or -1 - the index before which it would stand."""
    low, high = 0, len(blocks)
    while low < high:
        middle = (low + high) // 2
        if get(coded, blocks, middle * BLOCK) <= key:
            low = middle + 1
        else:
            high = middle
    if low == 0:
        return -1
    start = (low - 1) * BLOCK
    for index, other in enumerate(_block(coded, blocks, low - 1, min(BLOCK, count - start))):
        if other == key:
            return start + index
        if other > key:
            return -1 - start - index
    return -1 - min(start + BLOCK, count)


def find_many(coded: Any, blocks: Any, count: int, text: Any, ends: Any) -> NDArray[int64]:
    """`find` for every one of many packed keys."""
    found = [find(coded, blocks, count, key) if count else -1 for key in _strings(text, ends)]
    return np.array(found, np.int64)


def sort(text: Any, ends: Any) -> NDArray[uint32]:
    """The order that sorts packed strings (none with a NUL byte); equal ones keep theirs."""
    keys = _strings(text, ends)
    return np.array(sorted(range(len(keys)), key=keys.__getitem__), np.uint32)


def take(text: Any, ends: Any, order: Any) -> tuple[NDArray[uint8], NDArray[uint64]]:
    """The packed strings in another order: their bytes and ends."""
    keys = _strings(text, ends)
    return _packed([keys[index] for index in order])


def differs(text: Any, ends: Any) -> NDArray[bool_]:
    """For each packed string, whether it differs from the one before (the first does)."""
    keys = _strings(text, ends)
    return np.array([not i or key != keys[i - 1] for i, key in enumerate(keys)], np.bool_)


def _packed(keys: list[bytes]) -> tuple[NDArray[uint8], NDArray[uint64]]:
    ends = np.zeros(len(keys) + 1, np.uint64)
    np.cumsum([len(key) for key in keys], out=ends[1:], dtype=np.uint64)
    return np.frombuffer(b"".join(keys), np.uint8), ends


def number_keys(numbers: Any) -> tuple[NDArray[uint8], NDArray[uint64]]:
    """The packed sort keys of numbers: byte 6, "0" + the count of digits, the digits."""
    digits = [str(int(number)) for number in numbers]
    return _packed([b"\x06%c" % (48 + len(text)) + text.encode() for text in digits])


def hosts(text: Any, ends: Any) -> tuple[NDArray[uint32], NDArray[int32], NDArray[bool_]]:
    """Of each key of a page: where its host part ends (0 for a plain name), its port (or -1),
    and whether it is on another host or port than the key before."""
    keys = _strings(text, ends)
    sizes = np.zeros(len(keys), np.uint32)
    ports = np.full(len(keys), -1, np.int32)
    changes = np.ones(len(keys), np.bool_)
    before: tuple[bytes, int] | None = None
    for index, key in enumerate(keys):
        host = None
        if key and 1 <= key[-1] <= 4:
            sizes[index] = key.index(b")")
            _, mark, digits = key[:-1].rpartition(b"\x05")
            if mark and all(48 <= digit <= 57 for digit in digits):
                ports[index] = _port(digits)
            host = key[: sizes[index]], int(ports[index])
            changes[index] = host != before
        before = host
    return sizes, ports, changes


def _port(digits: bytes) -> int:
    port = 0
    for digit in digits:
        if port < 100000:
            port = port * 10 + digit - 48
    return port


_EASY_URL = re.compile(
    rb"(https?)://((?:(?:(?!--)[a-z0-9_-])+\.)*[a-z](?:(?!--)[a-z0-9_-])*)(/[A-Za-z0-9._~!$&'()*+,;=:@/-]*)"
)
_EASY_NAME = re.compile(rb"(?![0-9]+$)[!-9;-~]+")


def easy_keys(
    text: Any, ends: Any, plain: bool, http: bool
) -> tuple[NDArray[bool_], NDArray[uint8], NDArray[uint64]]:
    """The keys of names that are already canonical at a glance: which they are, and their keys.

    `plain`: a name that is no URL is a plain name; `http`: an http URL stays one.
    """
    keys = [_easy_key(raw, plain, http) for raw in _strings(text, ends)]
    found = np.array([key is not None for key in keys], np.bool_)
    return found, *_packed([key for key in keys if key is not None])


def _easy_key(raw: bytes, plain: bool, http: bool) -> bytes | None:
    if len(raw) > 2000:
        return None
    if raw.startswith((b"https://", b"http://")):
        url = _EASY_URL.fullmatch(raw)
        if url is None or b"/." in url[3] or (url[1] == b"http" and not http):
            return None
        host = b",".join(reversed(url[2].split(b".")))
        return host + b")" + url[3] + (b"\x02" if url[1] == b"https" else b"\x01")
    return raw if plain and _EASY_NAME.fullmatch(raw) else None


def get_many(coded: Any, blocks: Any, indices: Any) -> tuple[NDArray[uint8], NDArray[uint64]]:
    """The strings at many indices, packed: their bytes and ends."""
    return _packed([get(coded, blocks, int(index)) for index in indices])
