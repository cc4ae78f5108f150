# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The kernels' hash table: each distinct key gets the next number, from 0.

Kernels keep the data of a key in arrays indexed by its number, so results are in order of arrival
and do not depend on the hash. The table uses open addressing with linear probing and Fibonacci
hashing. The number of slots is a power of two, and at most half are in use. An empty table has only
free slots, so resizing it within its allocation costs nothing.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from whatsrelated.kernels.shared._memory cimport PREFETCH

cdef struct Numbering:     # all 0 at first; then call `reserve`
    uint32_t *slots        # a number + 1; 0: the slot is free
    uint32_t *keys         # by number
    size_t count
    size_t size            # slots in use, a power of two
    int shift              # 64 - log2(size)
    size_t room, keys_room


cdef int reserve(Numbering *table, size_t expected) except -1 nogil
cdef int64_t insert_in_larger(Numbering *table, uint32_t key) except -1 nogil
cdef void clear(Numbering *table) noexcept nogil
cdef void free_numbering(Numbering *table) noexcept nogil


cdef inline size_t home_of(const Numbering *table, uint32_t key) noexcept nogil:
    """The slot at which the search for a key begins."""
    return (key * <uint64_t>0x9E3779B97F4A7C15) >> table.shift


cdef inline void prefetch_slot(const Numbering *table, uint32_t key) noexcept nogil:
    PREFETCH(&table.slots[home_of(table, key)])


cdef inline uint32_t *slot_of(const Numbering *table, uint32_t key) noexcept nogil:
    """The slot of the key, or the free slot for it."""
    cdef size_t at = home_of(table, key)
    while table.slots[at] and table.keys[table.slots[at] - 1] != key:
        at = (at + 1) & (table.size - 1)
    return &table.slots[at]


cdef inline int64_t insert(Numbering *table, uint32_t *slot, uint32_t key) except -1 nogil:
    """Give a new key the next number and return it; `slot` is the free slot for it."""
    if 2 * (table.count + 1) > table.size:
        return insert_in_larger(table, key)
    table.keys[table.count] = key
    table.count += 1
    slot[0] = <uint32_t>table.count
    return <int64_t>table.count - 1


cdef inline int64_t number_of(Numbering *table, uint32_t key) except -1 nogil:
    """The number of a key; a new key gets the next one."""
    cdef uint32_t *slot = slot_of(table, key)
    return <int64_t>slot[0] - 1 if slot[0] else insert(table, slot, key)
