"""The pages within two links of the sources of PageSim, numbered; for `_pagesim.pyx`."""

from libc.stdint cimport int32_t, int64_t, uint32_t

from whatsrelated.kernels.shared._links cimport Adjacency
from whatsrelated.kernels.shared._number_table cimport Numbering

cdef struct Local:           # a page met so far
    double near              # its score from the current source within two links
    double score
    float share              # the score it hands to each of its links, over all sources
    uint32_t degree
    int32_t row              # start of its links in `rows`; -1: not read yet
    uint32_t kept            # the number of links to follow


cdef class Neighbours:
    cdef Numbering pages     # their local numbers
    cdef Local* locals
    cdef uint32_t* rows      # links, as local numbers
    cdef uint32_t* touched   # the pages that the current source reaches
    cdef size_t n_rows, n_touched, room, room_rows, room_touched
    cdef Adjacency children
    cdef int64_t radius, read

    cdef int forget(self, size_t expected) except -1 nogil
    cdef int64_t number(self, uint32_t page) except -1 nogil
    cdef int read_row(self, int64_t local) except -1 nogil
    cdef int64_t read_source(self, uint32_t page) except -1 nogil
    cdef int64_t local_of(self, uint32_t page) noexcept nogil
    cdef void follow_second(self, int64_t source, double first) noexcept nogil
    cdef void follow_first(self, int64_t source, double first) noexcept nogil
