# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Numbers handed along simple paths, from one page or from many.

A page hands what it has to each of its links, divided by its out-degree; a
path that comes back to a page of its own hands nothing on.  Up to three links,
the paths that end in one page are followed together: only those that would
return to the page that they came by are told apart.  Longer ones go one by one.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from whatsrelated.kernels._memory cimport AHEAD, FAR, NEAR, grow
from whatsrelated.kernels._table cimport Slot, Table, ask_for, clear, close_table, held, reserve, slot_of

import time

import numpy as np

cdef enum:
    TOGETHER = 3
    CLOCK = 1 << 15          # links between two looks at the clock

cdef struct Near:            # a page one or two links from the root
    uint32_t page
    int32_t via              # the last way by which two links led there
    double value             # what arrived over two links
    int64_t seen_by          # the page that is handing on, where this one led to it
    double share             # and what it gave it

cdef struct Via:             # a way over two links: the page between, and what it handed on
    uint32_t near
    int32_t before
    double share

cdef struct Step:            # a page of the path that is being followed
    uint32_t page
    uint64_t link
    double share


cdef class Paths:
    """What arrives where from one page after another, along links or against them."""

    cdef const uint64_t[::1] offsets       # of the links that are followed
    cdef const uint32_t[::1] links
    cdef const uint64_t[::1] out_offsets
    cdef int64_t radius                    # below 0: none
    cdef double least, deadline
    cdef double lost                       # at most this did not arrive
    cdef Table arrived
    cdef Near* near
    cdef Via* vias
    cdef Step* steps
    cdef size_t n_near, n_vias, room_near, room_vias, room_steps
    cdef int64_t read, look
    cdef bint late

    # Against links, what can come through a page: its rank times `flow`, by the links left.
    cdef bint backwards
    cdef const double[::1] rank
    cdef double[TOGETHER + 1] flow

    def __cinit__(self, const uint64_t[::1] offsets, const uint32_t[::1] links,
                  const uint64_t[::1] out_offsets, int64_t radius, double least,
                  double deadline):
        self.offsets = offsets
        self.links = links
        self.out_offsets = out_offsets
        self.radius = radius
        self.least = least
        self.deadline = deadline
        self.look = CLOCK
        reserve(&self.arrived, 0)

    def __dealloc__(self):
        close_table(&self.arrived)
        free(self.near)
        free(self.vias)
        free(self.steps)

    def against(self, const double[::1] rank, double damping):
        """Follow links backwards: a path given up loses what its sources would have sent."""
        cdef int left
        self.backwards = True
        self.rank = rank
        for left in range(1, TOGETHER + 1):
            self.flow[left] = (self.flow[left - 1] + 1) / damping

    cdef inline double out_degree(self, uint32_t page) noexcept nogil:
        return <double>(self.out_offsets[page + 1] - self.out_offsets[page])

    cdef inline bint time_is_up(self) noexcept nogil:
        if self.read >= self.look and not self.late:
            self.look = self.read + CLOCK
            with gil:
                self.late = time.monotonic() > self.deadline
        return self.late

    cdef inline bint given_up(self, uint32_t page, double value, double share,
                              int64_t left) noexcept nogil:
        """Whether what can be lost here is less than its links are worth reading for."""
        cdef double loss = share
        cdef int64_t links = self.offsets[page + 1] - self.offsets[page]
        if self.backwards:
            if 0 < left <= TOGETHER and self.rank[page] * self.flow[left] < 1:
                loss = share * self.rank[page] * self.flow[left]
        elif left != 1:
            loss = value
        if loss >= self.least * links and not self.time_is_up():
            return False
        self.lost += loss
        return True

    cdef int follow(self, uint32_t root, double share) except -1 nogil:
        """Fill `arrived`, where the root hands `share` to each of its links."""
        clear(&self.arrived)
        self.lost = 0
        if 0 <= self.radius <= TOGETHER:
            self.together(root, share)
        else:
            self.one_by_one(root, share)
        return 0

    cdef int together(self, uint32_t root, double share) except -1 nogil:
        cdef uint64_t i, j, begin = self.offsets[root], end = self.offsets[root + 1]
        cdef size_t k
        cdef uint32_t page
        cdef double value, handed
        self.n_near = self.n_vias = 0
        self.read += end - begin
        for i in range(begin, end):
            self.near_at(self.links[i]).value = share
        for i in range(begin, end if self.radius > 1 else begin):
            if i + FAR < end:
                AHEAD(&self.offsets[self.links[i + FAR]])
            if i + NEAR < end:
                AHEAD(&self.links[self.offsets[self.links[i + NEAR]]])
            page = self.links[i]
            if self.out_degree(page) == 0:
                continue
            handed = share / self.out_degree(page)
            if self.given_up(page, share, handed, self.radius - 1):
                continue
            self.read += self.offsets[page + 1] - self.offsets[page]
            for j in range(self.offsets[page], self.offsets[page + 1]):
                if self.links[j] != root:
                    self.second(self.links[j], <uint32_t>(i - begin), handed)
        for k in range(self.n_near if self.radius > 2 else 0):
            if k + FAR < self.n_near:
                AHEAD(&self.offsets[self.near[k + FAR].page])
            if k + NEAR < self.n_near:
                AHEAD(&self.links[self.offsets[self.near[k + NEAR].page]])
            page = self.near[k].page
            value = self.near[k].value
            if value == 0 or self.out_degree(page) == 0:
                continue
            handed = value / self.out_degree(page)
            if not self.given_up(page, value, handed, 1):
                self.third(k, root, handed)
        return 0

    cdef inline Slot* near_at(self, uint32_t page) except NULL nogil:
        """The slot of a page one or two links from the root, noted the first time."""
        cdef Slot* slot = slot_of(&self.arrived, page)
        if slot.mark.number == 0:
            grow(<void**>&self.near, &self.room_near, self.n_near + 1, sizeof(Near))
            self.near[self.n_near] = Near(page, -1, 0, -1, 0)
            self.n_near += 1
            slot.mark.number = <uint32_t>self.n_near
        return slot

    cdef inline int second(self, uint32_t page, uint32_t via, double share) except -1 nogil:
        """Hand a share to a page two links from the root, by the via-th of its links."""
        cdef Slot* slot = self.near_at(page)
        cdef Near* near = &self.near[slot.mark.number - 1]
        slot.value += share
        if self.radius > 2:
            grow(<void**>&self.vias, &self.room_vias, self.n_vias + 1, sizeof(Via))
            self.vias[self.n_vias] = Via(via, near.via, share)
            near.via = <int32_t>self.n_vias
            near.value += share
            self.n_vias += 1
        return 0

    cdef int third(self, int64_t k, uint32_t root, double handed) except -1 nogil:
        """Hand on what the k-th page has, to each link all but what came by that link."""
        cdef uint32_t page = self.near[k].page
        cdef int32_t via = self.near[k].via
        cdef Near* near
        cdef Slot* slot
        cdef uint64_t j
        while via >= 0:
            near = &self.near[self.vias[via].near]
            near.seen_by = k
            near.share = self.vias[via].share
            via = self.vias[via].before
        self.read += self.offsets[page + 1] - self.offsets[page]
        for j in range(self.offsets[page], self.offsets[page + 1]):
            if self.links[j] == root:
                continue
            slot = slot_of(&self.arrived, self.links[j])
            slot.value += handed
            if slot.mark.number and self.near[slot.mark.number - 1].seen_by == k:
                slot.value -= self.near[slot.mark.number - 1].share / self.out_degree(page)
        return 0

    cdef int one_by_one(self, uint32_t root, double share) except -1 nogil:
        cdef int64_t depth = 1, left
        cdef uint32_t page
        cdef double value
        cdef Slot* slot
        cdef Step* step
        self.add_step(0, root, share)
        while depth > 0:
            step = &self.steps[depth - 1]
            if step.link == self.offsets[step.page + 1]:
                slot_of(&self.arrived, step.page).mark.number = 0
                depth -= 1
                continue
            page = self.links[step.link]
            step.link += 1
            self.read += 1
            slot = slot_of(&self.arrived, page)
            if slot.mark.number:
                continue
            value = step.share
            slot.value += value
            left = self.radius - depth
            if left == 0 or self.out_degree(page) == 0:
                continue
            if not self.given_up(page, value, value / self.out_degree(page), left):
                self.add_step(depth, page, value / self.out_degree(page))
                depth += 1
        return 0

    cdef inline int add_step(self, int64_t depth, uint32_t page, double share) except -1 nogil:
        """Make a page the next of the path, and mark it."""
        slot_of(&self.arrived, page).mark.number = 1
        grow(<void**>&self.steps, &self.room_steps, depth + 1, sizeof(Step))
        self.steps[depth] = Step(page, self.offsets[page], share)
        return 0


cdef tuple without(Table* table, uint32_t page):
    """The pages of a table but for one, and their numbers, where they are above 0."""
    cdef int64_t i, n = 0
    pages = np.empty(table.count, np.uint32)
    values = np.empty(table.count, np.float64)
    cdef uint32_t[::1] into = pages
    cdef double[::1] value = values
    cdef Slot* slot
    with nogil:
        for i in range(table.count):
            slot = held(table, i)
            if slot.page != page and slot.value > 0:
                into[n] = slot.page
                value[n] = slot.value
                n += 1
    return pages[:n], values[:n]


def arriving(const uint64_t[::1] offsets, const uint32_t[::1] links,
             const uint64_t[::1] out_offsets, uint32_t root, double share, int64_t radius,
             double least, const double[::1] rank, double damping, double deadline):
    """The pages that `root` reaches over simple paths, against links where there is a rank, and
    what arrives at each; at most how much, as received by the root, did not; the links read.

    A page is given up where what can be lost is less than `least` times its links.
    """
    cdef Paths paths = Paths(offsets, links, out_offsets, radius, least, deadline)
    if rank is not None:
        paths.against(rank, damping)
    with nogil:
        paths.follow(root, share)
    pages, values = without(&paths.arrived, root)
    return pages, values, paths.lost, paths.read


def shared(const uint64_t[::1] offsets, const uint32_t[::1] links, const double[::1] rank,
           uint32_t page, const uint32_t[::1] sources, const double[::1] given, int64_t radius,
           double least, double deadline):
    """For every page, the sum over the sources of the lesser of what `page` has been given and
    what arrives there; at most how much of it was lost; the links read; the sources followed.
    """
    cdef Paths paths = Paths(offsets, links, offsets, radius, least, deadline)
    cdef Table scores
    cdef int64_t i, j, followed = 0
    cdef double lost = 0, most
    cdef uint32_t source
    cdef Slot* own
    memset(&scores, 0, sizeof(Table))
    try:
        with nogil:
            reserve(&scores, 0)
            for i in range(sources.shape[0]):
                source = sources[i]
                most = given[i]
                slot_of(&scores, source).value += most
                if paths.out_degree(source) == 0:
                    continue
                if paths.time_is_up():
                    lost += most
                    continue
                followed += 1
                paths.follow(source, rank[source] / paths.out_degree(source))
                lost += most if most < paths.lost else paths.lost
                for j in range(paths.arrived.count):
                    if j + FAR < paths.arrived.count:
                        ask_for(&scores, held(&paths.arrived, j + FAR).page)
                    own = held(&paths.arrived, j)
                    if own.page != source:
                        slot_of(&scores, own.page).value += most if most < own.value else own.value
        pages, values = without(&scores, page)
    finally:
        close_table(&scores)
    return pages, values, lost, paths.read, followed
