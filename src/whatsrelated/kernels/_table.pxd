"""A hash from pages to numbers: open addressing, a power of two of slots, at most half full."""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from whatsrelated.kernels._memory cimport AHEAD, grow, no_memory

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
    void LARGE_PAGES(void*, size_t) noexcept nogil

cdef enum:
    EMPTY = 0xFFFFFFFF
    SMALLEST = 1 << 10

cdef union Mark:
    uint32_t number
    float share

cdef struct Slot:
    uint32_t page
    Mark mark
    double value

cdef struct Table:
    Slot* slots
    uint32_t* used          # the slots in the order in which their pages came
    int64_t count
    int64_t size            # slots in use now
    size_t room, room_used  # slots there is memory for


cdef inline int reserve(Table* table, int64_t pages) except -1 nogil:
    """Give an empty table the slots for so many pages."""
    cdef int64_t size = SMALLEST
    while size < 2 * pages:
        size *= 2
    return resize(table, size)


cdef inline int resize(Table* table, int64_t size) except -1 nogil:
    cdef size_t before = table.room
    grow(<void**>&table.slots, &table.room, size, sizeof(Slot))
    grow(<void**>&table.used, &table.room_used, size // 2, sizeof(uint32_t))
    if table.room > before:
        LARGE_PAGES(table.slots, table.room * sizeof(Slot))
        memset(table.slots + before, 0xFF, (table.room - before) * sizeof(Slot))
    table.size = size
    return 0


cdef inline void close_table(Table* table) noexcept nogil:
    free(table.slots)
    free(table.used)


cdef inline int64_t home(Table* table, uint32_t page) noexcept nogil:
    """Where a page is looked for first."""
    return ((page * <uint64_t>0x9E3779B97F4A7C15) >> 30) & (table.size - 1)


cdef inline int64_t place(Table* table, uint32_t page) noexcept nogil:
    """The slot of a page, or the free one where it belongs."""
    cdef int64_t at = home(table, page)
    while table.slots[at].page != page and table.slots[at].page != EMPTY:
        at = (at + 1) & (table.size - 1)
    return at


cdef inline int double_size(Table* table) except -1 nogil:
    """Twice the slots; the pages keep their order."""
    cdef int64_t i, at, count = table.count
    cdef Slot* moved = <Slot*>malloc(count * sizeof(Slot))
    if moved == NULL:
        no_memory()
    for i in range(count):
        moved[i] = table.slots[table.used[i]]
        table.slots[table.used[i]].page = EMPTY
    try:
        resize(table, 2 * table.size)
        for i in range(count):
            at = place(table, moved[i].page)
            table.slots[at] = moved[i]
            table.used[i] = <uint32_t>at
    finally:
        free(moved)
    return 0


cdef inline Slot* slot_of(Table* table, uint32_t page) except NULL nogil:
    """The slot of a page, made with the value 0 where there is none; good until the next."""
    cdef int64_t at = place(table, page)
    if table.slots[at].page == EMPTY:
        if 2 * (table.count + 1) > table.size:
            double_size(table)
            at = place(table, page)
        table.slots[at].page = page
        table.slots[at].mark.number = 0
        table.slots[at].value = 0
        table.used[table.count] = <uint32_t>at
        table.count += 1
    return &table.slots[at]


cdef inline Slot* held(Table* table, int64_t i) noexcept nogil:
    """The slot of the i-th page that came."""
    return &table.slots[table.used[i]]


cdef inline void ask_for(Table* table, uint32_t page) noexcept nogil:
    AHEAD(&table.slots[home(table, page)])


cdef inline void clear(Table* table) noexcept nogil:
    """Empty the table, at the cost of what it held, and make it small again."""
    cdef int64_t i
    if 8 * table.count > table.size:
        memset(table.slots, 0xFF, table.size * sizeof(Slot))
    else:
        for i in range(table.count):
            table.slots[table.used[i]].page = EMPTY
    table.count = 0
    table.size = SMALLEST
