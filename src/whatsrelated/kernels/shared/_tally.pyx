# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""A hash table that counts pages: the rare cases, kept out of the inlined code."""

from libc.stdint cimport uint32_t
from libc.stdlib cimport free

from whatsrelated.kernels.shared._memory cimport LARGE_PAGES, allocate, grow, raise_memory_error

cdef enum:
    FEWEST_BITS = 10
    MOST_BITS = 32       # places are 32 bits wide


cdef int begin_tally(Tally *tally, size_t expected) except -1 nogil:
    """Empty the table and make room for `expected` pages; it grows if there are more."""
    collect(tally)
    return resize(tally, expected)


cdef int resize(Tally *tally, size_t expected) except -1 nogil:
    """Give an empty table the entries for `expected` pages."""
    cdef int bits = FEWEST_BITS
    cdef size_t size
    cdef Entry *entries
    while <size_t>1 << bits < 2 * expected:
        bits += 1
    size = <size_t>1 << bits
    if bits > MOST_BITS:
        raise_memory_error()
    if size > tally.room:
        entries = <Entry *>allocate(size, sizeof(Entry))
        LARGE_PAGES(entries, size * sizeof(Entry))
        free(tally.entries)
        tally.entries, tally.room = entries, size
    grow(<void **>&tally.held, &tally.held_room, size // 2 + 1, sizeof(uint32_t))
    tally.size, tally.shift = size, 64 - bits
    return 0


cdef int make_larger(Tally *tally, size_t wanted) except -1 nogil:
    """Make room for `wanted` pages, keeping the counts."""
    cdef size_t i, at, count = collect(tally)
    resize(tally, wanted)
    for i in range(count):
        at = place_of(tally, tally.pages[i])
        tally.entries[at] = Entry(tally.pages[i], tally.counts[i])
        tally.held[i] = <uint32_t>at
    tally.count = count
    return 0


cdef size_t collect(Tally *tally) except? 0xFFFFFFFF nogil:
    """Move the table into `pages` and `counts`, in order of arrival; return their number."""
    cdef size_t i, count = tally.count
    cdef Entry *entry
    grow(<void **>&tally.pages, &tally.pages_room, count, sizeof(uint32_t))
    grow(<void **>&tally.counts, &tally.counts_room, count, sizeof(uint32_t))
    for i in range(count):
        entry = &tally.entries[tally.held[i]]
        tally.pages[i], tally.counts[i] = entry.page, entry.count
        entry.count = 0
    tally.count = 0
    return count


cdef void free_tally(Tally *tally) noexcept nogil:
    free(tally.entries)
    free(tally.held)
    free(tally.pages)
    free(tally.counts)
