"""Links packed and unpacked by ranges of pages, bit by bit; `packed.h` has the layout."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy import uint32, uint64
    from numpy.typing import NDArray

    Index = NDArray[uint32]
    Words = NDArray[uint64]

PAGES_IN_LINE = 7
MOST_SHORT = 1024
LONG = 0xFFFF
CHUNK = 256
WIDTHS = (0, 3, 6, 9, 12, 16, 20)


def width(pages: int) -> int:
    """The bits of the widest gap of a graph with so many pages."""
    return min(32, (2 * pages + 1).bit_length())


def encode(
    offsets: NDArray[uint64], links: NDArray[uint32], first: int, wide: int, base: int
) -> tuple[Index, Words]:
    """The lines and the words of the pages from `first` on, a multiple of seven.

    The links of the first of them are links[offsets[0]:offsets[1]].  `base` words stand before.
    """
    bounds = offsets.tolist()
    rows = [links[a:b].tolist() for a, b in pairwise(bounds)]
    lines, data = bytearray(), bytearray()
    for low in range(0, len(rows), PAGES_IN_LINE):
        lists = []
        for page, row in enumerate(rows[low : low + PAGES_IN_LINE], first + low):
            if len(row) <= MOST_SHORT:
                lists.append((_encode_list(row, page, wide), len(row)))
            else:
                place = (base + len(data) // 8).to_bytes(8, "little")
                lists.append((place + len(row).to_bytes(8, "little"), LONG))
                data += _encode_long(row, page, wide)
        lines += (base + len(data) // 8).to_bytes(4, "little")
        block = b""
        for coded, degree in lists + [(b"", 0)] * (PAGES_IN_LINE - len(lists)):
            lines += len(block).to_bytes(2, "little") + degree.to_bytes(2, "little")
            block += coded
        data += _pad(block)
    return np.frombuffer(bytes(lines), "<u4"), np.frombuffer(bytes(data), "<u8")


def _encode_list(row: list[int], previous: int, wide: int) -> bytes:
    widths = (*WIDTHS, wide)
    bits, size = 0, 3 * len(row)
    for place, link in enumerate(row):
        gap = (link - previous - 1) & 0xFFFFFFFF
        folded = ((gap << 1) ^ (0xFFFFFFFF if gap >> 31 else 0)) & 0xFFFFFFFF
        previous = link
        fits = [s for s in range(7) if folded >> widths[s] == 0 and widths[s] <= wide]
        selector = fits[0] if fits else 7
        bits |= selector << 3 * place | folded << size
        size += widths[selector]
    return bits.to_bytes((size + 7) // 8, "little")


def _encode_long(row: list[int], page: int, wide: int) -> bytes:
    chunks = [
        _pad(_encode_list(row[at : at + CHUNK], page, wide)) for at in range(0, len(row), CHUNK)
    ]
    word = (len(chunks) + 1) // 2
    places = b""
    for chunk in chunks:
        places += word.to_bytes(4, "little")
        word += len(chunk) // 8
    return _pad(places) + b"".join(chunks)


def _pad(data: bytes) -> bytes:
    return data + bytes(-len(data) % 8)


def _line(index: Index, words: Words, page: int) -> tuple[int, int]:
    """The byte at which the list of a page begins, and its degree or LONG."""
    line, place = divmod(page, PAGES_IN_LINE)
    entry = int(index[8 * line + 1 + place])
    return 8 * int(index[8 * line]) + (entry & 0xFFFF), entry >> 16


def _number(words: Words, place: int, size: int) -> int:
    """The number in so many bytes from a place on."""
    data = words[place // 8 : (place + size) // 8 + 1].tobytes()
    return int.from_bytes(data[place % 8 : place % 8 + size], "little")


def _degree(index: Index, words: Words, page: int) -> int:
    place, degree = _line(index, words, page)
    return _number(words, place + 8, 8) if degree == LONG else degree


def degrees(index: Index, words: Words, first: int, last: int) -> NDArray[uint64]:
    """How many links each of the pages from `first` to `last` - 1 has."""
    return np.array([_degree(index, words, page) for page in range(first, last)], np.uint64)


def decode(
    index: Index, words: Words, first: int, last: int, wide: int, into: NDArray[uint32]
) -> None:
    """Write the links of the pages from `first` to `last` - 1, which `into` has room for."""
    found: list[int] = []
    for page in range(first, last):
        for place, count in _lists(index, words, page):
            found += _decode_list(words, place, count, page, wide)[0]
    into[: len(found)] = found


def _lists(index: Index, words: Words, page: int) -> list[tuple[int, int]]:
    """Where the lists begin that hold the links of a page, and how many each has."""
    place, degree = _line(index, words, page)
    if degree != LONG:
        return [(place, degree)]
    begin, degree = 8 * _number(words, place, 8), _number(words, place + 8, 8)
    return [
        (begin + 8 * _number(words, begin + 4 * (at // CHUNK), 4), min(CHUNK, degree - at))
        for at in range(0, degree, CHUNK)
    ]


def _decode_list(
    words: Words, place: int, count: int, previous: int, wide: int
) -> tuple[list[int], int]:
    """The links of a list, and how many bits it takes."""
    widths = (*WIDTHS, wide)
    most = (count * (3 + wide) + 7) // 8
    bits = _number(words, place, most)
    links, at = [], 3 * count
    for selector in (bits >> 3 * i & 7 for i in range(count)):
        folded = bits >> at & (1 << widths[selector]) - 1
        at += widths[selector]
        gap = folded >> 1 ^ (0xFFFFFFFF if folded & 1 else 0)
        previous = (previous + 1 + gap) & 0xFFFFFFFF
        links.append(previous)
    return links, at


def fault(index: Index, words: Words, first: int, last: int, pages: int, wide: int) -> int:
    """The first page from `first` to `last` - 1 whose list is damaged, or -1.

    A list is damaged where it goes past the end of the data or names a page that is not there.
    """
    for page in range(first, last):
        if _is_damaged(index, words, page, pages, wide):
            return page
    return -1


def _is_damaged(index: Index, words: Words, page: int, pages: int, wide: int) -> bool:
    end = 8 * (len(words) - 1)
    place, degree = _line(index, words, page)
    if degree > MOST_SHORT:
        if degree != LONG or place + 16 > end:
            return True
        begin, degree = 8 * _number(words, place, 8), _number(words, place + 8, 8)
        if not MOST_SHORT < degree <= pages or begin + 4 * (-(-degree // CHUNK)) > end:
            return True
    for place, count in _lists(index, words, page):
        if count and (place >= end or place + (3 * count + 7) // 8 > end):
            return True
        links, bits = _decode_list(words, place, count, page, wide)
        if count and (8 * place + bits > 8 * end or max(links) >= pages):
            return True
    return False
