# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""Blend's three parts over one vicinity; `methods.blend` multiplies them.

All parts share one table of pages. The walk fills it first, then the links near the query on its
parents, then the pages that link to its children.

Several query pages, each with a share, count as one. A link that is near two of them gets the
weight of each side. A site that links to one of them counts as linking to the query.
"""

from libc.math cimport log, pow, sqrt
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free

from whatsrelated.kernels.shared._limits cimport Watch, begin_row, begin_watch
from whatsrelated.kernels.shared._links cimport (
    Links, Pages, Span, request_rows, degree_of, links_of, place_in, prefetch_ahead, span_of
)
from whatsrelated.kernels.shared._memory cimport copy_of, grow
from whatsrelated.kernels.shared._number_table cimport clear, number_of, slot_of
from whatsrelated.kernels.asking._walk cimport Scratch as WalkScratch

import numpy as np

cdef enum:
    TABULATED = 1024  # powers of numbers below this are computed once

cdef struct Powers:
    double power
    uint64_t filled            # number of powers in the table
    double[TABULATED] values   # i ** power


cdef inline void set_power(Powers *powers, double power) noexcept nogil:
    if power != powers.power:
        powers.power = power
        powers.filled = 0


cdef inline double power_of(Powers *powers, uint64_t number) noexcept nogil:
    """number ** power, from the table if `number` is small."""
    if number >= TABULATED:
        return pow(<double>number, powers.power)
    while powers.filled <= number:
        powers.values[powers.filled] = pow(<double>powers.filled, powers.power)
        powers.filled += 1
    return powers.values[number]


cdef struct Sums:
    double near        # 1 / distance ** alpha, summed over the parents
    double agreed      # the same sum, weighted by how far other sites agree with the parent
    double coupled     # the weights of the shared children
    double backed      # (sites - 1) / in-degree
    uint32_t sites     # sites that link to both the page and the query
    uint32_t latest    # the last such site; numbered from 1
    double one_way     # the share of the query pages that it links to without a link back
    uint32_t parent_of # the last query page that it links to; numbered from 1


cdef class Scratch(WalkScratch):
    """One thread's memory: the walk and the sums of each page."""

    cdef Sums *sums
    cdef double *weights       # of the links of one parent
    cdef size_t sums_room, summed, weights_room
    cdef size_t queries        # the first pages in the table
    cdef Powers distances, degrees

    def __dealloc__(self):
        free(self.sums)
        free(self.weights)

    cdef int begin_sums(self) except -1 nogil:
        """Set the sums of all pages so far to 0."""
        self.summed = 0
        return self.reach(self.pages.count)

    cdef inline int reach(self, size_t count) except -1 nogil:
        grow(<void **>&self.sums, &self.sums_room, count, sizeof(Sums))
        while self.summed < count:
            self.sums[self.summed] = Sums(0, 0, 0, 0, 0, 0, 0, 0)
            self.summed += 1
        return 0

    cdef inline Sums *sums_of(self, uint32_t page) except NULL nogil:
        cdef size_t number = number_of(&self.pages, page)
        if number >= self.summed:
            self.reach(number + 1)
        return &self.sums[number]

    cdef inline double weight(self, uint64_t at, uint64_t other) noexcept nogil:
        """The weight of a link at this distance from another link."""
        return power_of(&self.distances, at - other if other < at else other - at)

    cdef double *weights_of(self, Span row, const double *shares) except NULL nogil:
        """The weight of each link of a parent: the share of the nearest query page on either side,
        by its distance; 0 for the query pages.
        """
        cdef size_t j
        cdef uint64_t at
        grow(<void **>&self.weights, &self.weights_room, row.count, sizeof(double))
        if self.queries > 1:
            return self.weights_of_several(row, shares)
        at = place_in(row, self.pages.keys[0])
        for j in range(row.count):
            self.weights[j] = 0 if j == at else shares[0] * self.weight(at, j)
        return self.weights

    cdef double *weights_of_several(self, Span row, const double *shares) except NULL nogil:
        """The weight of each link if there are several query pages. The first pass marks them with
        -1 for the second.
        """
        cdef size_t j, at = 0
        cdef uint32_t slot
        cdef double share = 0
        for j in range(row.count):
            slot = slot_of(&self.pages, row.pages[j])[0]
            if slot and slot <= self.queries:
                at, share = j, shares[slot - 1]
                self.weights[j] = -1
            else:
                self.weights[j] = share * self.weight(at, j) if share > 0 else 0
        share = 0
        for j in range(row.count - 1, -1, -1):
            if self.weights[j] < 0:
                at, share = j, shares[slot_of(&self.pages, row.pages[j])[0] - 1]
                self.weights[j] = 0
            elif share > 0:
                self.weights[j] += share * self.weight(at, j)
        return self.weights

    cdef int64_t add_near(
        self, Links links, Span parents, const uint32_t *sites, const double *shares
    ) except -1 nogil:
        """Sum each link's proximity to the query on its parents; return the number of links read.

        With sites, each site has one vote, split between its parents.
        """
        cdef uint64_t i, j, next_site = 0
        cdef double *weights
        cdef uint32_t site = 0
        cdef double vote = 1
        cdef int64_t read = 0
        cdef Span row
        cdef Sums *sums
        cdef Watch watch = begin_watch()
        request_rows(&links.children, parents)
        for i in range(parents.count):
            prefetch_ahead(&links.children, parents, i)
            row = links_of(&links.children, parents.pages[i])
            begin_row(&watch, &row.count, self.pages.count, watch.pages)
            read += row.count
            if sites != NULL and i == next_site:
                next_site = end_of_site(sites, parents, i)
                vote = 1.0 / (next_site - i)
                site += 1
            weights = self.weights_of(row, shares)
            for j in range(row.count):
                if weights[j] > 0:
                    sums = self.sums_of(row.pages[j])
                    sums.near += vote * weights[j]
                    if sums.latest != site:
                        sums.latest = site
                        sums.sites += 1
        return read

    cdef size_t back(self, Links links, Span parents, const uint32_t *sites) noexcept nogil:
        """Compute `backed`, except for pages on voting sites.

        Return the number of pages that have it.
        """
        cdef size_t i, backing = 0
        cdef Sums *sums
        for i in range(self.summed):
            sums = &self.sums[i]
            if sums.sites > 1 and not votes(sites, parents, sites[self.pages.keys[i]]):
                sums.backed = (sums.sites - 1.0) / degree_of(&links.parents, self.pages.keys[i])
                backing += 1
        return backing

    cdef int add_agreed(
        self, Links links, Span parents, const uint32_t *sites, const double *shares
    ) except -1 nogil:
        """Sum the proximity again, weighting each parent by how far other sites agree with it.

        A parent's weight for a page is the mean `backed` of its other links, with nearby links
        counting more.
        """
        cdef uint64_t i, j, backing, next_site = 0
        cdef double vote = 1, believed, around
        cdef double *weights
        cdef Span row
        cdef Sums *sums
        cdef Watch watch = begin_watch()
        for i in range(parents.count):
            prefetch_ahead(&links.children, parents, i)
            row = links_of(&links.children, parents.pages[i])
            begin_row(&watch, &row.count, self.pages.count, watch.pages)
            if i == next_site:
                next_site = end_of_site(sites, parents, i)
                vote = 1.0 / (next_site - i)
            weights = self.weights_of(row, shares)
            believed = around = 0
            backing = 0
            for j in range(row.count):
                if weights[j] > 0:
                    sums = self.sums_of(row.pages[j])
                    believed += weights[j] * sums.backed
                    around += weights[j]
                    backing += sums.backed > 0
            if backing == 0:
                continue
            for j in range(row.count):
                sums = self.sums_of(row.pages[j])
                if weights[j] > 0 and backing > <uint64_t>(sums.backed > 0):
                    sums.agreed += (
                        vote * weights[j]
                        * (believed - weights[j] * sums.backed) / (around - weights[j])
                    )
        return 0

    cdef int64_t add_coupled(
        self, Links links, Span children, const double *shares
    ) except -1 nogil:
        """Sum the weights of the children that each page links to.

        Return the number of links read.
        """
        cdef uint64_t i, j
        cdef double weight
        cdef int64_t read = 0
        cdef Span row
        cdef Watch watch = begin_watch()
        request_rows(&links.parents, children)
        for i in range(children.count):
            prefetch_ahead(&links.parents, children, i)
            row = links_of(&links.parents, children.pages[i])
            begin_row(&watch, &row.count, self.pages.count, watch.pages)
            read += row.count
            weight = shares[i] / log(2.0 + row.count)
            for j in range(row.count):
                self.sums_of(row.pages[j]).coupled += weight
        return read

    cdef void write_parts(
        self,
        Links links,
        size_t walked,
        double restart,
        double[:, ::1] parts,
        int64_t[::1] in_degrees,
        size_t *counts,
    ) noexcept nogil:
        """Write the parts of all pages but the query's; the walk reached the first `walked`."""
        cdef size_t i, place
        cdef uint32_t page
        cdef uint32_t enough = 0  # sites that must link to a page; 0 if no sites agree
        cdef Sums *sums
        for i in range(self.queries, self.summed):
            if self.sums[i].agreed > 0:
                enough = max(enough, min(self.sums[i].sites, 2))
        for i in range(self.queries, self.summed):
            place, page, sums = i - self.queries, self.pages.keys[i], &self.sums[i]
            in_degrees[place] = max(degree_of(&links.parents, page), 1)
            if i < walked:
                parts[0, place] = self.probability(i, restart) / power_of(
                    &self.degrees, <uint64_t>self.visited[i].degree
                )
            if not enough:
                parts[1, place] = sums.near
            elif sums.sites >= enough:
                parts[1, place] = sums.agreed
            if sums.coupled > 0:
                parts[2, place] = sums.coupled / sqrt(<double>degree_of(&links.children, page))
                counts[2] += 1
            counts[1] += parts[1, place] > 0
        counts[0] = walked - self.queries

    cdef void write_shares(
        self, Links links, const double *shares, const uint32_t *sites, double[:, ::1] parts
    ) noexcept nogil:
        """Write for each page the share of the query pages that are on its site, and of those that
        it links to without a link back.
        """
        cdef size_t i, q
        cdef uint32_t site
        for q in range(self.queries):
            self.add_one_way(links, q, shares[q])
            site = sites[self.pages.keys[q]]
            for i in range(self.queries, self.summed):
                if sites[self.pages.keys[i]] == site:
                    parts[3, i - self.queries] += shares[q]
        for i in range(self.queries, self.summed):
            parts[4, i - self.queries] = self.sums[i].one_way

    cdef void add_one_way(self, Links links, size_t query, double share) noexcept nogil:
        """Add a query page's share to the pages that link to it without a link back."""
        cdef size_t i
        cdef uint32_t number
        cdef Span row = links_of(&links.parents, self.pages.keys[query])
        for i in range(row.count):
            number = slot_of(&self.pages, row.pages[i])[0]
            if number:
                self.sums[number - 1].one_way += share
                self.sums[number - 1].parent_of = <uint32_t>query + 1
        row = links_of(&links.children, self.pages.keys[query])
        for i in range(row.count):
            number = slot_of(&self.pages, row.pages[i])[0]
            if number and self.sums[number - 1].parent_of == query + 1:
                self.sums[number - 1].one_way -= share


cdef inline uint64_t end_of_site(const uint32_t *sites, Span parents, uint64_t at) noexcept nogil:
    """The position at which the next site's parents begin."""
    cdef uint64_t end = at + 1
    while end < parents.count and sites[parents.pages[end]] == sites[parents.pages[at]]:
        end += 1
    return end


cdef inline bint votes(const uint32_t *sites, Span parents, uint32_t site) noexcept nogil:
    """Whether one of the parents, which are sorted by site, is on `site`."""
    cdef size_t low = 0, high = parents.count, middle
    while low < high:
        middle = (low + high) // 2
        if sites[parents.pages[middle]] < site:
            low = middle + 1
        else:
            high = middle
    return low < parents.count and sites[parents.pages[low]] == site


def parts(
    Scratch scratch,
    Links links,
    Pages pages,
    const double[::1] shares,
    *,
    Pages parents,
    const double[::1] near_shares,
    Pages sites,
    Pages children,
    const double[::1] child_shares,
    double restart,
    double error,
    double walk_power,
    double distance_power,
):
    """The pages around the query pages: parts and in-degrees of each; counts; number of links
    read.
    """
    cdef Span beside = span_of(parents), below = span_of(children)
    cdef const uint32_t *voters = &sites[0] if sites.shape[0] else NULL
    cdef size_t walked, count
    cdef int64_t read
    with nogil:
        set_power(&scratch.degrees, walk_power)
        set_power(&scratch.distances, -distance_power)
        scratch.queries = pages.shape[0]
        read = scratch.walk(links, &pages[0], &shares[0], scratch.queries, restart, error)
        walked = scratch.pages.count
        scratch.begin_sums()
        read += scratch.add_near(links, beside, voters, &near_shares[0])
        if voters != NULL and scratch.back(links, beside, voters) > 1:
            scratch.add_agreed(links, beside, voters, &near_shares[0])
        read += scratch.add_coupled(links, below, &child_shares[0])
        count = scratch.pages.count - scratch.queries
    rows, in_degrees = np.zeros((5, count)), np.zeros(count, np.int64)
    cdef double[:, ::1] values = rows
    cdef int64_t[::1] whole = in_degrees
    cdef size_t[3] counts = [0, 0, 0]
    with nogil:
        scratch.write_parts(links, walked, restart, values, whole, counts)
        if voters != NULL:
            scratch.write_shares(links, &shares[0], voters, values)
    found = np.frombuffer(copy_of(scratch.pages.keys + scratch.queries, count, sizeof(uint32_t)), np.uint32)
    clear(&scratch.pages)  # now, while they are still in the cache
    return found, rows, in_degrees, [counts[0], counts[1], counts[2]], read
