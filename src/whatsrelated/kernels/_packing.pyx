# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""Links packed and unpacked by ranges of pages; `packed.h` has the layout."""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from whatsrelated.kernels._packed cimport (
    CHUNK, HEAD_BITS, MOST_DEGREE_BITS, MOST_SHORT, PAGES_IN_BLOCK, Head,
    apart_of, bits_of_field, bits_of_list, block_of, decode_list, decode_part, field_of, head_of, load_32,
    load_bits, packed_degree, start_of, widths_of,
)

cdef extern from "packer.h" nogil:
    ctypedef struct Codes:
        pass
    void fill_codes(Codes *, uint32_t) noexcept
    uint8_t *encode_block(
        const Codes *, const uint64_t *, const uint32_t *, uint32_t, uint32_t, uint16_t *,
        uint64_t, uint8_t *, uint8_t *, uint32_t *) noexcept


def width(uint64_t pages):
    """The bits of the number of a page, of so many."""
    return max(1, (pages - 1).bit_length()) if pages else 1


def encode(
    const uint64_t[::1] offsets, const uint32_t[::1] links, uint32_t first, uint32_t wide,
    uint64_t base,
):
    """The index and the words of the pages from `first` on, a multiple of sixteen.

    The links of the first of them are links[offsets[0]:offsets[1]].  `base` words stand before.
    """
    cdef uint64_t pages = offsets.shape[0] - 1, block, low, count, most = 0
    cdef uint64_t blocks = (pages + PAGES_IN_BLOCK - 1) // PAGES_IN_BLOCK
    for block in range(blocks):
        low = block * PAGES_IN_BLOCK
        most = max(most, offsets[min(pages, low + PAGES_IN_BLOCK)] - offsets[low])
    count = offsets[pages] - offsets[0] if pages else 0
    # What a link takes at most, the padding of chunks, fields and what stands apart, and blocks.
    words = np.empty(count * (3 + wide) // 64 + count // 64 + 6 * pages + 10 * blocks + 16, np.uint64)
    index, kinds = np.empty(blocks, np.uint32), np.empty(most + 1, np.uint16)
    cdef uint64_t[::1] to_words = words
    cdef uint32_t[::1] to_index = index
    cdef uint16_t[::1] to_kinds = kinds
    cdef uint8_t *data = <uint8_t *>&to_words[0]
    cdef uint8_t *at = data
    cdef Codes codes
    with nogil:
        fill_codes(&codes, wide)
        for block in range(blocks):
            low = block * PAGES_IN_BLOCK
            at = encode_block(
                &codes, &offsets[low], &links[0],
                <uint32_t>min(<uint64_t>PAGES_IN_BLOCK, pages - low),
                first + <uint32_t>low, &to_kinds[0], base, data, at, &to_index[block],
            )
    return index, words[: (at - data) // 8]


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
    cdef uint32_t *to = &into[0]
    cdef uint64_t page = first, end
    with nogil:
        while page < last:
            end = min(last, (page // PAGES_IN_BLOCK + 1) * PAGES_IN_BLOCK)
            to = decode_pages(lines, data, <uint32_t>page, <uint32_t>(end - page), wide, to)
            page = end


cdef uint32_t *decode_pages(
    const uint8_t *index, const uint8_t *data, uint32_t page, uint32_t count, uint32_t wide,
    uint32_t *into,
) noexcept nogil:
    """Write the links of some pages of a block; where the next are to go."""
    cdef const uint8_t *block = block_of(index, data, page)
    cdef Head head = head_of(block)
    cdef uint32_t place = page % PAGES_IN_BLOCK, start = start_of(block, head, place), i, field
    cdef uint64_t widths = widths_of(head.table, wide), degree
    for i in range(count):
        field = field_of(block, head, place + i)
        degree = field & apart_of(head)
        if degree == apart_of(head):
            degree = load_bits(block, start, 32)
            decode_part(index, data, page + i, wide, 0, degree, into, NULL)
        else:
            decode_list(block, start, degree, degree, page + i, widths, into)
        into += degree
        start += bits_of_field(head, field)
    return into


def fault(
    const uint32_t[::1] index, const uint64_t[::1] words, uint64_t first, uint64_t last,
    uint64_t pages, uint32_t wide,
):
    """The first page from `first` to `last` - 1 whose list is damaged, or -1.

    A list is damaged where it goes past the end of the data or names a page that is not there.
    """
    cdef const uint8_t *lines = <const uint8_t *>&index[0]
    cdef const uint8_t *data = <const uint8_t *>&words[0]
    cdef uint64_t end = 64 * (words.shape[0] - 1), page = first
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
    """Whether the list of a page cannot be followed; the data end at the bit `end`."""
    cdef uint64_t begin = 64 * <uint64_t>load_32(index + 4 * (page // PAGES_IN_BLOCK)), start
    cdef uint64_t degree, back, chunks, chunk, at, widths
    cdef uint32_t place = page % PAGES_IN_BLOCK
    cdef Head head
    if begin + HEAD_BITS > end:
        return True
    head = head_of(data + begin // 8)
    if not 0 < head.degree_bits <= MOST_DEGREE_BITS:
        return True
    if begin + HEAD_BITS + PAGES_IN_BLOCK * (head.degree_bits + head.rest_bits) > end:
        return True
    widths = widths_of(head.table, wide)
    start = begin + start_of(data + begin // 8, head, place)
    degree = field_of(data + begin // 8, head, place) & apart_of(head)
    if degree != apart_of(head):
        return is_list_damaged(data, start, degree, page, end, pages, widths)
    if start + 64 > end:
        return True
    degree, back = load_bits(data, start, 32), 64 * load_bits(data, start + 32, 32)
    if degree == 0 or degree > pages or back > begin:
        return True
    begin -= back
    chunks = (degree - 1) // CHUNK + 1
    if begin + 64 * (chunks // 2) > end:
        return True
    at = chunks // 2
    for chunk in range(chunks):
        if chunk:
            at = load_32(data + begin // 8 + 4 * (chunk - 1))
        if is_list_damaged(
            data, begin + 64 * at, min(<uint64_t>CHUNK, degree - chunk * CHUNK), page, end, pages,
            widths,
        ):
            return True
    return False


cdef bint is_list_damaged(
    const uint8_t *data, uint64_t start, uint64_t count, uint32_t page, uint64_t end,
    uint64_t pages, uint64_t widths,
) noexcept nogil:
    cdef uint32_t[MOST_SHORT] links
    cdef uint64_t i
    cdef uint32_t largest = 0
    if count == 0:
        return False
    if start >= end or bits_of_list(data, start, count, widths, end - start) > end - start:
        return True
    decode_list(data, start, count, count, page, widths, links)
    for i in range(count):
        largest = max(largest, links[i])
    return largest >= pages
