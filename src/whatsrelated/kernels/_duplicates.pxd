"""What the kernels of whole questions use of near-duplicates, without the interpreter."""

from libc.stdint cimport int64_t, uint32_t, uint64_t


cdef int64_t group(
    const uint64_t[::1] out_offsets,
    const uint32_t[::1] out_links,
    const uint32_t *pages,
    size_t n,
    uint64_t least,
    uint64_t part,
    uint64_t whole,
    uint32_t *groups,
) except -1 nogil
