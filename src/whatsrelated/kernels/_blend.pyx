# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Blend's three parts over one vicinity, and their product.

Every page is looked up in one table, whichever part meets it: the walk first,
then the links beside the page on its parents, then who links to its children.
"""

from libc.math cimport pow, sqrt
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free

from whatsrelated.kernels._limits cimport Watch, begin_row, begin_watch
from whatsrelated.kernels._links cimport (
    Links, Pages, Span, degree_of, links_of, place_in, prefetch_ahead, span_of
)
from whatsrelated.kernels._memory cimport copy_of, grow
from whatsrelated.kernels._numbering cimport clear, number_of
from whatsrelated.kernels._walks cimport Scratch as WalkScratch

import numpy as np

cdef enum:
    TABULATED = 1024  # distances whose weights are computed once

cdef struct Sums:
    double near        # 1 / distance ** alpha, over the parents
    double coupled     # the weights of the children
    double shared      # parents that link to the page
    double votes       # what these have between them


cdef class Scratch(WalkScratch):
    """The memory of one thread's questions: that of the walk, and two sums for each page."""

    cdef Sums *sums
    cdef size_t sums_room, summed

    def __dealloc__(self):
        free(self.sums)

    cdef int begin_sums(self) except -1 nogil:
        """Sums of 0 for all pages that there are."""
        self.summed = 0
        return self.reach(self.pages.count)

    cdef inline int reach(self, size_t count) except -1 nogil:
        grow(<void **>&self.sums, &self.sums_room, count, sizeof(Sums))
        while self.summed < count:
            self.sums[self.summed] = Sums(0, 0, 0, 0)
            self.summed += 1
        return 0

    cdef inline Sums *sums_of(self, uint32_t page) except NULL nogil:
        cdef size_t number = number_of(&self.pages, page)
        if number >= self.summed:
            self.reach(number + 1)
        return &self.sums[number]

    cdef int64_t add_near(
        self, Links links, Span parents, const double *votes, uint32_t page, double alpha
    ) except -1 nogil:
        """Sum the proximity of links to the page's on its parents; over how many links."""
        cdef double[TABULATED] weights
        cdef uint64_t i, j, at, apart, ready = 1
        cdef int64_t read = 0
        cdef Span row
        cdef Sums *sums
        cdef Watch watch = begin_watch()
        for i in range(parents.count):
            prefetch_ahead(&links.children, parents, i)
            row = links_of(&links.children, parents.pages[i])
            begin_row(&watch, &row.count, self.pages.count, watch.pages)
            read += row.count
            while ready < row.count and ready < TABULATED:
                weights[ready] = pow(<double>ready, -alpha)
                ready += 1
            at = place_in(row, page)
            for j in range(row.count):
                if j != at:
                    apart = at - j if j < at else j - at
                    sums = self.sums_of(row.pages[j])
                    sums.near += (
                        weights[apart] if apart < TABULATED else pow(<double>apart, -alpha)
                    )
                    sums.shared += 1
                    sums.votes += votes[i]
        return read

    cdef int64_t add_coupled(
        self, Links links, Span children, const double *weights
    ) except -1 nogil:
        """Sum the weights of the children that pages link to; over how many links."""
        cdef uint64_t i, j
        cdef int64_t read = 0
        cdef Span row
        cdef Watch watch = begin_watch()
        for i in range(children.count):
            prefetch_ahead(&links.parents, children, i)
            row = links_of(&links.parents, children.pages[i])
            begin_row(&watch, &row.count, self.pages.count, watch.pages)
            read += row.count
            for j in range(row.count):
                self.sums_of(row.pages[j]).coupled += weights[i]
        return read


def gather(
    Scratch scratch,
    Links links,
    uint32_t page,
    Pages parents,
    const double[::1] votes,
    Pages children,
    const double[::1] weights,
    double restart,
    double error,
    double alpha,
    double popular,
):
    """The pages that a part found, without the page itself; walk, cpa and coupling of each.

    In the rows: the walk's probability over degree ** popular, the sums of 1 / distance ** alpha
    over the parents, and those of the weights of the children over the root of the out-degree.
    Then, in two rows, the votes of the parents: how many each page has, and the mean of these,
    1 where there are none, times its own where it is a parent.  Also how many links were read.
    """
    cdef Span beside = span_of(parents), below = span_of(children)
    cdef const double *worth = &weights[0]
    cdef const double *voices = &votes[0]
    cdef size_t i, walked, count
    cdef int64_t read
    cdef uint32_t other
    with nogil:
        read = scratch.walk(links, page, restart, error)
        walked = scratch.pages.count
        scratch.begin_sums()
        read += scratch.add_near(links, beside, voices, page, alpha)
        read += scratch.add_coupled(links, below, worth)
    count = scratch.pages.count
    rows = np.zeros((3, count - 1))
    polled = np.ones((2, count - 1))
    cdef double[:, ::1] parts = rows
    cdef double[:, ::1] voted = polled
    with nogil:
        for i in range(1, count):
            other = scratch.pages.keys[i]
            if i < walked:
                parts[0, i - 1] = (
                    scratch.probability(i, restart) / pow(scratch.visited[i].degree, popular)
                )
            parts[1, i - 1] = scratch.sums[i].near
            voted[0, i - 1] = scratch.sums[i].votes
            if scratch.sums[i].shared > 0:
                voted[1, i - 1] = scratch.sums[i].votes / scratch.sums[i].shared
            if scratch.sums[i].coupled > 0:
                parts[2, i - 1] = (
                    scratch.sums[i].coupled / sqrt(<double>degree_of(&links.children, other))
                )
        for i in range(beside.count):  # the walk has met every parent
            voted[1, number_of(&scratch.pages, beside.pages[i]) - 1] *= voices[i]
    found = copy_of(scratch.pages.keys + 1, count - 1, sizeof(uint32_t))
    clear(&scratch.pages)  # as long as they are in the cache
    return np.frombuffer(found, np.uint32), rows, polled, read


def multiply(
    Links links,
    Pages pages,
    const double[:, ::1] parts,
    double faint,
    const double[::1] doubts,
    double known,
    int64_t known_most,
):
    """The product of the parts, each over its largest and with its doubt added.

    The first is divided by its largest and `faint`.  Times the in-degree, `known_most` at most,
    ** known.
    """
    cdef size_t i, j, count = pages.shape[0]
    cdef int64_t degree
    cdef double[3] largest
    result = np.empty(count)
    factors = np.maximum(np.arange(known_most + 1), 1) ** known
    cdef double[::1] scores = result
    cdef double[::1] popular = factors
    with nogil:
        for j in range(3):
            largest[j] = 0
            for i in range(count):
                if parts[j, i] > largest[j]:
                    largest[j] = parts[j, i]
        largest[0] += faint
        for i in range(count):
            degree = degree_of(&links.parents, pages[i])
            scores[i] = popular[degree if degree < known_most else known_most]
            for j in range(3):
                scores[i] *= (parts[j, i] / largest[j] if largest[j] > 0 else 0) + doubts[j]
    return result
