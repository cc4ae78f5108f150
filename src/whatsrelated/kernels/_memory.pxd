# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Memory: prefetched, allocated, grown, copied; what the loops over a vicinity share."""

from cpython.bytearray cimport PyByteArray_FromStringAndSize
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, realloc

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
    FAR = 16  # the offsets of a page's links are prefetched so many pages ahead
    NEAR = 8  # and its first links so many


cdef inline void prefetch_row(const uint32_t *links, uint64_t size) noexcept nogil:
    """Prefetch the first eight cache lines of a page's links."""
    cdef uint64_t at
    if size > 128:
        size = 128
    for at in range(0, size, 16):
        PREFETCH(links + at)


cdef inline uint32_t hash_of(uint32_t page) noexcept nogil:
    """A hash of a page; the high bits are the best."""
    page = page * <uint32_t>2654435769u
    return page ^ (page >> 15)


cdef inline int raise_memory_error() except -1 nogil:
    with gil:
        raise MemoryError()


cdef inline void *allocate(size_t count, size_t each) except NULL nogil:
    """Room for so many things, all bytes 0."""
    cdef void *memory = calloc(count + 1, each)
    if memory == NULL:
        raise_memory_error()
    return memory


cdef inline int grow(void **memory, size_t *have, size_t want, size_t each) except -1 nogil:
    """Make room for `want` things of `each` bytes, keeping what is there."""
    cdef void *moved
    if want > have[0]:
        want = max(want, 2 * have[0])
        moved = realloc(memory[0], want * each)
        if moved == NULL:
            raise_memory_error()
        memory[0] = moved
        have[0] = want
    return 0


cdef inline bytearray copy_of(const void *memory, size_t count, size_t each):
    """A copy of so many things of `each` bytes, for NumPy to read as an array."""
    return PyByteArray_FromStringAndSize(<const char *>memory, <Py_ssize_t>(count * each))
