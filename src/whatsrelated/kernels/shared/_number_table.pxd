# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The hash table of the kernels: every distinct key gets a number, 0, 1, 2 … as they come.

What belongs to a key stands by its number in arrays of the kernel's own, so that results
come out in the order of arrival whatever the hash.  Open addressing with linear probing,
Fibonacci hashing, a power of two of slots, at most half of them used.  Where no key is held
all slots are free, so that an empty table takes any size it has room for at no cost.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from whatsrelated.kernels.shared._memory cimport PREFETCH

cdef struct Numbering:     # all 0 at first, then `reserve`
    uint32_t *slots        # a number and 1; 0 where the slot is free
    uint32_t *keys         # by number
    size_t count
    size_t size            # slots in use, a power of two
    int shift              # 64 less the bits of that
    size_t room, keys_room


cdef int reserve(Numbering *table, size_t expected) except -1 nogil
cdef int64_t insert_in_larger(Numbering *table, uint32_t key) except -1 nogil
cdef void clear(Numbering *table) noexcept nogil
cdef void free_numbering(Numbering *table) noexcept nogil


cdef inline size_t home_of(const Numbering *table, uint32_t key) noexcept nogil:
    """Where a key is looked for first."""
    return (key * <uint64_t>0x9E3779B97F4A7C15) >> table.shift


cdef inline void prefetch_slot(const Numbering *table, uint32_t key) noexcept nogil:
    PREFETCH(&table.slots[home_of(table, key)])


cdef inline uint32_t *slot_of(const Numbering *table, uint32_t key) noexcept nogil:
    """The slot of the key, or the free one where it belongs."""
    cdef size_t at = home_of(table, key)
    while table.slots[at] and table.keys[table.slots[at] - 1] != key:
        at = (at + 1) & (table.size - 1)
    return &table.slots[at]


cdef inline int64_t insert(Numbering *table, uint32_t *slot, uint32_t key) except -1 nogil:
    """Give a new key the next number, which was `count`; `slot` is the free one where it belongs."""
    if 2 * (table.count + 1) > table.size:
        return insert_in_larger(table, key)
    table.keys[table.count] = key
    table.count += 1
    slot[0] = <uint32_t>table.count
    return <int64_t>table.count - 1


cdef inline int64_t number_of(Numbering *table, uint32_t key) except -1 nogil:
    """The number of a key, the next where it has none."""
    cdef uint32_t *slot = slot_of(table, key)
    return <int64_t>slot[0] - 1 if slot[0] else insert(table, slot, key)
