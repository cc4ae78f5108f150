# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""The kernels' hash table: the rare cases, kept out of the inlined code."""

from libc.stdint cimport int64_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memset

from whatsrelated.kernels.shared._memory cimport LARGE_PAGES, allocate, grow

cdef enum:
    FEWEST_BITS = 10


cdef int reserve(Numbering *table, size_t expected) except -1 nogil:
    """Give an empty table slots for `expected` keys; it grows if there are more."""
    cdef int bits = FEWEST_BITS
    while <size_t>1 << bits < 2 * expected:
        bits += 1
    return resize(table, bits)


cdef int resize(Numbering *table, int bits) except -1 nogil:
    """Give a table 2 ** bits slots; its keys keep their numbers."""
    cdef size_t i, size = <size_t>1 << bits
    cdef uint32_t *slots
    if size > table.room:
        slots = <uint32_t *>allocate(size, sizeof(uint32_t))
        LARGE_PAGES(slots, size * sizeof(uint32_t))
        free(table.slots)
        table.slots, table.room = slots, size
    elif table.count:
        memset(table.slots, 0, table.size * sizeof(uint32_t))
    grow(<void **>&table.keys, &table.keys_room, size // 2, sizeof(uint32_t))
    table.size, table.shift = size, 64 - bits
    for i in range(table.count):
        slot_of(table, table.keys[i])[0] = <uint32_t>i + 1
    return 0


cdef void free_numbering(Numbering *table) noexcept nogil:
    free(table.slots)
    free(table.keys)


cdef int64_t insert_in_larger(Numbering *table, uint32_t key) except -1 nogil:
    """Double the table and return the number of a new key."""
    resize(table, 65 - table.shift)
    return number_of(table, key)


cdef void clear(Numbering *table) noexcept nogil:
    """Empty a table, key by key if they are few; it keeps its size."""
    cdef size_t i
    if 8 * table.count > table.size:
        memset(table.slots, 0, table.size * sizeof(uint32_t))
    else:  # last key first, because the probes for a key pass only older keys
        for i in range(table.count, 0, -1):
            slot_of(table, table.keys[i - 1])[0] = 0
    table.count = 0
