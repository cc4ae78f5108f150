# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Prefetch, allocate, grow and copy memory."""

from libc.stdint cimport uint32_t, uint64_t

cdef extern from "prefetch.h" nogil:
    void PREFETCH(const void *) noexcept
    void AHEAD "PREFETCH"(const void *) noexcept

cdef extern from *:
    """
    #if defined(__linux__)
    #include <stdint.h>
    #include <sys/mman.h>
    #define LARGE_PAGES(address, bytes) { \\
        uintptr_t from = ((uintptr_t)(address) + 0x1FFFFF) & ~(uintptr_t)0x1FFFFF; \\
        uintptr_t to = ((uintptr_t)(address) + (bytes)) & ~(uintptr_t)0x1FFFFF; \\
        if (to > from) madvise((void*)from, to - from, MADV_HUGEPAGE); }
    #else
    #define LARGE_PAGES(address, bytes)
    #endif
    """
    void LARGE_PAGES(void *, size_t) noexcept nogil

cdef enum:
    FAR = 16  # offsets are prefetched this many pages ahead
    NEAR = 8  # first links are prefetched this many pages ahead


cdef inline void prefetch_row(const uint32_t *links, uint64_t size) noexcept nogil:
    """Prefetch the first eight cache lines of a page's links."""
    cdef uint64_t at
    if size > 128:
        size = 128
    for at in range(0, size, 16):
        PREFETCH(links + at)


cdef inline uint32_t hash_of(uint32_t page) noexcept nogil:
    """A hash of a page; its high bits are the best ones."""
    page = page * <uint32_t>2654435769u
    return page ^ (page >> 15)


cdef int raise_memory_error() except -1 nogil
cdef void *allocate(size_t count, size_t each) except NULL nogil
cdef void *allocate_unset(size_t count, size_t each) except NULL nogil
cdef int enlarge(void **memory, size_t *have, size_t want, size_t each) except -1 nogil
cdef bytearray copy_of(const void *memory, size_t count, size_t each)


cdef inline int grow(void **memory, size_t *have, size_t want, size_t each) except -1 nogil:
    """Make room for `want` items of `each` bytes, keeping the contents."""
    return enlarge(memory, have, want, each) if want > have[0] else 0
