# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""Renumber the rows of a graph and merge other links into them.

Between insertions and removals, a new number is the old one plus a shift.  The shifts of
blocks of pages fit in the cache; the numbers of all pages do not.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memmove

import numpy as np

from whatsrelated.errors import GraphFormatError

cdef enum:
    BITS = 5                          # a block has 32 pages

cdef uint32_t NONE = 0xFFFFFFFF
cdef uint32_t MIXED = 0x80000000      # marks a block whose pages have different shifts


def blocks(const uint32_t[::1] numbers, const uint8_t[::1] dropped):
    """One word per 32 pages of the old numbering, for `merge_rows`."""
    cdef int64_t pages = numbers.shape[0], page
    cdef uint32_t shift = 0, before = 0
    found = np.zeros((pages + 31) >> BITS, np.uint64)
    cdef uint64_t[::1] words = found
    if dropped.shape[0] != pages:
        raise ValueError("not a flag for each page")
    with nogil:
        for page in range(pages):
            shift = numbers[page] - <uint32_t>page
            if page & 31 == 0:
                before = shift
                words[page >> BITS] = <uint64_t>shift << 32
            elif shift != before:
                words[page >> BITS] = <uint32_t>words[page >> BITS] | <uint64_t>MIXED << 32
            if dropped[page]:
                words[page >> BITS] |= <uint64_t>1 << (page & 31)
    return found


def number(const uint8_t[::1] stays, const int64_t[::1] before):
    """Number the remaining pages and the new ones.

    `before` holds the old page that each new one precedes, in ascending order.
    """
    cdef int64_t pages = stays.shape[0], coming = before.shape[0], page, i = 0, at = 0
    old, new = np.empty(pages, np.uint32), np.empty(coming, np.uint32)
    cdef uint32_t[::1] numbers = old, come = new
    with nogil:
        for page in range(pages):
            while i < coming and before[i] <= page:
                come[i] = at
                at += 1
                i += 1
            numbers[page] = at
            at += stays[page] != 0
        for i in range(i, coming):
            come[i] = at
            at += 1
    return old, new, at


def degrees(const uint64_t[::1] offsets):
    """The number of links per page, from the offsets."""
    cdef int64_t pages = max(offsets.shape[0] - 1, 0), page
    found = np.empty(pages, np.uint32)
    cdef uint32_t[::1] counts = found
    with nogil:
        for page in range(pages):
            counts[page] = <uint32_t>(offsets[page + 1] - offsets[page])
    return found


def offsets(const uint32_t[::1] degrees):
    """The start of each page's links and the end of the last page's, from the degrees."""
    cdef int64_t page
    cdef uint64_t at = 0
    found = np.zeros(degrees.shape[0] + 1, np.uint64)
    cdef uint64_t[::1] starts = found
    with nogil:
        for page in range(degrees.shape[0]):
            at += degrees[page]
            starts[page + 1] = at
    return found


def spread(const uint32_t[::1] values, const uint32_t[::1] numbers, const uint8_t[::1] kept,
           uint32_t[::1] into):
    """Write the value of each remaining page to its new position."""
    cdef int64_t pages = numbers.shape[0], room = into.shape[0], page
    if values.shape[0] != pages or kept.shape[0] != pages:
        raise ValueError("not a value and a flag for each page")
    with nogil:
        for page in range(pages):
            if kept[page] and numbers[page] < room:
                into[numbers[page]] = values[page]


cdef inline bint stands_before(uint32_t one, uint32_t other, const uint32_t[::1] degrees) noexcept nogil:
    if degrees[one] != degrees[other]:
        return degrees[one] > degrees[other]
    return one < other


cdef inline int64_t translate_run(
    const uint32_t* links, int64_t count, const uint32_t* numbers, const uint64_t* blocks, uint32_t* into,
    int64_t at, int64_t room
) noexcept nogil:
    """Write the links renumbered, without dropped links; return the end, or -1 if out of room."""
    cdef int64_t i = 0, stop
    cdef uint64_t block
    cdef uint32_t value, shift
    while i < count and at < room:
        stop = min(count, i + room - at)  # these fit even if none is dropped
        while i < stop:
            value = links[i]
            block = blocks[value >> BITS]
            shift = block >> 32
            into[at] = value + shift if shift != MIXED else numbers[value]
            at += 1 - (block >> (value & 31) & 1)  # dropped links are overwritten
            i += 1
    while i < count:
        if not blocks[links[i] >> BITS] >> (links[i] & 31) & 1:
            return -1
        i += 1
    return at


cdef void insert(const uint32_t* added, int64_t count, const uint32_t[::1] degrees, uint32_t* row,
                 int64_t end) noexcept nogil:
    """Insert links into a row that has room for them, last first, so each part moves only once."""
    cdef int64_t low, high, middle
    while count:
        low, high = 0, end
        while low < high:
            middle = (low + high) >> 1
            if stands_before(added[count - 1], row[middle], degrees):
                high = middle
            else:
                low = middle + 1
        memmove(row + low + count, row + low, (end - low) * sizeof(uint32_t))
        count -= 1
        row[low + count] = added[count]
        end = low


def merge_rows(const uint64_t[::1] offsets, const uint32_t[::1] links, const uint32_t[::1] origins,
               const uint32_t[::1] numbers, const uint64_t[::1] blocks,
               const uint64_t[::1] added_offsets, const uint32_t[::1] added,
               const uint32_t[::1] degrees, int64_t low, int64_t high, uint32_t[::1] into):
    """Write the rows of the pages low … high - 1; return the number of links."""
    cdef int64_t page = low, at = 0, start, first, more, room = into.shape[0]
    cdef uint32_t origin
    with nogil:
        while page < high and at >= 0:
            origin = origins[page]
            start = at
            more = added_offsets[page + 1] - added_offsets[page]
            page += 1
            if origin != NONE:
                first = offsets[origin]
                while more == 0 and page < high and origins[page] == origin + 1 and (
                    added_offsets[page + 1] == added_offsets[page]
                ):  # extend the run of consecutive pages without added links
                    origin += 1
                    page += 1
                at = translate_run(&links[0] + first, offsets[origin + 1] - first, &numbers[0], &blocks[0],
                                   &into[0], at, room)
            if more and at >= 0:
                if more > room - at:
                    at = -1
                else:
                    insert(&added[0] + added_offsets[page - 1], more, degrees, &into[0] + start, at - start)
                    at += more
    if at < 0:
        raise GraphFormatError("The links of the graph contradict one another; build it again.")
    return at
