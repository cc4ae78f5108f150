# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""Allocate and enlarge memory: the rare cases, kept out of the inlined code."""

from cpython.bytearray cimport PyByteArray_FromStringAndSize
from libc.stdlib cimport calloc, malloc, realloc

from whatsrelated.kernels.shared._limits cimport take_bytes


cdef int raise_memory_error() except -1 nogil:
    with gil:
        raise MemoryError()


cdef void *allocate(size_t count, size_t each) except NULL nogil:
    """Allocate `count` items of `each` bytes, all 0."""
    cdef void *memory
    take_bytes(count * each, kept=False)
    memory = calloc(count + 1, each)
    if memory == NULL:
        raise_memory_error()
    return memory


cdef void *allocate_unset(size_t count, size_t each) except NULL nogil:
    """The same, uninitialised."""
    cdef void *memory
    take_bytes(count * each, kept=False)
    memory = malloc((count + 1) * each)
    if memory == NULL:
        raise_memory_error()
    return memory


cdef int enlarge(void **memory, size_t *have, size_t want, size_t each) except -1 nogil:
    """Make room for `want` items, at least twice as many as before, keeping the contents."""
    cdef void *moved
    want = max(want, 2 * have[0])
    take_bytes((want - have[0]) * each, kept=True)
    moved = realloc(memory[0], want * each)
    if moved == NULL:
        raise_memory_error()
    memory[0] = moved
    have[0] = want
    return 0


cdef bytearray copy_of(const void *memory, size_t count, size_t each):
    """A copy of `count` items of `each` bytes, which NumPy can read as an array."""
    return PyByteArray_FromStringAndSize(<const char *>memory, <Py_ssize_t>(count * each))
