# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""A random walk with restart over links in either direction, by forward push.

Each page holds a reserve, the probability it keeps, and a residue still to be pushed. Pushing a
page moves `restart` of its residue to its reserve and sends the rest in equal parts along its
links, in either direction. Pages are pushed in queue order while their residue is above `error`
times their degree; the pages of the start are always pushed. At the end, `restart` of the remaining
residue is added, so no page's probability is wrong by more than `error` times its degree.

A walk may start from several pages, each with a share. A negative share is subtracted: probabilities
are linear in the shares.
"""

from libc.math cimport fabs
from libc.stdint cimport int64_t, uint32_t
from libc.stdlib cimport free

from whatsrelated.kernels.shared._limits cimport Watch, begin_row, begin_watch
from whatsrelated.kernels.shared._links cimport (
    Adjacency, Links, Pages, Span, degree_of, links_of, prefetch_degree, prefetch_links, prefetch_place
)
from whatsrelated.kernels.shared._memory cimport NEAR, allocate, copy_of, grow
from whatsrelated.kernels.shared._number_table cimport (
    Numbering, clear, free_numbering, insert, prefetch_slot, reserve, slot_of
)

import numpy as np


cdef class Scratch:
    """One thread's memory: the pages visited, and a queue of them."""

    def __cinit__(self):
        reserve(&self.pages, 1 << 12)
        self.ring = 1 << 12
        self.queue = <uint32_t *>allocate(self.ring, sizeof(uint32_t))

    def __dealloc__(self):
        free_numbering(&self.pages)
        free(self.visited)
        free(self.queue)

    cdef int64_t walk(
        self,
        Links links,
        const uint32_t *pages,
        const double *shares,
        size_t count,
        double restart,
        double error,
    ) except -1 nogil:
        """Walk from distinct pages, numbered from 0 in this order; return the links followed."""
        cdef int64_t read = 0
        cdef size_t i
        cdef Watch watch = begin_watch()
        clear(&self.pages)
        self.head = self.tail = 0
        for i in range(count):
            self.add_residue(links, pages[i], shares[i], 0.0)
        while self.head < self.tail:
            read += self.push_next(links, restart, error, &watch)
        return read

    cdef double probability(self, size_t number, double restart) noexcept nogil:
        """The probability of a page after a walk."""
        return self.visited[number].reserve + restart * self.visited[number].residue

    cdef inline int add_residue(
        self, Links links, uint32_t page, double share, double error
    ) except -1 nogil:
        """Add to the residue of a page; queue the page if the residue is large enough."""
        cdef uint32_t *slot = slot_of(&self.pages, page)
        cdef uint32_t number = slot[0] - 1
        cdef Visited *here
        if not slot[0]:
            number = <uint32_t>insert(&self.pages, slot, page)
            grow(<void **>&self.visited, &self.room, number + 1, sizeof(Visited))
            self.visited[number] = Visited(
                0, 0,
                <double>(degree_of(&links.children, page) + degree_of(&links.parents, page)),
                False,
            )
        here = &self.visited[number]
        here.residue += share
        if not here.queued and fabs(here.residue) > error * here.degree:
            here.queued = True
            self.enqueue(number)
        return 0

    cdef inline int enqueue(self, uint32_t number) except -1 nogil:
        if self.tail - self.head == self.ring:
            self.widen_queue()
        self.queue[self.tail & (self.ring - 1)] = number
        self.tail += 1
        return 0

    cdef int widen_queue(self) except -1 nogil:
        """Double the ring."""
        cdef size_t i, waiting = self.tail - self.head
        cdef uint32_t *queue = <uint32_t *>allocate(2 * self.ring, sizeof(uint32_t))
        for i in range(waiting):
            queue[i] = self.queue[(self.head + i) & (self.ring - 1)]
        free(self.queue)
        self.queue, self.ring, self.head, self.tail = queue, 2 * self.ring, 0, waiting
        return 0

    cdef int64_t push_next(
        self, Links links, double restart, double error, Watch *watch
    ) except -1 nogil:
        """Push the first page of the queue; return the number of links followed."""
        cdef uint32_t number = self.queue[self.head & (self.ring - 1)]
        cdef uint32_t page = self.pages.keys[number]
        cdef Visited *here = &self.visited[number]
        cdef double residue = here.residue, share
        cdef int64_t degree = <int64_t>here.degree
        self.head += 1
        self.prefetch_next(links)
        here.queued = False
        here.residue = 0
        if degree == 0:
            here.reserve += residue
            return 0
        here.reserve += restart * residue
        share = (1 - restart) * residue / here.degree
        self.send(links, &links.children, page, share, error, watch)
        self.send(links, &links.parents, page, share, error, watch)
        return degree

    cdef inline void prefetch_next(self, Links links) noexcept nogil:
        """Prefetch the next page's links, and the offsets of the page after it."""
        cdef uint32_t page
        if self.head + 1 < self.tail:
            page = self.pages.keys[self.queue[(self.head + 1) & (self.ring - 1)]]
            prefetch_place(&links.children, page)
            prefetch_place(&links.parents, page)
        if self.head < self.tail:
            page = self.pages.keys[self.queue[self.head & (self.ring - 1)]]
            prefetch_links(&links.children, page)
            prefetch_links(&links.parents, page)

    cdef int send(
        self,
        Links links,
        const Adjacency *rows,
        uint32_t page,
        double share,
        double error,
        Watch *watch,
    ) except -1 nogil:
        cdef Span row = links_of(rows, page)
        cdef size_t j
        begin_row(watch, &row.count, self.pages.count, watch.pages)
        for j in range(row.count):
            if j + NEAR < row.count:
                prefetch_slot(&self.pages, row.pages[j + NEAR])
                prefetch_degree(&links.children, row.pages[j + NEAR])
                prefetch_degree(&links.parents, row.pages[j + NEAR])
            self.add_residue(links, row.pages[j], share, error)
        return 0


def push(
    Scratch scratch, Links links, Pages pages, const double[::1] shares, double restart, double error
):
    """The pages reached, their probabilities, the links followed, and the residue left.

    The walk starts from these distinct pages, with these shares.
    """
    cdef size_t i
    cdef int64_t read
    cdef double left = 0
    with nogil:
        read = scratch.walk(links, &pages[0], &shares[0], pages.shape[0], restart, error)
    probabilities = np.empty(scratch.pages.count, np.float64)
    cdef double[::1] to_probabilities = probabilities
    with nogil:
        for i in range(scratch.pages.count):
            to_probabilities[i] = scratch.probability(i, restart)
            left += (1 - restart) * fabs(scratch.visited[i].residue)
    found = copy_of(scratch.pages.keys, scratch.pages.count, sizeof(uint32_t))
    clear(&scratch.pages)  # now, while they are still in the cache
    return np.frombuffer(found, np.uint32), probabilities, read, left
