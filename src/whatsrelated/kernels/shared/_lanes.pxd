# cython: boundscheck=False, wraparound=False, cdivision=True
"""Growing lists: of pages with eight lanes of values, and of values sent to pages."""

from libc.stdint cimport uint32_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from whatsrelated.kernels.shared._memory cimport allocate, grow

cdef enum:
    LANES = 8
    LINE = 64                # bytes of a cache line

cdef struct Places:          # pages and their lanes
    uint32_t* pages
    float* lanes
    void* memory             # the allocation that holds the lanes
    size_t count, room, room_pages

cdef struct Sent:            # a value handed over a link
    uint32_t page            # the receiver
    uint32_t what            # a place number, or the lane of a quantum

cdef struct Batch:
    Sent* sent
    size_t count, room

cdef inline int reserve(Places* places, size_t want) except -1 nogil:
    """Make room for `want` places; the lanes of each are in one cache line."""
    cdef void* memory
    cdef float* lanes
    if want <= places.room:
        return 0
    grow(<void**>&places.pages, &places.room_pages, want, sizeof(uint32_t))
    memory = allocate(places.room_pages * LANES + LINE, sizeof(float))
    lanes = <float*>((<size_t>memory + LINE - 1) // LINE * LINE)
    if places.count:
        memcpy(lanes, places.lanes, places.count * LANES * sizeof(float))
    free(places.memory)
    places.lanes, places.memory, places.room = lanes, memory, places.room_pages
    return 0


cdef inline void free_places(Places* places) noexcept nogil:
    free(places.pages)
    free(places.memory)


cdef inline int put(Batch* batch, uint32_t page, uint32_t what) except -1 nogil:
    """Add an entry for a page to a batch."""
    if batch.count == batch.room:
        grow(<void**>&batch.sent, &batch.room, batch.count + 1, sizeof(Sent))
    batch.sent[batch.count] = Sent(page, what)
    batch.count += 1
    return 0
