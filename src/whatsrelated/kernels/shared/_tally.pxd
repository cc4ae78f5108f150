# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""How often each page was met: a hash table of counts, where a page and its count lie together.

Open addressing with linear probing and Fibonacci hashing, a power of two of entries, at most
half of them used.  `make_room` is asked for before a row is counted, so that counting itself
never grows the table, and `collect` empties it at the cost of what it held.
"""

from libc.stdint cimport uint32_t, uint64_t

cdef struct Entry:
    uint32_t page, count   # the count is 0 where the entry is free


cdef struct Tally:         # all 0 at first
    Entry *entries
    uint32_t *held         # the places of the entries in use, in the order of arrival
    size_t count           # how many
    size_t size            # entries that are looked at, a power of two
    int shift              # 64 less the bits of that
    uint32_t *pages        # what was collected
    uint32_t *counts
    size_t room, held_room, pages_room, counts_room


cdef int begin_tally(Tally *tally, size_t expected) except -1 nogil
cdef int make_larger(Tally *tally, size_t wanted) except -1 nogil
cdef size_t collect(Tally *tally) except? 0xFFFFFFFF nogil
cdef void free_tally(Tally *tally) noexcept nogil


cdef inline int make_room(Tally *tally, size_t more) except -1 nogil:
    """Before so many pages are counted."""
    return make_larger(tally, tally.count + more) if 2 * (tally.count + more) > tally.size else 0


cdef inline size_t place_in(
    const Entry *entries, size_t size, int shift, uint32_t page
) noexcept nogil:
    """Where the page is, or the free place where it belongs: one branch, that seldom turns back."""
    cdef size_t at = (page * <uint64_t>0x9E3779B97F4A7C15) >> shift
    while (entries[at].page != page) & (entries[at].count != 0):
        at = (at + 1) & (size - 1)
    return at


cdef inline size_t place_of(const Tally *tally, uint32_t page) noexcept nogil:
    return place_in(tally.entries, tally.size, tally.shift, page)


cdef inline void count_row(Tally *tally, const uint32_t *row, size_t size, uint32_t but) noexcept nogil:
    """Count the pages of a row, one apart; there is room.

    What the loop needs is copied: the compiler cannot know that counting leaves it alone.
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
