# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""Sums of values that pages hand along simple paths.

A page hands its value, divided by its out-degree, to each of its links; a path that revisits one of
its pages ends there. Paths of up to three links that end in the same page are followed together;
those that would return to a page on the path are subtracted. Longer paths are followed one by one.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from whatsrelated.kernels.shared._clock cimport Clock, is_late, set_clock
from whatsrelated.kernels.shared._links cimport (
    Adjacency, Links, Pages, Span, degree_of, links_of, prefetch_ahead, span_of
)
from whatsrelated.kernels.shared._memory cimport FAR, grow
from whatsrelated.kernels.shared._number_table cimport (
    Numbering, clear, free_numbering, insert, prefetch_slot, reserve, slot_of
)

import numpy as np

cdef enum:
    TOGETHER = 3

cdef struct Arrival:         # the sum that arrives at a page
    double value
    uint32_t near            # its place in `near` + 1; in follow_each: whether it is on the path

cdef struct Arrivals:
    Numbering pages
    Arrival* items           # by number
    size_t room

cdef struct Near:            # a page one or two links from the root
    uint32_t page
    int32_t via              # the last two-link path that led there
    double value             # the sum that arrived over two links
    int64_t seen_by          # the page that is handing on now, if this one links to it
    double share             # the share that this one gave it

cdef struct Via:             # a two-link path: the page in the middle, and the share it handed on
    uint32_t near
    int32_t before
    double share

cdef struct Step:            # a page on the current path
    uint32_t page
    uint64_t link
    double share


cdef int empty(Arrivals* arrivals) except -1 nogil:
    """Clear all arrivals and shrink the table."""
    clear(&arrivals.pages)
    return reserve(&arrivals.pages, 0)


cdef inline Arrival* arrival_at(Arrivals* arrivals, uint32_t page) except NULL nogil:
    """A pointer to the sum that arrives at a page, 0 at first; valid until the next call."""
    cdef uint32_t *slot = slot_of(&arrivals.pages, page)
    cdef size_t number = <size_t>slot[0] - 1
    if not slot[0]:
        number = insert(&arrivals.pages, slot, page)
        grow(<void**>&arrivals.items, &arrivals.room, number + 1, sizeof(Arrival))
        arrivals.items[number] = Arrival(0, 0)
    return &arrivals.items[number]


cdef void free_arrivals(Arrivals* arrivals) noexcept nogil:
    free_numbering(&arrivals.pages)
    free(arrivals.items)


cdef class _Paths:
    """The sums that arrive at each page from one root at a time, along links or against them."""

    cdef Adjacency rows                    # the links that are followed
    cdef Adjacency children
    cdef int64_t radius                    # negative: unlimited
    cdef double least
    cdef double lost                       # upper bound of the loss
    cdef Arrivals arrived
    cdef Near* near
    cdef Via* vias
    cdef Step* steps
    cdef size_t n_near, n_vias, room_near, room_vias, room_steps
    cdef int64_t read
    cdef Clock clock

    # Against links, a page can pass on at most its rank times `passing[links left]`.
    cdef bint backwards
    cdef const double[::1] rank
    cdef double[TOGETHER + 1] passing

    def __cinit__(self, Links links, int64_t radius, double least, double deadline):
        self.rows = self.children = links.children
        self.radius = radius
        self.least = least
        set_clock(&self.clock, deadline)
        reserve(&self.arrived.pages, 0)

    def __dealloc__(self):
        free_arrivals(&self.arrived)
        free(self.near)
        free(self.vias)
        free(self.steps)

    cdef int go_backward(self, Links links, const double[::1] rank, double damping) except -1:
        """Follow links backwards.

        An abandoned path loses the shares its sources would have sent.
        """
        cdef int left
        self.rows = links.parents
        self.backwards = True
        self.rank = rank
        for left in range(1, TOGETHER + 1):
            self.passing[left] = (self.passing[left - 1] + 1) / damping
        return 0

    cdef inline double out_degree(self, uint32_t page) noexcept nogil:
        return <double>degree_of(&self.children, page)

    cdef inline bint abandons(self, uint32_t page, double value, double share,
                              int64_t left) noexcept nogil:
        """Whether to abandon a path because the possible loss is too small to justify reading its
        links.
        """
        cdef double loss = share
        if self.backwards:
            if 0 < left <= TOGETHER and self.rank[page] * self.passing[left] < 1:
                loss = share * self.rank[page] * self.passing[left]
        elif left != 1:
            loss = value
        if loss >= self.least * <int64_t>degree_of(&self.rows, page) and not is_late(
            &self.clock, self.read
        ):
            return False
        self.lost += loss
        return True

    cdef int follow(self, uint32_t root, double share) except -1 nogil:
        """Fill `arrived`; the root hands `share` to each of its links."""
        empty(&self.arrived)
        self.lost = 0
        if 0 <= self.radius <= TOGETHER:
            self.follow_together(root, share)
        else:
            self.follow_each(root, share)
        return 0

    cdef int follow_together(self, uint32_t root, double share) except -1 nogil:
        cdef Span row = links_of(&self.rows, root), own
        cdef size_t i, j
        cdef uint32_t page, via
        cdef double value, handed
        self.n_near = self.n_vias = 0
        self.read += row.count
        for i in range(row.count):
            self.near_at(row.pages[i]).value = share
        for i in range(row.count if self.radius > 1 else 0):
            prefetch_ahead(&self.rows, row, i)
            page = row.pages[i]
            if self.out_degree(page) == 0:
                continue
            handed = share / self.out_degree(page)
            if self.abandons(page, share, handed, self.radius - 1):
                continue
            own = links_of(&self.rows, page)
            via = self.near_at(page).near - 1  # equals i, unless a crafted graph has a link twice
            self.read += own.count
            for j in range(own.count):
                if own.pages[j] != root:
                    self.hand_second(own.pages[j], via, handed)
        for i in range(self.n_near if self.radius > 2 else 0):
            # `arrived` and `near` have the pages in the same order.
            prefetch_ahead(&self.rows, Span(self.arrived.pages.keys, self.n_near), i)
            page = self.near[i].page
            value = self.near[i].value
            if value == 0 or self.out_degree(page) == 0:
                continue
            handed = value / self.out_degree(page)
            if not self.abandons(page, value, handed, 1):
                self.hand_third(i, root, handed)
        return 0

    cdef inline Arrival* near_at(self, uint32_t page) except NULL nogil:
        """A pointer to the sum at a page one or two links from the root.

        Adds the page if it is new.
        """
        cdef Arrival* arrival = arrival_at(&self.arrived, page)
        if arrival.near == 0:
            grow(<void**>&self.near, &self.room_near, self.n_near + 1, sizeof(Near))
            self.near[self.n_near] = Near(page, -1, 0, -1, 0)
            self.n_near += 1
            arrival.near = <uint32_t>self.n_near
        return arrival

    cdef inline int hand_second(self, uint32_t page, uint32_t via, double share) except -1 nogil:
        """Hand a share to a page two links from the root, through the page near[via]."""
        cdef Arrival* arrival = self.near_at(page)
        cdef Near* near = &self.near[arrival.near - 1]
        arrival.value += share
        if self.radius > 2:
            grow(<void**>&self.vias, &self.room_vias, self.n_vias + 1, sizeof(Via))
            self.vias[self.n_vias] = Via(via, near.via, share)
            near.via = <int32_t>self.n_vias
            near.value += share
            self.n_vias += 1
        return 0

    cdef int hand_third(self, int64_t k, uint32_t root, double handed) except -1 nogil:
        """Hand on the k-th page's sum; each link gets it without the share that came from there."""
        cdef uint32_t page = self.near[k].page
        cdef int32_t via = self.near[k].via
        cdef Span row = links_of(&self.rows, page)
        cdef Near* near
        cdef Arrival* arrival
        cdef size_t j
        while via >= 0:
            near = &self.near[self.vias[via].near]
            near.seen_by = k
            near.share = self.vias[via].share
            via = self.vias[via].before
        self.read += row.count
        for j in range(row.count):
            if row.pages[j] == root:
                continue
            arrival = arrival_at(&self.arrived, row.pages[j])
            arrival.value += handed
            if arrival.near and self.near[arrival.near - 1].seen_by == k:
                arrival.value -= self.near[arrival.near - 1].share / self.out_degree(page)
        return 0

    cdef int follow_each(self, uint32_t root, double share) except -1 nogil:
        """Follow the paths one by one."""
        cdef int64_t depth = 1, left
        cdef uint32_t page
        cdef double value
        cdef Arrival* arrival
        cdef Step* step
        self.add_step(0, root, share)
        while depth > 0:
            step = &self.steps[depth - 1]
            if step.link == self.rows.offsets[step.page + 1]:
                arrival_at(&self.arrived, step.page).near = 0
                depth -= 1
                continue
            page = self.rows.links[step.link]
            step.link += 1
            self.read += 1
            arrival = arrival_at(&self.arrived, page)
            if arrival.near:
                continue
            value = step.share
            arrival.value += value
            left = self.radius - depth
            if left == 0 or self.out_degree(page) == 0:
                continue
            if not self.abandons(page, value, value / self.out_degree(page), left):
                self.add_step(depth, page, value / self.out_degree(page))
                depth += 1
        return 0

    cdef inline int add_step(self, int64_t depth, uint32_t page, double share) except -1 nogil:
        """Append a page to the path, and mark it."""
        arrival_at(&self.arrived, page).near = 1
        grow(<void**>&self.steps, &self.room_steps, depth + 1, sizeof(Step))
        self.steps[depth] = Step(page, self.rows.offsets[page], share)
        return 0


cdef tuple without(Arrivals* arrivals, uint32_t page):
    """All pages except one at which more than 0 arrived, and their sums."""
    cdef size_t i, n = 0, count = arrivals.pages.count
    pages, values = np.empty(count, np.uint32), np.empty(count, np.float64)
    cdef uint32_t[::1] to_pages = pages
    cdef double[::1] to_values = values
    with nogil:
        for i in range(count):
            if arrivals.pages.keys[i] != page and arrivals.items[i].value > 0:
                to_pages[n] = arrivals.pages.keys[i]
                to_values[n] = arrivals.items[i].value
                n += 1
    return pages[:n], values[:n]


def arrivals(
    Links links,
    uint32_t root,
    double share,
    *,
    int64_t radius,
    double least,
    const double[::1] rank,
    double damping,
    double deadline,
):
    """The pages that `root` reaches over simple paths (backwards if `rank` is given) and their
    sums; a bound on the loss, as received by the root; the number of links read.

    A path is abandoned if the possible loss is less than `least` times the page's number of links.
    """
    cdef _Paths paths = _Paths(links, radius, least, deadline)
    if rank is not None:
        paths.go_backward(links, rank, damping)
    with nogil:
        paths.follow(root, share)
    return *without(&paths.arrived, root), paths.lost, paths.read


def shared_scores(
    Links links,
    const double[::1] rank,
    uint32_t page,
    Pages sources,
    const double[::1] given,
    *,
    int64_t radius,
    double least,
    double deadline,
):
    """For every page, the sum over the sources of min(share of `page`, share of that page); a bound
    on the loss; the numbers of links read and of sources followed.
    """
    cdef _Paths paths = _Paths(links, radius, least, deadline)
    cdef Arrivals scores
    cdef int64_t i, followed = 0
    cdef double lost = 0, most
    cdef uint32_t source
    memset(&scores, 0, sizeof(Arrivals))
    try:
        with nogil:
            reserve(&scores.pages, 0)
            for i in range(sources.shape[0]):
                source = sources[i]
                most = given[i]
                arrival_at(&scores, source).value += most
                if paths.out_degree(source) == 0:
                    continue
                if is_late(&paths.clock, paths.read):
                    lost += most
                    continue
                followed += 1
                paths.follow(source, rank[source] / paths.out_degree(source))
                lost += most if most < paths.lost else paths.lost
                add_lesser(&scores, &paths.arrived, source, most)
        found = without(&scores, page)
    finally:
        free_arrivals(&scores)
    return *found, lost, paths.read, followed


cdef int add_lesser(
    Arrivals* scores, Arrivals* arrived, uint32_t source, double most
) except -1 nogil:
    """Add the sums, each capped at `most`, to all scores except the source's."""
    cdef size_t j
    cdef double value
    for j in range(arrived.pages.count):
        if j + FAR < arrived.pages.count:
            prefetch_slot(&scores.pages, arrived.pages.keys[j + FAR])
        value = arrived.items[j].value
        if arrived.pages.keys[j] != source:
            arrival_at(scores, arrived.pages.keys[j]).value += most if most < value else value
    return 0
