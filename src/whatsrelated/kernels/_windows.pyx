# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Windows around a link, and how many parents link to what stands in them.

Where a parent has more than width + 1 links, its window around its link to a
page are the width // 2 links just before and just after; else all but that one.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memset

import numpy as np

cdef extern from *:
    """
    #include <stdint.h>
    #define PREFETCH(address) __builtin_prefetch(address)

    /* Where a row has the page: sixteen comparisons at a time, so that they are vectorised. */
    static inline int64_t place_of(const uint32_t *row, int64_t size, uint32_t page) {
        int64_t i = 0;
        for (; i + 16 <= size; i += 16) {
            uint32_t any = 0;
            for (int k = 0; k < 16; k++) any |= row[i + k] == page;
            if (any) break;
        }
        while (i < size && row[i] != page) i++;
        return i;
    }
    """
    void PREFETCH(const void*) noexcept nogil
    int64_t place_of(const uint32_t*, int64_t, uint32_t) noexcept nogil

cdef enum:
    FILTER_BITS = 17      # 16 KiB: half of a first-level cache
    AHEAD = 6             # rows fetched ahead
    BUFFER = 256
    EMPTY = 0xFFFFFFFF


cdef struct Slot:
    uint32_t page      # or EMPTY
    uint32_t near      # parents that have it in their window
    uint32_t wide      # parents that have it elsewhere on the page


cdef class Scratch:
    """The memory of one thread's queries: a hash of siblings with a bit filter in front."""

    cdef uint64_t* filter
    cdef Slot* slots
    cdef int64_t size
    cdef uint32_t* pages      # in the order in which they came
    cdef int64_t count
    cdef int64_t room

    def __cinit__(self):
        self.filter = <uint64_t*>calloc(1 << (FILTER_BITS - 6), sizeof(uint64_t))
        self.room = 1 << 11
        self.size = 4 * self.room
        self.slots = <Slot*>malloc(self.size * sizeof(Slot))
        self.pages = <uint32_t*>malloc(self.room * sizeof(uint32_t))
        if self.filter == NULL or self.slots == NULL or self.pages == NULL:
            raise MemoryError
        memset(self.slots, 0xFF, self.size * sizeof(Slot))

    def __dealloc__(self):
        free(self.filter)
        free(self.slots)
        free(self.pages)

    cdef inline uint64_t maybe(self, uint32_t page) noexcept nogil:
        """1 where the page may be held: pages of a host differ in their low bits."""
        cdef uint32_t bit = page & ((1 << FILTER_BITS) - 1)
        return (self.filter[bit >> 6] >> (bit & 63)) & 1

    cdef inline Slot* slot_of(self, uint32_t page) noexcept nogil:
        """The slot that holds the page, or the empty one where it would be."""
        cdef int64_t at = ((page * <uint64_t>0x9E3779B97F4A7C15) >> 24) & (self.size - 1)
        while self.slots[at].page != page and self.slots[at].page != EMPTY:
            at = (at + 1) & (self.size - 1)
        return self.slots + at

    cdef int add(self, uint32_t page) noexcept nogil:
        """Count the page once more in a window; -1 without memory."""
        cdef uint32_t bit = page & ((1 << FILTER_BITS) - 1)
        cdef Slot* slot = self.slot_of(page)
        if slot.page == page:
            slot.near += 1
            return 0
        if self.count == self.room:
            if self.grow() < 0:
                return -1
            slot = self.slot_of(page)
        self.filter[bit >> 6] |= <uint64_t>1 << (bit & 63)
        slot.page = page
        slot.near = 1
        slot.wide = 0
        self.pages[self.count] = page
        self.count += 1
        return 0

    cdef int grow(self) noexcept nogil:
        cdef int64_t i
        cdef Slot* old = self.slots
        cdef int64_t old_size = self.size
        cdef Slot* slots = <Slot*>malloc(2 * old_size * sizeof(Slot))
        cdef uint32_t* pages = <uint32_t*>realloc(self.pages, 2 * self.room * sizeof(uint32_t))
        if pages != NULL:
            self.pages = pages
        if slots == NULL or pages == NULL:
            free(slots)
            return -1
        memset(slots, 0xFF, 2 * old_size * sizeof(Slot))
        self.slots = slots
        self.room *= 2
        self.size *= 2
        for i in range(old_size):
            if old[i].page != EMPTY:
                self.slot_of(old[i].page)[0] = old[i]
        free(old)
        return 0

    cdef void clear(self) noexcept nogil:
        """Empty the hash, at the cost of what it held."""
        cdef int64_t i
        if self.count * 8 > self.size:
            memset(self.slots, 0xFF, self.size * sizeof(Slot))
            memset(self.filter, 0, (1 << (FILTER_BITS - 6)) * sizeof(uint64_t))
        else:
            for i in range(self.count):
                self.filter[(self.pages[i] & ((1 << FILTER_BITS) - 1)) >> 6] = 0
                self.slots[self.home_of(self.pages[i])].page = EMPTY
        self.count = 0

    cdef inline int64_t home_of(self, uint32_t page) noexcept nogil:
        """Where the page is held, though slots before it may be empty already."""
        cdef int64_t at = ((page * <uint64_t>0x9E3779B97F4A7C15) >> 24) & (self.size - 1)
        while self.slots[at].page != page:
            at = (at + 1) & (self.size - 1)
        return at

    cdef inline void count_wide(self, const uint32_t* row, int64_t size) noexcept nogil:
        """Count what is held of a piece of a row.

        First what passes the filter, without a branch; then the few that did.
        """
        cdef uint32_t buffer[BUFFER]
        cdef int64_t start = 0, stop, held, j
        cdef Slot* slot
        while start < size:
            stop = start + BUFFER if start + BUFFER < size else size
            held = 0
            for j in range(start, stop):
                buffer[held] = row[j]
                held += self.maybe(row[j])
            for j in range(held):
                slot = self.slot_of(buffer[j])
                slot.wide += slot.page == buffer[j]
            start = stop


cdef inline void fetch_row(const uint64_t* offsets, const uint32_t* links, uint32_t parent) noexcept nogil:
    """Ask for the first lines of a row; the machine's own prefetching follows."""
    cdef uint64_t start = offsets[parent], stop = offsets[parent + 1], line
    if stop > start + 128:
        stop = start + 128
    for line in range(start, stop, 16):
        PREFETCH(links + line)


def cocited(Scratch scratch, const uint64_t[::1] offsets, const uint32_t[::1] links,
            const uint32_t[::1] parents, uint32_t page, int64_t width, bint whole):
    """The pages in the parents' windows around `page`: on how many pages each stands (if `whole`;
    else in how many windows) and in how many windows; how many of the parents are among them; the
    links of the parents.

    `width` below 0 takes whole pages for windows.
    """
    cdef int64_t n = parents.shape[0], i, j, start, stop, at, low, high, among = 0, read = 0
    cdef int failed = 0
    cdef Slot* slot
    if n == 0:
        empty = np.empty(0, np.uint32)
        return empty, empty, empty, 0, 0
    cdef const uint64_t* begins = &offsets[0]
    cdef const uint32_t* row = &links[0]
    cdef int64_t[:, ::1] bounds = np.empty((n, 2), np.int64)  # of each parent's window
    with nogil:
        for i in range(n):
            if i + 2 * AHEAD < n:
                PREFETCH(begins + parents[i + 2 * AHEAD])
            if i + AHEAD < n:
                fetch_row(begins, row, parents[i + AHEAD])
            start = begins[parents[i]]
            stop = begins[parents[i] + 1]
            read += stop - start
            low = start
            high = stop
            if width >= 0 and stop - start > width + 1:
                at = start + place_of(row + start, stop - start, page)
                low = at - width // 2 if at - width // 2 > start else start
                high = at + width // 2 + 1 if at + width // 2 + 1 < stop else stop
            bounds[i, 0] = low
            bounds[i, 1] = high
            for j in range(low, high):
                if row[j] != page:
                    failed |= scratch.add(row[j])
        if whole and not failed:
            for i in range(n):
                if i + AHEAD < n:
                    fetch_row(begins, row, parents[i + AHEAD])
                low = bounds[i, 0]
                high = bounds[i, 1]
                start = begins[parents[i]]
                scratch.count_wide(row + start, low - start)
                scratch.count_wide(row + high, begins[parents[i] + 1] - high)
        for i in range(n):
            if scratch.maybe(parents[i]) and scratch.slot_of(parents[i]).page == parents[i]:
                among += 1
    if failed:
        scratch.clear()
        raise MemoryError
    found = np.empty(scratch.count, np.uint32)
    counts = np.empty(scratch.count, np.uint32)
    windows = np.empty(scratch.count, np.uint32)
    cdef uint32_t[::1] into = found
    cdef uint32_t[::1] wide = counts
    cdef uint32_t[::1] near = windows
    with nogil:
        for i in range(scratch.count):
            slot = scratch.slot_of(scratch.pages[i])
            into[i] = slot.page
            wide[i] = slot.near + slot.wide
            near[i] = slot.near
        scratch.clear()
    return found, counts, windows, among, read
