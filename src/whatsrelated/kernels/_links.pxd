"""The links of a graph, as the kernels of whole questions read them."""

from libc.stdint cimport uint32_t, uint64_t


cdef class Links:
    cdef const uint64_t[::1] out_offsets
    cdef const uint32_t[::1] out_links
    cdef const uint64_t[::1] in_offsets
    cdef const uint32_t[::1] in_links
