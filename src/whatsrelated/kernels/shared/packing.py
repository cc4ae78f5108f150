"""Pack and unpack links by ranges of pages, bit by bit; `packed.h` describes the layout."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy import uint32, uint64
    from numpy.typing import NDArray

    Index = NDArray[uint32]
    Longs = NDArray[uint32]
    Words = NDArray[uint64]

BLOCK, GROUP = 16, 4
STARTS = BLOCK // GROUP - 1
LINE = 4 + BLOCK
LONG = 255
HEAD = 9
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
    """The number of bits of a page number in a graph of `pages` pages."""
    return max(1, (pages - 1).bit_length()) if pages else 1


def encode(
    offsets: NDArray[uint64], links: NDArray[uint32], first: int, wide: int, base: int
) -> tuple[Index, Longs, Words]:
    """The index, the long entries and the words of the pages from `first`, a multiple of 16.

    The links of page `first` are links[offsets[0]:offsets[1]].  `base` words come before these.
    """
    rows = [links[a:b].tolist() for a, b in pairwise(offsets.tolist())]
    index, longs, data = bytearray(), [], bytearray()
    for low in range(0, len(rows), BLOCK):
        lists = list(enumerate(rows[low : low + BLOCK], first + low))
        for page, row in lists:
            if len(row) >= LONG:
                longs += [page, len(row), base + len(data) // 8]
                data += _encode_long(row, page, wide)
        index += (base + len(data) // 8).to_bytes(4, "little")
        index += bytes(min(len(row), LONG) for _, row in lists).ljust(BLOCK, b"\0")
        data += _encode_block([(p, row if len(row) < LONG else []) for p, row in lists], wide)
    return (
        np.frombuffer(bytes(index), "<u4"),
        np.array(longs, np.uint32),
        np.frombuffer(bytes(data), "<u8"),
    )


def _encode_block(rows: list[tuple[int, list[int]]], wide: int) -> bytes:
    """The block of some pages, without their long lists."""
    table, lists = _choose_table(rows, wide)
    starts, value, size = [], 0, 0
    for place, (coded, bits) in enumerate(lists + [(0, 0)] * (BLOCK - len(lists))):
        if place and place % GROUP == 0:
            starts.append(size)
        value |= coded << size
        size += bits
    bits = starts[-1].bit_length()
    block = bits | table << 5
    for at, start in enumerate(starts):
        block |= start << HEAD + at * bits
    head = HEAD + STARTS * bits
    return _words(block | value << head, head + size)


def _encode_long(row: list[int], page: int, wide: int) -> bytes:
    """A long list, in chunks."""
    cut = [(page, row[at : at + CHUNK]) for at in range(0, len(row), CHUNK)]
    table, lists = _choose_table(cut, wide)
    chunks = [_words(*coded) for coded in lists]
    word = _words_before_chunks(len(row))
    places = table.to_bytes(4, "little")
    for chunk in chunks[:-1]:
        word += len(chunk) // 8
        places += word.to_bytes(4, "little")
    return places + bytes(-len(places) % 8) + b"".join(chunks)


def _words_before_chunks(degree: int) -> int:
    return (-(-degree // CHUNK) + 1) // 2


def _choose_table(
    rows: list[tuple[int, list[int]]], wide: int
) -> tuple[int, list[tuple[int, int]]]:
    """The table in which some lists take the fewest bits, and the lists in it."""
    coded = [[_encode_list(row, page, (*table, wide)) for page, row in rows] for table in TABLES]
    best = min(range(len(TABLES)), key=lambda table: sum(bits for _, bits in coded[table]))
    return best, coded[best]


def _encode_list(row: list[int], page: int, widths: tuple[int, ...]) -> tuple[int, int]:
    """A list as a number, and its size in bits."""
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
    """A distance as it is stored; -1 for a distance of 0, which cannot be stored."""
    if distance == 0:
        return -1
    return 2 * (distance - 1) if distance > 0 else -2 * distance - 1


def _words(value: int, bits: int) -> bytes:
    return value.to_bytes(-(-bits // 64) * 8, "little")


def _bits(words: Words, start: int, bits: int) -> int:
    """The number in `bits` bits, starting at the bit `start`."""
    data = words[start // 64 : (start + bits) // 64 + 1].tobytes()
    return int.from_bytes(data, "little") >> start % 64 & (1 << bits) - 1


class _List(NamedTuple):
    start: int
    degree: int
    table: int


def _short_degree(index: Index, page: int) -> int:
    """The degree of a page, or LONG."""
    line, place = divmod(page, BLOCK)
    return int(index.view(np.uint8)[LINE * line + 4 + place])


def _long(longs: Longs, page: int) -> tuple[int, int]:
    """Degree and word of a long list; a degree of 0 if there is none."""
    entries = longs[: len(longs) // 3 * 3].reshape(-1, 3)
    at = int(np.searchsorted(entries[:, 0], page, "right")) - 1
    exists = at >= 0 and int(entries[at, 0]) == page
    return (int(entries[at, 1]), int(entries[at, 2])) if exists else (0, 0)


def _short_list(index: Index, words: Words, page: int, wide: int) -> _List:
    """A list in its block: its first bit, degree and table."""
    begin = 64 * int(index[page // BLOCK * LINE // 4])
    head = _bits(words, begin, HEAD)
    bits, table = head & 31, head >> 5
    start = begin + HEAD + STARTS * bits
    group = page % BLOCK // GROUP
    start += _bits(words, begin + HEAD + (group - 1) * bits, bits) if group else 0
    for before in range(page - page % GROUP, page):
        degree = _short_degree(index, before)
        if degree != LONG:
            start += _size(words, start, degree, (*TABLES[table], wide))
    return _List(start, _short_degree(index, page), table)


def _size(words: Words, start: int, count: int, widths: tuple[int, ...]) -> int:
    """The size of a list in bits."""
    selectors = _bits(words, start, 3 * count)
    return sum(3 + widths[selectors >> 3 * at & 7] for at in range(count))


def _lists(index: Index, longs: Longs, words: Words, page: int, wide: int) -> list[_List]:
    """The lists that hold the links of a page: one, or its chunks."""
    if _short_degree(index, page) != LONG:
        return [_short_list(index, words, page, wide)]
    degree, word = _long(longs, page)
    table = _bits(words, 64 * word, 32) % len(TABLES)
    places = [
        _bits(words, 64 * word + 32 * at, 32) if at else _words_before_chunks(degree)
        for at in range(-(-degree // CHUNK))
    ]
    return [
        _List(64 * (word + place), min(CHUNK, degree - at * CHUNK), table)
        for at, place in enumerate(places)
    ]


def degrees(index: Index, longs: Longs, words: Words, first: int, last: int) -> NDArray[uint64]:
    """The number of links per page, from `first` to `last` - 1."""
    short = [_short_degree(index, page) for page in range(first, last)]
    counts = [
        _long(longs, page)[0] if degree == LONG else degree
        for page, degree in enumerate(short, first)
    ]
    return np.array(counts, np.uint64)


def decode(
    index: Index,
    longs: Longs,
    words: Words,
    first: int,
    last: int,
    wide: int,
    into: NDArray[uint32],
) -> None:
    """Write the links of the pages from `first` to `last` - 1 to `into`."""
    values: list[int] = []
    for page in range(first, last):
        for start, count, table in _lists(index, longs, words, page, wide):
            values += _decode_list(words, start, count, page, (*TABLES[table], wide))[0]
    into[: len(values)] = values


def _decode_list(
    words: Words, start: int, count: int, page: int, widths: tuple[int, ...]
) -> tuple[list[int], int]:
    """The links of a list, and its size in bits."""
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


def fault(
    index: Index, longs: Longs, words: Words, first: int, last: int, pages: int, wide: int
) -> int:
    """The first page from `first` to `last` - 1 whose list is damaged, or -1.

    A list is damaged if it goes past the end of the data, links to a page that does not exist,
    or contradicts the index.
    """
    for page in range(first, last):
        if _is_damaged(index, longs, words, page, pages, wide):
            return page
    return -1


def _is_damaged(index: Index, longs: Longs, words: Words, page: int, pages: int, wide: int) -> bool:
    end = 64 * (len(words) - 1)
    begin = 64 * int(index[page // BLOCK * LINE // 4])
    if begin + HEAD > end or begin + HEAD + STARTS * (_bits(words, begin, 5)) > end:
        return True
    if _short_degree(index, page) == LONG:
        degree, word = _long(longs, page)
        if not LONG <= degree <= pages or 64 * (word + _words_before_chunks(degree)) > end:
            return True
        if _bits(words, 64 * word, 32) >= len(TABLES):
            return True
    for start, count, table in _lists(index, longs, words, page, wide):
        if count and start + 3 * count > end:
            return True
        links, bits = _decode_list(words, start, count, page, (*TABLES[table], wide))
        if count and (start + bits > end or max(links) >= pages):
            return True
    return _next_group_is_elsewhere(index, words, page, wide)


def _next_group_is_elsewhere(index: Index, words: Words, page: int, wide: int) -> bool:
    """Whether this is the last page of its group, and the next group does not start right after
    it.
    """
    if page % GROUP < GROUP - 1 or page % BLOCK == BLOCK - 1:
        return False
    start, degree, table = _short_list(index, words, page, wide)
    if degree != LONG:
        start += _size(words, start, degree, (*TABLES[table], wide))
    return start != _short_list(index, words, page + 1, wide).start
