# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""Pack and unpack links by ranges of pages; `packed.h` describes the layout."""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from whatsrelated.kernels.shared._packed cimport (
    CHUNK, HEAD_BITS, LINE_BYTES, LONG, PAGES_IN_BLOCK, PAGES_IN_GROUP, STARTS, TABLES, Packed,
    bits_of_list, block_of, decode_list, decode_part, group_of, line_of, list_of, load_16, load_32,
    long_of, packed_degree, packed_of, short_degree, table_of, widths_of, words_before_chunks,
)

cdef extern from "packer.h" nogil:
    ctypedef struct Codes:
        pass
    ctypedef struct Lists:
        pass
    void fill_codes(Codes *, uint32_t) noexcept
    uint8_t *encode_block(
        Lists *, const Codes *, const uint64_t *, const uint32_t *, uint32_t, uint32_t, uint64_t,
        const uint8_t *, uint8_t *, uint8_t *, uint32_t **) noexcept


def width(uint64_t pages):
    """The number of bits of a page number in a graph of `pages` pages."""
    return max(1, (pages - 1).bit_length()) if pages else 1


cdef Codes[33] codes  # indexed by the bits of a page
cdef bint[33] filled


def encode(
    const uint64_t[::1] offsets, const uint32_t[::1] links, uint32_t first, uint32_t wide,
    uint64_t base,
):
    """The index, the long entries and the words of the pages from `first`, a multiple of 16."""
    cdef uint64_t pages = offsets.shape[0] - 1, block, low, count
    cdef uint64_t blocks = (pages + PAGES_IN_BLOCK - 1) // PAGES_IN_BLOCK
    count = offsets[pages] - offsets[0] if pages else 0
    # Upper bound: the links, the padding of chunks, the heads of long lists, and the blocks.
    words = np.empty(count * (3 + wide) // 64 + count // 32 + 3 * blocks + 16, np.uint64)
    index = np.empty(blocks * LINE_BYTES // 4, np.uint32)
    longs = np.empty(3 * (count // LONG) + 3, np.uint32)
    cdef uint8_t[::1] scratch = np.empty(sizeof(Lists), np.uint8)
    cdef uint64_t[::1] to_words = words
    cdef uint32_t[::1] to_index = index
    cdef uint32_t[::1] to_longs = longs
    cdef uint8_t *data = <uint8_t *>&to_words[0]
    cdef uint8_t *at = data
    cdef uint8_t *line = <uint8_t *>&to_index[0]
    cdef uint32_t *entry = &to_longs[0]
    if not filled[wide]:
        fill_codes(&codes[wide], wide)
        filled[wide] = True
    with nogil:
        for block in range(blocks):
            low = block * PAGES_IN_BLOCK
            at = encode_block(
                <Lists *>&scratch[0], &codes[wide], &offsets[low], &links[0],
                <uint32_t>min(<uint64_t>PAGES_IN_BLOCK, pages - low),
                first + <uint32_t>low, base, data, at, line + LINE_BYTES * block, &entry,
            )
    count = entry - &to_longs[0]
    return index, longs[:count], words[: (at - data) // 8]


def degrees(
    const uint32_t[::1] index, const uint32_t[::1] longs, const uint64_t[::1] words,
    uint64_t first, uint64_t last,
):
    """The number of links per page, from `first` to `last` - 1."""
    cdef Packed packed = packed_of(index, longs, words, 0)
    found = np.empty(last - first, np.uint64)
    cdef uint64_t[::1] to_found = found
    cdef uint64_t page
    with nogil:
        for page in range(first, last):
            to_found[page - first] = packed_degree(&packed, <uint32_t>page)
    return found


def decode(
    const uint32_t[::1] index, const uint32_t[::1] longs, const uint64_t[::1] words,
    uint64_t first, uint64_t last, uint32_t wide, uint32_t[::1] into,
):
    """Write the links of the pages from `first` to `last` - 1 to `into`."""
    cdef Packed packed = packed_of(index, longs, words, wide)
    cdef uint32_t *to = &into[0]
    cdef uint64_t page = first, end
    with nogil:
        while page < last:
            end = min(last, (page // PAGES_IN_BLOCK + 1) * PAGES_IN_BLOCK)
            to = decode_pages(&packed, <uint32_t>page, <uint32_t>(end - page), to)
            page = end


cdef uint32_t *decode_pages(
    const Packed *packed, uint32_t page, uint32_t count, uint32_t *into
) noexcept nogil:
    """Write the links of some pages of a block; return the end of the output."""
    cdef uint32_t table = table_of(packed, block_of(packed, page)), i
    cdef uint64_t widths = widths_of(table, packed.wide), degree
    cdef uint64_t start = list_of(packed, page, table)
    for i in range(page, page + count):
        degree = packed_degree(packed, i)
        if short_degree(packed, i) == LONG:
            decode_part(packed, i, 0, degree, into, NULL)
        else:
            start = decode_list(packed.data, start, degree, degree, i, widths, into)
        into += degree
    return into


def fault(
    const uint32_t[::1] index, const uint32_t[::1] longs, const uint64_t[::1] words,
    uint64_t first, uint64_t last, uint64_t pages, uint32_t wide,
):
    """The first page from `first` to `last` - 1 whose list is damaged, or -1."""
    cdef Packed packed = packed_of(index, longs, words, wide)
    cdef uint64_t end = 64 * (words.shape[0] - 1), page = first
    if words.shape[0] == 0:
        return <int64_t>first
    with nogil:
        while page < last and not is_damaged(&packed, <uint32_t>page, end, pages):
            page += 1
    return <int64_t>page if page < last else -1


cdef bint is_damaged(
    const Packed *packed, uint32_t page, uint64_t end, uint64_t pages
) noexcept nogil:
    """Whether the list of a page is damaged; the data ends at the bit `end`.

    A single page is read from the start of its group, a range of pages list by list. The two agree
    only if a group starts where the one before it ends.
    """
    cdef const uint8_t *degrees = line_of(packed, page) + 4
    cdef uint64_t begin = block_of(packed, page), start
    cdef uint32_t place = page % PAGES_IN_BLOCK, group = place // PAGES_IN_GROUP, table, i
    if begin + HEAD_BITS > end:
        return True
    if begin + HEAD_BITS + STARTS * (load_16(packed.data + begin // 8) & 31) > end:
        return True
    table = table_of(packed, begin)
    start = group_of(packed, begin, group)
    for i in range(group * PAGES_IN_GROUP, place + 1):
        if degrees[i] != LONG:
            if start + 3 * degrees[i] > end:
                return True
            if i == place and is_list_damaged(packed, table, start, degrees[i], page, end, pages):
                return True
            start += bits_of_list(packed, table, start, degrees[i])
    if degrees[place] == LONG and is_long_damaged(packed, page, end, pages):
        return True
    return (
        page % PAGES_IN_GROUP == PAGES_IN_GROUP - 1
        and group < STARTS
        and start != group_of(packed, begin, group + 1)
    )


cdef bint is_long_damaged(
    const Packed *packed, uint32_t page, uint64_t end, uint64_t pages
) noexcept nogil:
    cdef uint64_t degree = long_of(packed, page)[0]
    cdef uint64_t begin = 64 * <uint64_t>long_of(packed, page)[1], chunk, at
    cdef uint32_t table
    if degree < LONG or degree > pages:
        return True
    at = words_before_chunks(degree)
    if begin + 64 * at > end:
        return True
    table = load_32(packed.data + begin // 8)
    if table >= TABLES:
        return True
    for chunk in range((degree - 1) // CHUNK + 1):
        if chunk:
            at = load_32(packed.data + begin // 8 + 4 * chunk)
        if is_list_damaged(
            packed, table, begin + 64 * at, min(<uint64_t>CHUNK, degree - chunk * CHUNK), page, end,
            pages,
        ):
            return True
    return False


cdef bint is_list_damaged(
    const Packed *packed, uint32_t table, uint64_t start, uint64_t count, uint32_t page,
    uint64_t end, uint64_t pages,
) noexcept nogil:
    cdef uint32_t[CHUNK] links
    cdef uint64_t i
    cdef uint32_t largest = 0
    if count == 0:
        return False
    if start + 3 * count > end:
        return True
    if start + bits_of_list(packed, table, start, <uint32_t>count) > end:
        return True
    decode_list(
        packed.data, start, count, count, page, widths_of(table, packed.wide), links)
    for i in range(count):
        largest = max(largest, links[i])
    return largest >= pages
