"""The pages within two links of the sources of PageSim, numbered; for `_pagesim.pyx`."""

from libc.stdint cimport int32_t, int64_t, uint32_t

from whatsrelated.kernels.shared._links cimport Adjacency
from whatsrelated.kernels.shared._number_table cimport Numbering

cdef struct Local:           # a page that was met
    double near              # what the source at hand gives it within two links
    double score
    float share              # what it hands to each of its links, over all sources
    uint32_t degree
    int32_t row              # where its links begin in `rows`, -1 before they are read
    uint32_t kept            # so many of them, the first ones, are followed


cdef class Neighbours:
    cdef Numbering pages     # their local numbers
    cdef Local* locals
    cdef uint32_t* rows      # links, as local numbers
    cdef uint32_t* touched   # the pages that the source at hand gives something
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
