# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The hash table of the kernels: every distinct key gets a number, 0, 1, 2 … as they come.

What belongs to a key stands by its number in arrays of the kernel's own, so that results
come out in the order of arrival whatever the hash.  Open addressing with linear probing,
Fibonacci hashing, a power of two of slots, at most half of them used.  Where no key is held
all slots are free, so that an empty table takes any size it has room for at no cost.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from whatsrelated.kernels._memory cimport LARGE_PAGES, PREFETCH, allocate, grow

cdef enum:
    FEWEST_BITS = 10

cdef struct Slot:
    uint32_t key
    uint32_t number        # and 1; 0 where the slot is free

cdef struct Numbering:     # all 0 at first, then `reserve`
    Slot *slots
    uint32_t *keys         # by number
    size_t count
    size_t size            # slots in use, a power of two
    int shift              # 64 less the bits of that
    size_t room, keys_room


cdef inline int reserve(Numbering *table, size_t expected) except -1 nogil:
    """Give an empty table the slots for so many keys; it grows where more come."""
    cdef int bits = FEWEST_BITS
    while <size_t>1 << bits < 2 * expected:
        bits += 1
    return resize(table, bits)


cdef inline int resize(Numbering *table, int bits) except -1 nogil:
    """Give a table 2 ** bits slots; its keys keep their numbers."""
    cdef size_t i, size = <size_t>1 << bits
    cdef Slot *slots
    if size > table.room:
        slots = <Slot *>allocate(size, sizeof(Slot))
        LARGE_PAGES(slots, size * sizeof(Slot))
        free(table.slots)
        table.slots, table.room = slots, size
    elif table.count:
        memset(table.slots, 0, table.size * sizeof(Slot))
    grow(<void **>&table.keys, &table.keys_room, size // 2, sizeof(uint32_t))
    table.size, table.shift = size, 64 - bits
    for i in range(table.count):
        slot_of(table, table.keys[i])[0] = Slot(table.keys[i], <uint32_t>i + 1)
    return 0


cdef inline void free_numbering(Numbering *table) noexcept nogil:
    free(table.slots)
    free(table.keys)


cdef inline size_t home_of(const Numbering *table, uint32_t key) noexcept nogil:
    """Where a key is looked for first."""
    return (key * <uint64_t>0x9E3779B97F4A7C15) >> table.shift


cdef inline void prefetch_slot(const Numbering *table, uint32_t key) noexcept nogil:
    PREFETCH(&table.slots[home_of(table, key)])


cdef inline Slot *slot_of(const Numbering *table, uint32_t key) noexcept nogil:
    """The slot that holds the key, or the free one where it belongs."""
    cdef size_t at = home_of(table, key)
    while table.slots[at].number and table.slots[at].key != key:
        at = (at + 1) & (table.size - 1)
    return &table.slots[at]


cdef inline int64_t number_of(Numbering *table, uint32_t key) except -1 nogil:
    """The number of a key; a key that has none gets the next, which was `count`."""
    cdef Slot *slot = slot_of(table, key)
    if not slot.number:
        if 2 * (table.count + 1) > table.size:
            resize(table, 65 - table.shift)
            slot = slot_of(table, key)
        table.keys[table.count] = key
        table.count += 1
        slot.key, slot.number = key, <uint32_t>table.count
    return <int64_t>slot.number - 1


cdef inline void clear(Numbering *table) noexcept nogil:
    """Empty a table, at the cost of what it held; it keeps its size."""
    cdef size_t i
    if 8 * table.count > table.size:
        memset(table.slots, 0, table.size * sizeof(Slot))
    else:  # the last first: the way to a key is whole as long as those before it are there
        for i in range(table.count, 0, -1):
            slot_of(table, table.keys[i - 1]).number = 0
    table.count = 0
