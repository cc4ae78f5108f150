# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""Blend's three parts over one vicinity, and their product.

Every page is looked up in one table, whichever part meets it: the walk first,
then the links beside the page on its parents, then who links to its children.
"""

from libc.math cimport pow, sqrt
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free

from whatsrelated.kernels.shared._limits cimport Watch, begin_row, begin_watch
from whatsrelated.kernels.shared._links cimport (
    Links, Pages, Span, ask_for_rows, degree_of, links_of, place_in, prefetch_ahead, span_of
)
from whatsrelated.kernels.shared._memory cimport copy_of, grow
from whatsrelated.kernels.shared._number_table cimport clear, number_of, slot_of
from whatsrelated.kernels.asking._walk cimport Scratch as WalkScratch

import numpy as np

cdef enum:
    TABULATED = 1024  # distances whose weights are computed once

cdef struct Sums:
    double near        # 1 / distance ** alpha, over the parents
    double agreed      # the same, as far as other sites agree with the parent
    double coupled     # the weights of the children
    double backed      # of those that link to the page, how many other sites do beside the query
    uint32_t sites     # how many sites name the page beside the query
    uint32_t latest    # the last of them, from 1
    bint peer          # whether it does more than link to the query


cdef class Scratch(WalkScratch):
    """The memory of one thread's questions: that of the walk, and the sums of each page."""

    cdef Sums *sums
    cdef size_t sums_room, summed
    cdef double[TABULATED] weights
    cdef uint64_t weighed
    cdef double alpha

    def __dealloc__(self):
        free(self.sums)

    cdef int begin_sums(self, double alpha) except -1 nogil:
        """Sums of 0 for all pages that there are."""
        self.summed = 0
        self.weighed = 1
        self.alpha = alpha
        return self.reach(self.pages.count)

    cdef inline int reach(self, size_t count) except -1 nogil:
        grow(<void **>&self.sums, &self.sums_room, count, sizeof(Sums))
        while self.summed < count:
            self.sums[self.summed] = Sums(0, 0, 0, 0, 0, 0, True)
            self.summed += 1
        return 0

    cdef inline Sums *sums_of(self, uint32_t page) except NULL nogil:
        cdef size_t number = number_of(&self.pages, page)
        if number >= self.summed:
            self.reach(number + 1)
        return &self.sums[number]

    cdef inline double weight(self, uint64_t at, uint64_t other) noexcept nogil:
        """The weight of a link by its distance from another."""
        cdef uint64_t apart = at - other if other < at else other - at
        if apart >= TABULATED:
            return pow(<double>apart, -self.alpha)
        while self.weighed <= apart:
            self.weights[self.weighed] = pow(<double>self.weighed, -self.alpha)
            self.weighed += 1
        return self.weights[apart]

    cdef int64_t add_near(
        self, Links links, Span parents, const uint32_t *sites, uint32_t page
    ) except -1 nogil:
        """Sum the proximity of links to the page's on its parents; over how many links.

        Where parents have sites, each site has one vote, which its parents share.
        """
        cdef uint64_t i, j, at, next_site = 0
        cdef uint32_t site = 0
        cdef double vote = 1
        cdef int64_t read = 0
        cdef Span row
        cdef Sums *sums
        cdef Watch watch = begin_watch()
        ask_for_rows(&links.children, parents)
        for i in range(parents.count):
            prefetch_ahead(&links.children, parents, i)
            row = links_of(&links.children, parents.pages[i])
            begin_row(&watch, &row.count, self.pages.count, watch.pages)
            read += row.count
            if sites != NULL and i == next_site:
                next_site = end_of_site(sites, parents, i)
                vote = 1.0 / (next_site - i)
                site += 1
            at = place_in(row, page)
            for j in range(row.count):
                if j != at:
                    sums = self.sums_of(row.pages[j])
                    sums.near += vote * self.weight(at, j)
                    if sums.latest != site:
                        sums.latest = site
                        sums.sites += 1
        return read

    cdef size_t back(self, Links links, Span parents, const uint32_t *sites) noexcept nogil:
        """What backs each page, but for pages of the sites that vote; how many have backing."""
        cdef size_t i, backing = 0
        cdef Sums *sums
        for i in range(self.summed):
            sums = &self.sums[i]
            if sums.sites > 1 and not votes(sites, parents, sites[self.pages.keys[i]]):
                sums.backed = (sums.sites - 1.0) / degree_of(&links.parents, self.pages.keys[i])
                backing += 1
        return backing

    cdef int add_agreed(
        self, Links links, Span parents, const uint32_t *sites, uint32_t page
    ) except -1 nogil:
        """Sum the proximity again, each parent believed as far as other sites agree with it.

        It is believed of a page by the mean of what backs its other links, near ones first.
        """
        cdef uint64_t i, j, at, backing, next_site = 0
        cdef double vote = 1, weight, believed, around
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
            at = place_in(row, page)
            believed = around = 0
            backing = 0
            for j in range(row.count):
                if j != at:
                    weight = self.weight(at, j)
                    sums = self.sums_of(row.pages[j])
                    believed += weight * sums.backed
                    around += weight
                    backing += sums.backed > 0
            if backing == 0:
                continue
            for j in range(row.count):
                sums = self.sums_of(row.pages[j])
                if j != at and backing > <uint64_t>(sums.backed > 0):
                    weight = self.weight(at, j)
                    sums.agreed += (
                        vote * weight * (believed - weight * sums.backed) / (around - weight)
                    )
        return 0

    cdef int64_t add_coupled(
        self, Links links, Span children, const double *weights
    ) except -1 nogil:
        """Sum the weights of the children that pages link to; over how many links."""
        cdef uint64_t i, j
        cdef int64_t read = 0
        cdef Span row
        cdef Watch watch = begin_watch()
        ask_for_rows(&links.parents, children)
        for i in range(children.count):
            prefetch_ahead(&links.parents, children, i)
            row = links_of(&links.parents, children.pages[i])
            begin_row(&watch, &row.count, self.pages.count, watch.pages)
            read += row.count
            for j in range(row.count):
                self.sums_of(row.pages[j]).coupled += weights[i]
        return read

    cdef void write_parts(
        self, Links links, size_t walked, double restart, double popular, double[:, ::1] parts
    ) noexcept nogil:
        """What each part says of every page but the first; the walk knows those before `walked`."""
        cdef size_t i
        cdef uint32_t least = 0  # so many sites must name a page where sites agree; 0: they do not
        cdef Sums *sums
        for i in range(1, self.summed):
            if self.sums[i].agreed > 0:
                least = max(least, min(self.sums[i].sites, 2))
        for i in range(1, self.summed):
            sums = &self.sums[i]
            if i < walked:
                parts[0, i - 1] = self.probability(i, restart) / pow(self.visited[i].degree, popular)
            if not least:
                parts[1, i - 1] = sums.near
            elif sums.sites >= least:
                parts[1, i - 1] = sums.agreed
            if sums.coupled > 0:
                parts[2, i - 1] = (
                    sums.coupled / sqrt(<double>degree_of(&links.children, self.pages.keys[i]))
                )

    cdef void multiply(
        self,
        Links links,
        bint among_sites,
        double[:, ::1] parts,
        double faint,
        double least,
        double common,
        const double[::1] doubts,
        const double[::1] known,
        double[::1] largest,
        double[::1] scores,
    ) noexcept nogil:
        """The product of the parts over their largest, among sites as far as the proximity goes."""
        cdef size_t i, count = scores.shape[0]
        cdef int64_t degree, most = known.shape[0] - 1
        cdef double nearest = 0, near, walk, coupled
        for i in range(count):
            scores[i] = 0  # first the proximity for its in-degree
            if parts[1, i] > 0:
                degree = degree_of(&links.parents, self.pages.keys[i + 1])
                scores[i] = parts[1, i] / pow(<double>degree, common)
                largest[1] = max(largest[1], scores[i])
                nearest = max(nearest, parts[1, i])
        among_sites = among_sites and nearest > 0
        for i in range(count):
            near = parts[1, i] / nearest if among_sites else 1
            largest[0] = max(largest[0], parts[0, i] * near)
            largest[2] = max(largest[2], parts[2, i] * near)
        largest[0] += doubt(parts, faint, least)
        for i in range(count):
            near = parts[1, i] / nearest if among_sites else 1
            walk = parts[0, i] * near / largest[0] if largest[0] > 0 else 0
            coupled = parts[2, i] * near / largest[2] if largest[2] > 0 else 0
            near = scores[i] / largest[1] if largest[1] > 0 else 0
            degree = degree_of(&links.parents, self.pages.keys[i + 1])
            scores[i] = (
                known[min(degree, most)]
                * (walk + doubts[0]) * (near + doubts[1]) * (coupled + doubts[2])
            )

    cdef void pass_over(
        self, Links links, uint32_t page, const uint32_t *sites, double left, double[::1] scores
    ) noexcept nogil:
        """Leave so much to pages of the page's site, and to those that only link to it."""
        cdef size_t i
        self.mark_peers(links_of(&links.parents, page), False)
        self.mark_peers(links_of(&links.children, page), True)
        for i in range(<size_t>scores.shape[0]):
            if sites[self.pages.keys[i + 1]] == sites[page]:
                scores[i] *= left
            if not self.sums[i + 1].peer:
                scores[i] *= left

    cdef void mark_peers(self, Span pages, bint peer) noexcept nogil:
        """Mark those of the pages that were found."""
        cdef size_t i
        cdef uint32_t number
        for i in range(pages.count):
            number = slot_of(&self.pages, pages.pages[i])[0]
            if number:
                self.sums[number - 1].peer = peer


cdef double doubt(const double[:, ::1] parts, double faint, double least) noexcept nogil:
    """What is added to the largest of the walk: more the less another part agrees with it."""
    cdef size_t i
    cdef double walk, near, coupled
    cdef double walks = 0, nears = 0, couples = 0, with_near = 0, with_coupled = 0
    for i in range(<size_t>parts.shape[1]):
        walk, near, coupled = parts[0, i], parts[1, i], parts[2, i]
        walks += walk * walk
        nears += near * near
        couples += coupled * coupled
        with_near += walk * near
        with_coupled += walk * coupled
    least = max(least, cosine(with_near, walks * nears))
    least = max(least, cosine(with_coupled, walks * couples))
    return faint * (1 / min(least, 1) - 1)


cdef inline double cosine(double product, double squares) noexcept nogil:
    return product / sqrt(squares) if squares > 0 else 0


cdef inline uint64_t end_of_site(const uint32_t *sites, Span parents, uint64_t at) noexcept nogil:
    """Where the parents of the next site begin."""
    cdef uint64_t end = at + 1
    while end < parents.count and sites[parents.pages[end]] == sites[parents.pages[at]]:
        end += 1
    return end


cdef inline bint votes(const uint32_t *sites, Span parents, uint32_t site) noexcept nogil:
    """Whether one of the parents, which are in the order of their sites, is of a site."""
    cdef size_t low = 0, high = parents.count, middle
    while low < high:
        middle = (low + high) // 2
        if sites[parents.pages[middle]] < site:
            low = middle + 1
        else:
            high = middle
    return low < parents.count and sites[parents.pages[low]] == site


def find(
    Scratch scratch,
    Links links,
    uint32_t page,
    Pages parents,
    Pages sites,
    Pages children,
    const double[::1] weights,
    double restart,
    double error,
    double alpha,
    double popular,
    double faint,
    double least,
    double common,
    const double[::1] doubts,
    const double[::1] known,
    double no_peer,
):
    """The pages that a part found, without the page itself; their parts, and their scores.

    In the rows of the parts: the walk's probability over degree ** popular, the sums of
    1 / distance ** alpha over the parents, those of the weights of the children over the root of
    the out-degree.  The score is the product of the parts, each over its largest and with its
    doubt added, times `known` of the in-degree.  There the second is over in-degree ** common, and
    the largest of the walk has `faint` * (1 / a - 1) more, a being the larger of its cosines with
    the others, or `least`.  Also what each part is divided by, and how many links were read.

    `sites` has the site of every page, or nothing.  With sites, of which the parents are in order,
    each has one vote, and parents count as far as other sites agree with them, if they do on two
    pages at least; pages that one site alone names count only where no page is named by two.
    Then walk and coupling count as far as the proximity does, if there is any, and pages of the
    page's own site, and those that link to it and are not linked, have `no_peer` of their score.
    """
    cdef Span beside = span_of(parents), below = span_of(children)
    cdef const uint32_t *voters = &sites[0] if sites.shape[0] else NULL
    cdef size_t walked, count
    cdef int64_t read
    with nogil:
        read = scratch.walk(links, page, restart, error)
        walked = scratch.pages.count
        scratch.begin_sums(alpha)
        read += scratch.add_near(links, beside, voters, page)
        if voters != NULL and scratch.back(links, beside, voters) > 1:
            scratch.add_agreed(links, beside, voters, page)
        read += scratch.add_coupled(links, below, &weights[0])
        count = scratch.pages.count - 1
    rows, divisors, result = np.zeros((3, count)), np.zeros(3), np.empty(count)
    cdef double[:, ::1] parts = rows
    cdef double[::1] largest = divisors, scores = result
    with nogil:
        scratch.write_parts(links, walked, restart, popular, parts)
        scratch.multiply(
            links, voters != NULL, parts, faint, least, common, doubts, known, largest, scores
        )
        if voters != NULL:
            scratch.pass_over(links, page, voters, no_peer, scores)
    found = np.frombuffer(copy_of(scratch.pages.keys + 1, count, sizeof(uint32_t)), np.uint32)
    clear(&scratch.pages)  # as long as they are in the cache
    return found, rows, divisors, result, read
