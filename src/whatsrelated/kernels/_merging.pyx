# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The rows of a graph under new numbers, with other links merged into them.

Where pages were neither put in nor taken out, a new number is the old one and a shift, and
the shifts of blocks of pages are in the cache when the numbers of all pages are not.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

import numpy as np

from whatsrelated.errors import GraphFormatError

cdef enum:
    BITS = 5                          # a block has 32 pages

cdef uint32_t NONE = 0xFFFFFFFF
cdef uint32_t MIXED = 0x80000000      # in the place of a shift: the pages of the block have several


def blocks(const uint32_t[::1] numbers, const uint8_t[::1] dropped):
    """What `merge_rows` needs to know of each 32 pages of the old numbering, as one word.

    The high half: by how much their new numbers differ from the old ones, mod 2³², or 2³¹ where
    they differ by several; the low half: a bit for each page that is to be dropped.
    """
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


def spread(const uint32_t[::1] values, const uint32_t[::1] numbers, const uint8_t[::1] kept,
           uint32_t[::1] into):
    """Write the value of every page that is kept to the place of its new number."""
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


def merge_rows(const uint64_t[::1] offsets, const uint32_t[::1] links, const uint32_t[::1] origins,
               const uint32_t[::1] numbers, const uint64_t[::1] blocks,
               const uint64_t[::1] added_offsets, const uint32_t[::1] added,
               const uint32_t[::1] degrees, int64_t low, int64_t high, uint32_t[::1] into):
    """Write the rows of the pages low … high - 1; how many links they have.

    The row of a page is that of `origins` in the old numbering (none where it is 2³²-1), its links
    under their `numbers`, less those that their `blocks` drop; and the `added` links of the page.
    Both are, and their merged row is, in the order of descending `degrees`, then of pages.
    """
    cdef int64_t page = low, at = 0, i, stop, room = into.shape[0]
    cdef uint64_t next_added, last_added, block
    cdef uint32_t value, shift, origin
    cdef bint fits = True
    with nogil:
        while page < high and fits:
            origin = origins[page]
            next_added = added_offsets[page]
            last_added = added_offsets[page + 1]
            if origin != NONE:
                i = offsets[origin]
                page += 1
                if next_added == last_added:  # as far as pages follow one another and get nothing
                    while page < high and origins[page] == origin + 1 and added_offsets[page + 1] == last_added:
                        origin += 1
                        page += 1
                stop = offsets[origin + 1]
                for i in range(i, stop):
                    value = links[i]
                    block = blocks[value >> BITS]
                    if block >> (value & 31) & 1:
                        continue
                    shift = block >> 32
                    value = value + shift if shift != MIXED else numbers[value]
                    while next_added < last_added and stands_before(added[next_added], value, degrees):
                        if at == room:
                            break
                        into[at] = added[next_added]
                        at += 1
                        next_added += 1
                    if at == room:
                        fits = False
                        break
                    into[at] = value
                    at += 1
            else:
                page += 1
            fits = fits and <int64_t>(last_added - next_added) <= room - at
            while fits and next_added < last_added:
                into[at] = added[next_added]
                at += 1
                next_added += 1
    if not fits:
        raise GraphFormatError("The links of the graph contradict one another; build it again.")
    return at
