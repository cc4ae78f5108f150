# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""A hash table that counts pages; a page and its count are stored together.

It uses open addressing with linear probing and Fibonacci hashing. The number of entries is a power
of two, and at most half are in use. Call `make_room` before counting a row, since counting never
grows the table; `collect` empties it entry by entry.
"""

from libc.stdint cimport uint32_t, uint64_t

cdef struct Entry:
    uint32_t page, count   # an entry with a count of 0 is free


cdef struct Tally:         # all 0 at first
    Entry *entries
    uint32_t *held         # the places of the entries in use, in order of arrival
    size_t count           # entries in use
    size_t size            # all entries, a power of two
    int shift              # 64 - log2(size)
    uint32_t *pages        # collected
    uint32_t *counts
    size_t room, held_room, pages_room, counts_room


cdef int begin_tally(Tally *tally, size_t expected) except -1 nogil
cdef int make_larger(Tally *tally, size_t wanted) except -1 nogil
cdef size_t collect(Tally *tally) except? 0xFFFFFFFF nogil
cdef void free_tally(Tally *tally) noexcept nogil


cdef inline int make_room(Tally *tally, size_t more) except -1 nogil:
    """Make room for `more` pages."""
    return make_larger(tally, tally.count + more) if 2 * (tally.count + more) > tally.size else 0


cdef inline size_t place_in(
    const Entry *entries, size_t size, int shift, uint32_t page
) noexcept nogil:
    """The position of the page, or the free position for it. Its one branch is well predicted."""
    cdef size_t at = (page * <uint64_t>0x9E3779B97F4A7C15) >> shift
    while (entries[at].page != page) & (entries[at].count != 0):
        at = (at + 1) & (size - 1)
    return at


cdef inline size_t place_of(const Tally *tally, uint32_t page) noexcept nogil:
    return place_in(tally.entries, tally.size, tally.shift, page)


cdef inline void count_row(Tally *tally, const uint32_t *row, size_t size, uint32_t but) noexcept nogil:
    """Count the pages of a row except `but`; there must be room.

    Fields are copied to local variables, since the compiler cannot know that counting leaves them
    unchanged.
    """
    cdef Entry *entries = tally.entries
    cdef uint32_t *held = tally.held
    cdef size_t i, at, slots = tally.size, count = tally.count
    cdef int shift = tally.shift
    for i in range(size):
        if row[i] == but:
            continue
        at = place_in(entries, slots, shift, row[i])
        held[count] = <uint32_t>at
        count += entries[at].count == 0
        entries[at] = Entry(row[i], entries[at].count + 1)
    tally.count = count


cdef inline bint is_held(const Tally *tally, uint32_t page) noexcept nogil:
    return tally.entries[place_of(tally, page)].count > 0


cdef inline void count_if_held(Tally *tally, uint32_t page) noexcept nogil:
    """Count a page that was counted before."""
    cdef size_t at = place_of(tally, page)
    tally.entries[at].count += tally.entries[at].count > 0
