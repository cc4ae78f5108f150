"""Links packed and unpacked by ranges of pages, bit by bit; `packed.h` has the layout."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy import uint32, uint64
    from numpy.typing import NDArray

    Index = NDArray[uint32]
    Words = NDArray[uint64]

BLOCK = 16
MOST_DEGREE_BITS = 10
CHUNK = 256
TABLES = (
    (0, 4, 8, 10, 2, 6, 11),
    (2, 6, 12, 17, 4, 16, 18),
    (0, 4, 14, 21, 6, 9, 11),
    (0, 2, 5, 9, 3, 7, 13),
    (0, 6, 9, 13, 8, 11, 17),
    (9, 11, 13, 17, 5, 12, 15),
    (2, 5, 8, 10, 6, 11, 13),
    (8, 10, 13, 16, 10, 12, 18),
    (10, 12, 14, 17, 13, 15, 16),
    (8, 11, 18, 21, 5, 20, 22),
    (1, 5, 13, 16, 3, 14, 18),
    (5, 10, 18, 21, 6, 8, 17),
    (0, 4, 7, 14, 10, 12, 21),
    (9, 11, 12, 18, 11, 13, 14),
    (5, 7, 13, 17, 6, 9, 18),
    (11, 13, 15, 17, 9, 16, 21),
)


def width(pages: int) -> int:
    """The bits of the number of a page, of so many."""
    return max(1, (pages - 1).bit_length()) if pages else 1


def encode(
    offsets: NDArray[uint64], links: NDArray[uint32], first: int, wide: int, base: int
) -> tuple[Index, Words]:
    """The index and the words of the pages from `first` on, a multiple of sixteen.

    The links of the first of them are links[offsets[0]:offsets[1]].  `base` words stand before.
    """
    rows = [links[a:b].tolist() for a, b in pairwise(offsets.tolist())]
    index, data = [], bytearray()
    for low in range(0, len(rows), BLOCK):
        apart, block = _encode_block(rows[low : low + BLOCK], first + low, wide)
        data += apart
        index.append(base + len(data) // 8)
        data += block
    return np.array(index, np.uint32), np.frombuffer(bytes(data), "<u8")


def _encode_block(rows: list[list[int]], first: int, wide: int) -> tuple[bytes, bytes]:
    """The lists that stand apart, and the block."""
    pages = range(first, first + len(rows))
    coded = [
        [_encode_list(row, page, (*table, wide)) for row, page in zip(rows, pages, strict=True)]
        for table in TABLES
    ]
    table = min(range(len(TABLES)), key=lambda t: sum(bits for _, bits in coded[t]))
    widths = (*TABLES[table], wide)
    lists = coded[table]
    degrees = [len(row) for row in rows]
    degree_bits, rest_bits, least = _choose_head(degrees, [bits for _, bits in lists])
    is_apart = [degree >= (1 << degree_bits) - 1 for degree in degrees]
    apart, places = b"", []
    for row, page, far in zip(rows, pages, is_apart, strict=True):
        places.append(len(apart) // 8)
        apart += _encode_apart(row, page, widths) if far else b""
    block = degree_bits | rest_bits << 4 | least - 3 << 8 | table << 12
    at = 16
    for (_, bits), degree, far in zip(lists, degrees, is_apart, strict=True):
        rest = 0 if far else bits - least * degree
        block |= (min(degree, (1 << degree_bits) - 1) | rest << degree_bits) << at
        at += degree_bits + rest_bits
    at = 16 + BLOCK * (degree_bits + rest_bits)
    for (value, bits), degree, far, place in zip(lists, degrees, is_apart, places, strict=True):
        block |= (degree | len(apart) // 8 - place << 32 if far else value) << at
        at += 64 if far else bits
    return apart, _words(block, at)


def _encode_list(row: list[int], page: int, widths: tuple[int, ...]) -> tuple[int, int]:
    """A list as a number, and how many bits it takes."""
    value, size, previous = 0, 3 * len(row), page
    for place, link in enumerate(row):
        stored = [_fold(link - previous)] * 4 + [_fold(link - page)] * 3 + [link]
        fits = [s for s in range(8) if 0 <= stored[s] < 1 << widths[s]]
        selector = min(fits, key=lambda s: widths[s])
        value |= selector << 3 * place | stored[selector] << size
        size += widths[selector]
        previous = link
    return value, size


def _fold(distance: int) -> int:
    """A distance as it is stored; less than 0 where there is none."""
    if distance == 0:
        return -1
    return 2 * (distance - 1) if distance > 0 else -2 * distance - 1


def _choose_head(degrees: list[int], sizes: list[int]) -> tuple[int, int, int]:
    """The bits of a degree and of a rest, and the least bits of a link, that cost the fewest."""
    found = []
    for bits in range(1, MOST_DEGREE_BITS + 1):
        lists = list(zip(degrees, sizes, strict=True))
        short = [(degree, size) for degree, size in lists if degree < (1 << bits) - 1]
        chunks = [(degree - 1) // CHUNK + 1 for degree in degrees if degree >= (1 << bits) - 1]
        least = min([18, *(size // degree for degree, size in short if degree)])
        rest = max([0, *(size - least * degree for degree, size in short)]).bit_length()
        cost = BLOCK * (bits + rest) + sum(64 + n // 2 * 64 + n * 32 for n in chunks)
        found.append((cost, bits, rest, least))
    return min(found)[1:]


def _encode_apart(row: list[int], page: int, widths: tuple[int, ...]) -> bytes:
    chunks = [
        _words(*_encode_list(row[at : at + CHUNK], page, widths))
        for at in range(0, len(row), CHUNK)
    ]
    word = len(chunks) // 2
    places = b""
    for chunk in chunks[:-1]:
        word += len(chunk) // 8
        places += word.to_bytes(4, "little")
    return places + bytes(-len(places) % 8) + b"".join(chunks)


def _words(value: int, bits: int) -> bytes:
    return value.to_bytes(-(-bits // 64) * 8, "little")


def _bits(words: Words, start: int, bits: int) -> int:
    """The number in so many bits from a bit on."""
    data = words[start // 64 : (start + bits) // 64 + 1].tobytes()
    return int.from_bytes(data, "little") >> start % 64 & (1 << bits) - 1


class _Head(NamedTuple):
    degree_bits: int
    rest_bits: int
    least: int
    table: int


def _head(words: Words, begin: int) -> _Head:
    head = _bits(words, begin, 16)
    return _Head(head & 15, head >> 4 & 15, 3 + (head >> 8 & 15), head >> 12)


def _place(words: Words, begin: int, head: _Head, place: int) -> tuple[int, int | None]:
    """The bit at which a list of a block begins, and its degree; None where it stands apart."""
    bits = head.degree_bits + head.rest_bits
    most = (1 << head.degree_bits) - 1
    start = begin + 16 + BLOCK * bits
    for at in range(place + 1):
        rest, degree = divmod(_bits(words, begin + 16 + at * bits, bits), most + 1)
        if at < place:
            start += 64 if degree == most else head.least * degree + rest
    return start, None if degree == most else degree


def _lists(index: Index, words: Words, page: int) -> tuple[list[tuple[int, int]], int]:
    """At which bits the lists begin that hold the links of a page, how many each has; the table."""
    begin = 64 * int(index[page // BLOCK])
    head = _head(words, begin)
    start, degree = _place(words, begin, head, page % BLOCK)
    if degree is not None:
        return [(start, degree)], head.table
    degree, back = _bits(words, start, 32), _bits(words, start + 32, 32)
    begin -= 64 * back
    chunks = -(-degree // CHUNK)
    places = [chunks // 2, *(_bits(words, begin + 32 * at, 32) for at in range(chunks - 1))]
    return [
        (begin + 64 * place, min(CHUNK, degree - at * CHUNK)) for at, place in enumerate(places)
    ], head.table


def degrees(index: Index, words: Words, first: int, last: int) -> NDArray[uint64]:
    """How many links each of the pages from `first` to `last` - 1 has."""
    found = []
    for page in range(first, last):
        begin = 64 * int(index[page // BLOCK])
        start, degree = _place(words, begin, _head(words, begin), page % BLOCK)
        found.append(_bits(words, start, 32) if degree is None else degree)
    return np.array(found, np.uint64)


def decode(
    index: Index, words: Words, first: int, last: int, wide: int, into: NDArray[uint32]
) -> None:
    """Write the links of the pages from `first` to `last` - 1, which `into` has room for."""
    found: list[int] = []
    for page in range(first, last):
        lists, table = _lists(index, words, page)
        for start, count in lists:
            found += _decode_list(words, start, count, page, (*TABLES[table], wide))[0]
    into[: len(found)] = found


def _decode_list(
    words: Words, start: int, count: int, page: int, widths: tuple[int, ...]
) -> tuple[list[int], int]:
    """The links of a list, and how many bits it takes."""
    bits = _bits(words, start, count * (3 + max(widths)))
    links, at, previous = [], 3 * count, page
    for selector in (bits >> 3 * i & 7 for i in range(count)):
        value = bits >> at & (1 << widths[selector]) - 1
        at += widths[selector]
        if selector == 7:
            previous = value
        else:
            away = -(value // 2 + 1) if value % 2 else value // 2 + 1
            previous = ((previous if selector < 4 else page) + away) & 0xFFFFFFFF
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
    end = 64 * (len(words) - 1)
    begin = 64 * int(index[page // BLOCK])
    if begin + 16 > end:
        return True
    head = _head(words, begin)
    fields = BLOCK * (head.degree_bits + head.rest_bits)
    if not 0 < head.degree_bits <= MOST_DEGREE_BITS or begin + 16 + fields > end:
        return True
    start, degree = _place(words, begin, head, page % BLOCK)
    if degree is None:
        if start + 64 > end:
            return True
        degree, back = _bits(words, start, 32), _bits(words, start + 32, 32)
        chunks = -(-degree // CHUNK)
        if not 0 < degree <= pages or 64 * back > begin:
            return True
        if begin - 64 * back + 64 * (chunks // 2) > end:
            return True
    lists, table = _lists(index, words, page)
    for start, count in lists:
        if count and (start >= end or start + 3 * count > end):
            return True
        links, bits = _decode_list(words, start, count, page, (*TABLES[table], wide))
        if count and (start + bits > end or max(links) >= pages):
            return True
    return False
