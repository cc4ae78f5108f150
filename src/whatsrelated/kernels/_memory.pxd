"""Memory, asked for early or given up: what the loops over a vicinity share."""

from cpython.bytearray cimport PyByteArray_FromStringAndSize
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define AHEAD(address) __builtin_prefetch(address)
    #else
    #define AHEAD(address) ((void)(address))
    #endif
    """
    void AHEAD(const void *) noexcept nogil

cdef enum:
    FAR = 16  # so many pages ahead their offsets are asked for
    NEAR = 8  # and so many ahead, their first links


cdef inline void ask_ahead(const uint32_t *links, uint64_t size) noexcept nogil:
    """Ask for the first eight cache lines of a page's links."""
    cdef uint64_t at
    if size > 128:
        size = 128
    for at in range(0, size, 16):
        AHEAD(links + at)


cdef inline uint32_t mixed(uint32_t page) noexcept nogil:
    """A hash of a page; the high bits are the best."""
    page = page * <uint32_t>2654435769u
    return page ^ (page >> 15)


cdef inline int no_memory() except -1 nogil:
    with gil:
        raise MemoryError()


cdef inline void *claimed(size_t count, size_t each) except NULL nogil:
    """Room for so many things, all bytes 0."""
    cdef void *memory = calloc(count + 1, each)
    if memory == NULL:
        no_memory()
    return memory


cdef inline int grow(void **memory, size_t *have, size_t want, size_t each) except -1 nogil:
    """Make room for `want` things of `each` bytes, keeping what is there."""
    cdef void *moved
    if want > have[0]:
        want = max(want, 2 * have[0])
        moved = realloc(memory[0], want * each)
        if moved == NULL:
            no_memory()
        memory[0] = moved
        have[0] = want
    return 0


cdef inline bytearray copied(const void *memory, size_t count, size_t each):
    """A copy of so many things of `each` bytes, for NumPy to read as an array."""
    return PyByteArray_FromStringAndSize(<const char *>memory, <Py_ssize_t>(count * each))
