"""What the kernels of whole questions use of a vicinity, without the interpreter."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t


cdef struct Slot:
    uint32_t key
    uint32_t value  # and 1; 0 where the slot is free


cdef struct Table:
    Slot *slots
    size_t room, size
    int shift


cdef class Vicinity:
    cdef uint32_t *pages
    cdef uint8_t *roles
    cdef uint32_t *numbers
    cdef int64_t *starts
    cdef uint32_t *targets
    cdef uint64_t *filter
    cdef Table places, sites
    cdef size_t count
    cdef size_t pages_room, roles_room, numbers_room, starts_room, targets_room, filter_room

    cdef int forget(self, size_t expected) except -1 nogil
    cdef int put(self, uint32_t page, uint8_t role) except -1 nogil
    cdef int take(
        self, const uint32_t[::1] pages, uint8_t role, const uint32_t[::1] leave_out
    ) except -1 nogil
    cdef int take_windows(
        self,
        const uint64_t[::1] out_offsets,
        const uint32_t[::1] out_links,
        uint32_t page,
        const uint32_t[::1] parents,
        int64_t width,
        uint8_t role,
        const uint32_t[::1] leave_out,
    ) except -1 nogil
    cdef int take_best_parents(
        self,
        const uint64_t[::1] in_offsets,
        const uint32_t[::1] in_links,
        const uint32_t[::1] pages,
        int64_t most,
        uint8_t role,
        const uint32_t[::1] leave_out,
        const uint32_t[::1] apart,
    ) except -1 nogil
    cdef int number_sites(self, const uint32_t[::1] sites) except -1 nogil
    cdef int find_links(
        self, const uint64_t[::1] out_offsets, const uint32_t[::1] out_links, bint sited
    ) except -1 nogil
    cdef uint64_t make_filter(self) except 0 nogil
