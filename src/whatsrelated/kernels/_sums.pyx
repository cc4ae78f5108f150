# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Sums over rows of links: every page that a row holds is given that row's weight.

Pages come out in the order in which they were first met.
"""

from libc.math cimport pow
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memset

import numpy as np

cdef extern from *:
    """
    #define PREFETCH(address) __builtin_prefetch(address)
    """
    void PREFETCH(const void*) noexcept nogil

cdef enum:
    EMPTY = 0xFFFFFFFF


cdef class Scratch:
    """The memory of one thread's queries: a hash from page to sum."""

    cdef uint32_t* slots      # index into `pages`, or EMPTY
    cdef int64_t size
    cdef uint32_t* pages
    cdef double* sums
    cdef int64_t count
    cdef int64_t room

    def __cinit__(self):
        self.size = 1 << 13
        self.room = 1 << 12
        self.slots = <uint32_t*>malloc(self.size * sizeof(uint32_t))
        self.pages = <uint32_t*>malloc(self.room * sizeof(uint32_t))
        self.sums = <double*>malloc(self.room * sizeof(double))
        if self.slots == NULL or self.pages == NULL or self.sums == NULL:
            raise MemoryError
        memset(self.slots, 0xFF, self.size * sizeof(uint32_t))

    def __dealloc__(self):
        free(self.slots)
        free(self.pages)
        free(self.sums)

    cdef inline int64_t slot_of(self, uint32_t page) noexcept nogil:
        cdef int64_t slot = ((page * <uint64_t>0x9E3779B97F4A7C15) >> 24) & (self.size - 1)
        while self.slots[slot] != EMPTY and self.pages[self.slots[slot]] != page:
            slot = (slot + 1) & (self.size - 1)
        return slot

    cdef inline int add(self, uint32_t page, double weight) noexcept nogil:
        """Add to the page's sum; -1 without memory."""
        cdef int64_t slot = self.slot_of(page)
        if self.slots[slot] != EMPTY:
            self.sums[self.slots[slot]] += weight
            return 0
        if self.count == self.room:
            if self.grow() < 0:
                return -1
            slot = self.slot_of(page)
        self.slots[slot] = <uint32_t>self.count
        self.pages[self.count] = page
        self.sums[self.count] = weight
        self.count += 1
        return 0

    cdef int grow(self) noexcept nogil:
        cdef int64_t i
        cdef uint32_t* slots = <uint32_t*>malloc(4 * self.room * sizeof(uint32_t))
        cdef uint32_t* pages = <uint32_t*>realloc(self.pages, 2 * self.room * sizeof(uint32_t))
        if pages != NULL:
            self.pages = pages
        cdef double* sums = <double*>realloc(self.sums, 2 * self.room * sizeof(double))
        if sums != NULL:
            self.sums = sums
        if slots == NULL or pages == NULL or sums == NULL:
            free(slots)
            return -1
        free(self.slots)
        self.slots = slots
        self.room *= 2
        self.size = 2 * self.room
        memset(self.slots, 0xFF, self.size * sizeof(uint32_t))
        for i in range(self.count):
            self.slots[self.slot_of(self.pages[i])] = <uint32_t>i
        return 0

    cdef void clear(self) noexcept nogil:
        """Empty the hash, at the cost of what it held."""
        cdef int64_t i
        if self.count * 8 > self.size:
            memset(self.slots, 0xFF, self.size * sizeof(uint32_t))
        else:
            for i in range(self.count - 1, -1, -1):
                self.slots[self.slot_of(self.pages[i])] = EMPTY
        self.count = 0

    cdef taken(self, int failed):
        """The pages and their sums, and an empty hash."""
        cdef int64_t i
        if failed:
            self.clear()
            raise MemoryError
        found = np.empty(self.count, np.uint32)
        totals = np.empty(self.count, np.float64)
        cdef uint32_t[::1] pages = found
        cdef double[::1] sums = totals
        with nogil:
            for i in range(self.count):
                pages[i] = self.pages[i]
                sums[i] = self.sums[i]
            self.clear()
        return found, totals


def weighted(Scratch scratch, const uint64_t[::1] offsets, const uint32_t[::1] links,
             const uint32_t[::1] rows, const double[::1] weights):
    """For each page that one of the rows holds, the sum of these rows' weights; links read."""
    cdef int64_t n = rows.shape[0], i, j, read = 0
    cdef int failed = 0
    with nogil:
        for i in range(n):
            if i + 8 < n:
                PREFETCH(&offsets[rows[i + 8]])
            if i + 4 < n:
                PREFETCH(&links[offsets[rows[i + 4]]])
            for j in range(offsets[rows[i]], offsets[rows[i] + 1]):
                failed |= scratch.add(links[j], weights[i])
            read += offsets[rows[i] + 1] - offsets[rows[i]]
    found, sums = scratch.taken(failed)
    return found, sums, read


def nearby(Scratch scratch, const uint64_t[::1] offsets, const uint32_t[::1] links,
           const uint32_t[::1] rows, uint32_t page, double alpha):
    """For each page beside `page` in the rows, the sum of 1 / distance ** alpha; links read."""
    cdef int64_t n = rows.shape[0], i, j, at, start, stop, read = 0, ready = 1
    cdef int failed = 0
    cdef double[1024] near
    with nogil:
        near[0] = 0
        for i in range(n):
            if i + 8 < n:
                PREFETCH(&offsets[rows[i + 8]])
            if i + 4 < n:
                PREFETCH(&links[offsets[rows[i + 4]]])
            start = offsets[rows[i]]
            stop = offsets[rows[i] + 1]
            read += stop - start
            while ready < stop - start and ready < 1024:
                near[ready] = pow(<double>ready, -alpha)
                ready += 1
            at = start
            while at < stop and links[at] != page:
                at += 1
            for j in range(start, at):
                failed |= scratch.add(
                    links[j], near[at - j] if at - j < 1024 else pow(<double>(at - j), -alpha))
            for j in range(at + 1, stop):
                failed |= scratch.add(
                    links[j], near[j - at] if j - at < 1024 else pow(<double>(j - at), -alpha))
    found, sums = scratch.taken(failed)
    return found, sums, read


def places(Scratch scratch, const uint32_t[::1] pages):
    """Each page once, and for each entry of `pages` where it is among these."""
    cdef int64_t n = pages.shape[0], i
    cdef int failed = 0
    where = np.empty(n, np.int64)
    cdef int64_t[::1] at = where
    with nogil:
        for i in range(n):
            failed |= scratch.add(pages[i], 0)
            at[i] = scratch.slots[scratch.slot_of(pages[i])]
    return scratch.taken(failed)[0], where
