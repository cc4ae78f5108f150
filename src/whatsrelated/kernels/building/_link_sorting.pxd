# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Split pairs into ranges of pages that fit the cache, then group each range there."""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memcpy

cdef enum:
    LINE = 8              # pairs in a cache line


cdef struct Splitter:
    int shift
    int64_t ranges
    uint64_t* starts   # ranges + 1: the start of each range in `pairs`
    uint64_t* cursors
    uint64_t* lines    # ranges x LINE
    uint32_t* held     # the number of pairs in each line
    uint64_t* pairs    # (key << 32) | value; the caller's


cdef bint open_splitter(Splitter* s, int64_t pages, int64_t links, uint64_t* pairs) noexcept nogil
cdef void close_splitter(Splitter* s) noexcept nogil
cdef void begin_ranges(Splitter* s) noexcept nogil
cdef void flush(Splitter* s) noexcept nogil
cdef int64_t group_ranges(Splitter* s, int64_t pages, uint32_t low, bint distinct,
                          uint64_t* offsets, uint32_t* links) noexcept nogil
cdef void begin_digits(uint64_t* counts, int64_t digits) noexcept nogil


cdef inline void put(Splitter* s, uint32_t key, uint32_t value) noexcept nogil:
    cdef int64_t r = key >> s.shift
    cdef uint64_t* line = s.lines + r * LINE
    cdef uint32_t held = s.held[r]
    line[held] = (<uint64_t>key << 32) | value
    held += 1
    if held == LINE:
        memcpy(s.pairs + s.cursors[r], line, LINE * sizeof(uint64_t))
        s.cursors[r] += LINE
        held = 0
    s.held[r] = held
