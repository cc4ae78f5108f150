"""Vicinities, for kernels that answer a whole query without the interpreter."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from whatsrelated.kernels.shared._links cimport Links, Pages, Span
from whatsrelated.kernels.shared._number_table cimport Numbering


cdef class Vicinity:
    cdef Numbering places, sites
    cdef uint8_t *roles
    cdef uint32_t *site_numbers
    cdef int64_t *starts
    cdef uint32_t *targets
    cdef uint64_t *filter
    cdef size_t roles_room, sites_room, starts_room, targets_room, filter_room

    cdef int forget(self, size_t expected) except -1 nogil
    cdef int put(self, uint32_t page, uint8_t role) except -1 nogil
    cdef int put_all(self, Span pages, uint8_t role, Span stop) except -1 nogil
    cdef int put_windows(
        self, Links links, uint32_t page, Span parents, int64_t width, uint8_t role, Span stop
    ) except -1 nogil
    cdef int put_best_parents(
        self, Links links, Span pages, int64_t most, uint8_t role, Span stop, Span apart
    ) except -1 nogil
    cdef int number_sites(self, Pages sites) except -1 nogil
    cdef int find_links(self, Links links, bint sited) except -1 nogil
    cdef uint64_t make_filter(self) except 0 nogil
