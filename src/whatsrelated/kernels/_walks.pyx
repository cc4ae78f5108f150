# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""A random walk with restart over links in either direction, pushed outwards from a page.

Each page holds a settled probability and a residue that is still to walk on.
Pushing a page settles `restart` of its residue and sends the rest in equal
parts along its links, in either direction.  Pages are pushed first come, first
served, while their residue is above `error` times their degree; the first
page is pushed in any case.  What is left is settled where it stands: no page
then lacks more than `error` times its degree.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memset

import numpy as np

cdef extern from *:
    """
    #define PREFETCH(address) __builtin_prefetch(address)
    """
    void PREFETCH(const void*) noexcept nogil

cdef enum:
    EMPTY = 0xFFFFFFFF

cdef struct Visited:
    double settled
    double residue
    double degree
    uint32_t page
    uint32_t waits            # whether it is in the queue


cdef class Scratch:
    """The memory of one thread's walks: a hash of the pages visited, and a queue of them."""

    cdef uint32_t* slots      # index into `visited`, or EMPTY
    cdef int64_t size
    cdef Visited* visited
    cdef uint32_t* queue      # a ring of `room` entries
    cdef int64_t count
    cdef int64_t room

    def __cinit__(self):
        self.size = 1 << 13
        self.room = 1 << 12
        self.slots = <uint32_t*>malloc(self.size * sizeof(uint32_t))
        self.visited = <Visited*>malloc(self.room * sizeof(Visited))
        self.queue = <uint32_t*>malloc(self.room * sizeof(uint32_t))
        if self.slots == NULL or self.visited == NULL or self.queue == NULL:
            raise MemoryError
        memset(self.slots, 0xFF, self.size * sizeof(uint32_t))

    def __dealloc__(self):
        free(self.slots)
        free(self.visited)
        free(self.queue)

    cdef inline int64_t slot_of(self, uint32_t page) noexcept nogil:
        cdef int64_t slot = ((page * <uint64_t>0x9E3779B97F4A7C15) >> 24) & (self.size - 1)
        while self.slots[slot] != EMPTY and self.visited[self.slots[slot]].page != page:
            slot = (slot + 1) & (self.size - 1)
        return slot

    cdef int grow(self, int64_t* head, int64_t* tail) noexcept nogil:
        """Twice the room; the queue is laid out afresh from its head."""
        cdef int64_t i, room = 2 * self.room
        cdef uint32_t* slots = <uint32_t*>malloc(2 * room * sizeof(uint32_t))
        cdef uint32_t* queue = <uint32_t*>malloc(room * sizeof(uint32_t))
        cdef Visited* visited = <Visited*>realloc(self.visited, room * sizeof(Visited))
        if visited != NULL:
            self.visited = visited
        if slots == NULL or queue == NULL or visited == NULL:
            free(slots)
            free(queue)
            return -1
        for i in range(tail[0] - head[0]):
            queue[i] = self.queue[(head[0] + i) & (self.room - 1)]
        tail[0] -= head[0]
        head[0] = 0
        free(self.slots)
        free(self.queue)
        self.slots = slots
        self.queue = queue
        self.room = room
        self.size = 2 * room
        memset(self.slots, 0xFF, self.size * sizeof(uint32_t))
        for i in range(self.count):
            self.slots[self.slot_of(self.visited[i].page)] = <uint32_t>i
        return 0

    cdef void clear(self) noexcept nogil:
        """Empty the hash, at the cost of what it held."""
        cdef int64_t i
        if self.count * 8 > self.size:
            memset(self.slots, 0xFF, self.size * sizeof(uint32_t))
        else:
            for i in range(self.count - 1, -1, -1):
                self.slots[self.slot_of(self.visited[i].page)] = EMPTY
        self.count = 0


def pushed(Scratch scratch, const uint64_t[::1] out_offsets, const uint32_t[::1] out_links,
           const uint64_t[::1] in_offsets, const uint32_t[::1] in_links,
           uint32_t page, double restart, double error):
    """The pages reached, the probability of each, the links walked, and what was left to walk."""
    cdef int64_t head = 0, tail = 0, i, read = 0
    cdef double left = 0
    cdef int failed
    with nogil:
        failed = _visit(scratch, out_offsets, in_offsets, page, 1.0, 0.0, &head, &tail)
        if not failed and head == tail:
            scratch.queue[0] = 0
            scratch.visited[0].waits = 1
            tail = 1
        while head < tail and not failed:
            failed = _push(scratch, out_offsets, out_links, in_offsets, in_links,
                           restart, error, &head, &tail, &read)
    if failed:
        scratch.clear()
        raise MemoryError
    found = np.empty(scratch.count, np.uint32)
    probabilities = np.empty(scratch.count, np.float64)
    cdef uint32_t[::1] pages = found
    cdef double[::1] settled = probabilities
    with nogil:
        for i in range(scratch.count):
            pages[i] = scratch.visited[i].page
            settled[i] = scratch.visited[i].settled + restart * scratch.visited[i].residue
            left += (1 - restart) * scratch.visited[i].residue
        scratch.clear()
    return found, probabilities, read, left


cdef inline int _visit(Scratch scratch, const uint64_t[::1] out_offsets,
                       const uint64_t[::1] in_offsets, uint32_t page, double share, double error,
                       int64_t* head, int64_t* tail) noexcept nogil:
    """Add to the residue of a page, and put it in the queue where that is enough."""
    cdef int64_t slot = scratch.slot_of(page)
    cdef uint32_t index = scratch.slots[slot]
    cdef Visited* here
    if index == EMPTY:
        if scratch.count == scratch.room:
            if scratch.grow(head, tail) < 0:
                return -1
            slot = scratch.slot_of(page)
        index = <uint32_t>scratch.count
        scratch.slots[slot] = index
        here = &scratch.visited[index]
        here.page = page
        here.waits = 0
        here.settled = 0
        here.residue = 0
        here.degree = <double>(out_offsets[page + 1] - out_offsets[page]
                               + in_offsets[page + 1] - in_offsets[page])
        scratch.count += 1
    here = &scratch.visited[index]
    here.residue += share
    if not here.waits and here.residue > error * here.degree:
        here.waits = 1
        scratch.queue[tail[0] & (scratch.room - 1)] = index
        tail[0] += 1
    return 0


cdef int _push(Scratch scratch, const uint64_t[::1] out_offsets, const uint32_t[::1] out_links,
               const uint64_t[::1] in_offsets, const uint32_t[::1] in_links,
               double restart, double error, int64_t* head, int64_t* tail,
               int64_t* read) noexcept nogil:
    """Settle the first page of the queue and send the rest of its residue on."""
    cdef uint32_t index = scratch.queue[head[0] & (scratch.room - 1)]
    cdef Visited* here = &scratch.visited[index]
    cdef uint32_t page = here.page
    cdef double residue = here.residue, share
    cdef int64_t j
    head[0] += 1
    here.waits = 0
    here.residue = 0
    if here.degree == 0:
        here.settled += residue
        return 0
    here.settled += restart * residue
    share = (1 - restart) * residue / here.degree
    read[0] += <int64_t>here.degree
    for j in range(out_offsets[page], out_offsets[page + 1]):
        if _visit(scratch, out_offsets, in_offsets, out_links[j], share, error, head, tail) < 0:
            return -1
    for j in range(in_offsets[page], in_offsets[page + 1]):
        if _visit(scratch, out_offsets, in_offsets, in_links[j], share, error, head, tail) < 0:
            return -1
    return 0
