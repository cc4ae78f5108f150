# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Links packed and unpacked by ranges of pages; `packed.h` has the layout."""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from whatsrelated.kernels._packed cimport (
    CHUNK, LINE_BYTES, LONG, MOST_SHORT, PAGES_IN_LINE,
    bits_of_list, decode_list, decode_part, encode_list, entry_of, line_of, list_of, load_16,
    load_32, load_64, packed_degree,
)


def width(uint64_t pages):
    """The bits of the widest gap of a graph with so many pages."""
    return min(32, (2 * pages + 1).bit_length())


def encode(
    const uint64_t[::1] offsets, const uint32_t[::1] links, uint32_t first, uint32_t wide,
    uint64_t base,
):
    """The lines and the words of the pages from `first` on, a multiple of seven.

    The links of the first of them are links[offsets[0]:offsets[1]].  `base` words stand before.
    """
    cdef uint64_t pages = offsets.shape[0] - 1, lines = (pages + PAGES_IN_LINE - 1) // PAGES_IN_LINE
    cdef uint64_t count = offsets[pages] - offsets[0] if pages else 0
    # What a link takes at most, a chunk's and a block's padding, and the place of a long list.
    room = (count * (3 + wide) // 64 + count // 64 + 3 * pages + 3 * lines + 8)
    words, index = np.zeros(room, np.uint64), np.zeros(8 * lines, np.uint32)
    cdef uint64_t[::1] to_words = words
    cdef uint32_t[::1] to_index = index
    cdef uint8_t *data = <uint8_t *>&to_words[0]
    cdef uint64_t used = 0, line
    if lines:
        with nogil:
            for line in range(lines):
                used = encode_line(
                    &offsets[0], &links[0], line, pages, first, wide, base, data, used,
                    <uint8_t *>&to_index[8 * line],
                )
    return index, words[:used]


cdef uint64_t encode_line(
    const uint64_t *offsets, const uint32_t *links, uint64_t line, uint64_t pages, uint32_t first,
    uint32_t wide, uint64_t base, uint8_t *data, uint64_t used, uint8_t *index,
) noexcept nogil:
    """Write the lists of up to seven pages from the word `used` on; the word after them."""
    cdef uint64_t[PAGES_IN_LINE] apart
    cdef uint64_t page, last = min(pages, (line + 1) * PAGES_IN_LINE), degree, begin
    cdef uint32_t start, place = 0, short_degree
    cdef const uint32_t *row
    cdef int i = 0
    for page in range(line * PAGES_IN_LINE, last):
        degree = offsets[page + 1] - offsets[page]
        if degree > MOST_SHORT:
            apart[i] = base + used
            used = encode_long(
                links + offsets[page], degree, first + <uint32_t>page, wide, data, used)
        i += 1
    start = <uint32_t>(base + used)
    memcpy(index, &start, 4)
    begin, i = 8 * used, 0
    for page in range(line * PAGES_IN_LINE, last):
        degree = offsets[page + 1] - offsets[page]
        row = links + offsets[page]
        short_degree = <uint32_t>(degree if degree <= MOST_SHORT else LONG)
        memcpy(index + 4 + 4 * i, &place, 2)
        memcpy(index + 6 + 4 * i, &short_degree, 2)
        if degree > MOST_SHORT:
            memcpy(data + begin + place, &apart[i], 8)
            memcpy(data + begin + place + 8, &degree, 8)
            place += 16
        else:
            place += <uint32_t>encode_list(
                row, degree, first + <uint32_t>page, wide, data + begin + place)
        i += 1
    while i < PAGES_IN_LINE:
        memcpy(index + 4 + 4 * i, &place, 2)
        i += 1
    return used + (place + 7) // 8


cdef uint64_t encode_long(
    const uint32_t *links, uint64_t degree, uint32_t page, uint32_t wide, uint8_t *data,
    uint64_t used,
) noexcept nogil:
    """Write a long list from the word `used` on; the word after it."""
    cdef uint64_t chunks = (degree + CHUNK - 1) // CHUNK, chunk, size
    cdef uint64_t begin = used
    cdef uint32_t word
    used += (chunks + 1) // 2
    for chunk in range(chunks):
        word = <uint32_t>(used - begin)
        memcpy(data + 8 * begin + 4 * chunk, &word, 4)
        size = min(<uint64_t>CHUNK, degree - chunk * CHUNK)
        used += (encode_list(links + chunk * CHUNK, size, page, wide, data + 8 * used) + 7) // 8
    return used


def degrees(const uint32_t[::1] index, const uint64_t[::1] words, uint64_t first, uint64_t last):
    """How many links each of the pages from `first` to `last` - 1 has."""
    found = np.empty(last - first, np.uint64)
    cdef uint64_t[::1] to_found = found
    cdef uint64_t page
    with nogil:
        for page in range(first, last):
            to_found[page - first] = packed_degree(
                <const uint8_t *>&index[0], <const uint8_t *>&words[0], <uint32_t>page)
    return found


def decode(
    const uint32_t[::1] index, const uint64_t[::1] words, uint64_t first, uint64_t last,
    uint32_t wide, uint32_t[::1] into,
):
    """Write the links of the pages from `first` to `last` - 1, which `into` has room for."""
    cdef const uint8_t *lines = <const uint8_t *>&index[0]
    cdef const uint8_t *data = <const uint8_t *>&words[0]
    cdef uint32_t[MOST_SHORT] aside
    cdef uint64_t page, at = 0, degree
    with nogil:
        for page in range(first, last):
            degree = packed_degree(lines, data, <uint32_t>page)
            if degree:
                decode_part(
                    lines, data, <uint32_t>page, wide, 0, degree, &into[0] + at, aside)
                at += degree


def fault(
    const uint32_t[::1] index, const uint64_t[::1] words, uint64_t first, uint64_t last,
    uint64_t pages, uint32_t wide,
):
    """The first page from `first` to `last` - 1 whose list is damaged, or -1.

    A list is damaged where it goes past the end of the data or names a page that is not there.
    """
    cdef const uint8_t *lines = <const uint8_t *>&index[0]
    cdef const uint8_t *data = <const uint8_t *>&words[0]
    cdef uint64_t end = 8 * (words.shape[0] - 1), page = first
    if words.shape[0] == 0:
        return <int64_t>first
    with nogil:
        while page < last and not is_damaged(lines, data, <uint32_t>page, end, pages, wide):
            page += 1
    return <int64_t>page if page < last else -1


cdef bint is_damaged(
    const uint8_t *index, const uint8_t *data, uint32_t page, uint64_t end, uint64_t pages,
    uint32_t wide,
) noexcept nogil:
    cdef uint64_t place = 8 * <uint64_t>load_32(line_of(index, page)) + load_16(entry_of(index, page))
    cdef uint64_t degree = load_16(entry_of(index, page) + 2), chunk, size, begin, at
    if degree <= MOST_SHORT:
        return is_list_damaged(data, place, degree, page, end, pages, wide)
    if degree != LONG or place + 16 > end:
        return True
    begin, degree = load_64(data + place), load_64(data + place + 8)
    if degree <= MOST_SHORT or degree > pages or begin >= end // 8:
        return True
    begin *= 8
    if begin + 4 * ((degree + CHUNK - 1) // CHUNK) > end:
        return True
    for chunk in range((degree + CHUNK - 1) // CHUNK):
        size = min(<uint64_t>CHUNK, degree - chunk * CHUNK)
        at = begin + 8 * <uint64_t>load_32(data + begin + 4 * chunk)
        if is_list_damaged(data, at, size, page, end, pages, wide):
            return True
    return False


cdef bint is_list_damaged(
    const uint8_t *data, uint64_t place, uint64_t count, uint32_t page, uint64_t end,
    uint64_t pages, uint32_t wide,
) noexcept nogil:
    cdef uint32_t[MOST_SHORT] links
    cdef uint64_t i
    cdef uint32_t largest = 0
    if count == 0:
        return False
    if place >= end or bits_of_list(data + place, count, wide, 8 * (end - place)) > 8 * (end - place):
        return True
    decode_list(data + place, count, page, wide, links)
    for i in range(count):
        largest = max(largest, links[i])
    return largest >= pages
