"""Packed sort keys of names, in plain Python."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.stream import Names

if TYPE_CHECKING:
    from numpy import bool_, int32, uint8, uint32, uint64
    from numpy.typing import NDArray


def packed(strings: list[bytes]) -> tuple[NDArray[uint8], NDArray[uint64]]:
    names = Names.of(strings)
    return names.blob, names.offsets


def sort(text: Any, ends: Any) -> NDArray[uint32]:
    """The stable sort order of packed strings without NUL bytes."""
    keys = list(Names(text, ends))
    return np.array(sorted(range(len(keys)), key=keys.__getitem__), np.uint32)


def take(text: Any, ends: Any, order: Any) -> tuple[NDArray[uint8], NDArray[uint64]]:
    """The packed strings in this order: their bytes and ends."""
    keys = list(Names(text, ends))
    return packed([keys[index] for index in order])


def differs(text: Any, ends: Any) -> NDArray[bool_]:
    """For each packed string, whether it differs from the one before (the first does)."""
    keys = list(Names(text, ends))
    return np.array([not i or key != keys[i - 1] for i, key in enumerate(keys)], np.bool_)


def number_keys(numbers: Any) -> tuple[NDArray[uint8], NDArray[uint64]]:
    """The packed sort keys of numbers: byte 6, "0" + the count of digits, the digits."""
    digits = [str(int(number)) for number in numbers]
    return packed([b"\x06%c" % (48 + len(text)) + text.encode() for text in digits])


def hosts(text: Any, ends: Any) -> tuple[NDArray[uint32], NDArray[int32], NDArray[bool_]]:
    """For each key: the length of its host (0 for a plain name), its port (or -1), and
    whether its host or port differs from the key before.
    """
    keys = list(Names(text, ends))
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
    """Which names are clearly canonical, and their packed keys.

    `plain` accepts names that are not URLs as plain names; `http` keeps http instead of changing it
    to https.
    """
    keys = [_easy_key(raw, plain, http) for raw in list(Names(text, ends))]
    is_easy = np.array([key is not None for key in keys], np.bool_)
    return is_easy, *packed([key for key in keys if key is not None])


def easy_key(name: bytes) -> bytes | None:
    """The key of a clearly canonical name, None for any other."""
    return _easy_key(name, True, True)


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
