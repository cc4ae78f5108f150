# distutils: language=c++
# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""The best pages of one list, or of each of several lists, without a full sort."""

import numpy as np

from libc.math cimport rint
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset
from libcpp.algorithm cimport nth_element, partial_sort
from libcpp.utility cimport pair

from whatsrelated.kernels.shared._links cimport Adjacency, Links, Pages, Span, degree_of
from whatsrelated.kernels.shared._memory cimport allocate, allocate_unset
from whatsrelated.kernels.shared._packed cimport Packed

cdef extern from *:
    """
    #include <cstdint>
    #include "packed.h"

    /* The order of results: higher score, then each tie-breaker in turn, then lower in-degree
       (if by_degree), then lower page number.  No two are equal. */
    struct Better {
        const double *scores;
        const double *ties;  /* `count` of the first, then of the second */
        size_t n_ties, count;
        bool by_degree;
        const uint64_t *offsets;  /* of the parents; NULL if they are packed */
        const Packed *packed;
        const uint32_t *pages;

        uint64_t in_degree(uint32_t page) const {
            return offsets ? offsets[page + 1] - offsets[page] : packed_degree(packed, page);
        }

        bool operator()(int64_t a, int64_t b) const {
            if (scores[a] != scores[b]) return scores[a] > scores[b];
            for (const double *tie = ties; tie != ties + n_ties * count; tie += count)
                if (tie[a] != tie[b]) return tie[a] > tie[b];
            if (by_degree) {
                uint64_t one = in_degree(pages[a]), other = in_degree(pages[b]);
                if (one != other) return one < other;
            }
            return pages[a] < pages[b];
        }
    };
    """
    cppclass Better:
        const double *scores
        const double *ties
        size_t n_ties, count
        bint by_degree
        const uint64_t *offsets
        const Packed *packed
        const uint32_t *pages

cdef enum:
    SPARSE = 64   # partial_sort is faster for choosing at most 1 / SPARSE of the pages
    SHORT = 5000  # ranking a shorter list takes less time than a thread switch
    COUNTS = 64   # counts that are tallied before ranking

ctypedef pair[uint64_t, uint64_t] Place  # 2 ** 32 - count; in-degree << 32 | page


cdef void write_places(int64_t first, int64_t last, int64_t *order) noexcept nogil:
    cdef int64_t at
    for at in range(last - first):
        order[at] = first + at


cdef int choose(
    Better better, int64_t first, int64_t last, int64_t most, int64_t *order
) except -1 nogil:
    """Write the positions of the `most` best pages between `first` and `last`, in any order.

    `order` has room for all the pages.
    """
    cdef int64_t *end = order + (last - first)
    write_places(first, last, order)
    if SPARSE * most < last - first:  # 100 of 40,000: 0.15 ms; nth_element takes 0.55
        partial_sort(order, order + most, end, better)
    elif most < last - first:
        nth_element(order, order + most, end, better)
    return 0


cdef void write_rounded(
    const double *scores, int64_t first, int64_t last, double *rounded
) noexcept nogil:
    """Round the scores from `first` to `last` to units of 1e-9 of the largest, so they can be
    compared.
    """
    cdef int64_t at
    cdef double largest = 0
    for at in range(first, last):
        largest = max(largest, scores[at])
    for at in range(first, last):
        rounded[at] = rint(scores[at] / largest * 1e9) if largest > 0 else scores[at]


def best(const int64_t[::1] starts, Pages pages, const double[::1] scores, int64_t most):
    """The positions of the best `most` pages of each list, ascending; list i begins at starts[i].
    """
    cdef Py_ssize_t i, lists = starts.shape[0] - 1
    cdef int64_t size, at, chosen = 0, longest = 0
    cdef Better better
    cdef double *rounded = NULL
    cdef int64_t *order = NULL
    for i in range(lists):
        chosen += min(most, starts[i + 1] - starts[i])
        longest = max(longest, starts[i + 1] - starts[i])
    places = np.empty(chosen, np.int64)
    if not chosen:
        return places
    cdef int64_t[::1] to_places = places
    chosen = 0
    better.pages, better.n_ties, better.count = &pages[0], 0, 0
    better.ties = NULL
    better.by_degree = False
    try:
        with nogil:
            rounded = <double *>allocate(scores.shape[0], sizeof(double))
            order = <int64_t *>allocate(longest, sizeof(int64_t))
            better.scores = rounded
            for i in range(lists):
                size = min(most, starts[i + 1] - starts[i])
                write_rounded(&scores[0], starts[i], starts[i + 1], rounded)
                choose(better, starts[i], starts[i + 1], size, order)
                for at in range(size):
                    to_places[chosen + at] = order[at]
                chosen += size
    finally:
        free(rounded)
        free(order)
    places.sort()
    return places


def rank_best(Pages pages, const double[::1] scores, const double[:, ::1] ties, Links links, int64_t most):
    """The positions of the best `most` pages, best first."""
    cdef int64_t count = pages.shape[0]
    cdef Better better
    most = min(most, count)
    places = np.empty(most, np.int64)
    if not most:
        return places
    cdef int64_t[::1] to_places = places
    better.scores, better.pages, better.count = &scores[0], &pages[0], count
    better.n_ties, better.by_degree, better.offsets = 0, True, links.parents.offsets
    better.packed = &links.parents.packed
    better.ties = NULL
    if ties is not None and ties.shape[0]:
        better.ties, better.n_ties = &ties[0, 0], ties.shape[0]
    if count < SHORT:
        rank(better, most, &to_places[0])
    else:
        with nogil:
            rank(better, most, &to_places[0])
    return places


cdef int rank_pages(
    const uint32_t *pages,
    const double *scores,
    int64_t count,
    const Adjacency *parents,
    int64_t most,
    int64_t *places,
) except -1 nogil:
    cdef Better better
    better.scores, better.pages, better.count = scores, pages, count
    better.n_ties, better.by_degree, better.offsets = 0, True, parents.offsets
    better.packed = &parents.packed
    better.ties = NULL
    return rank(better, most, places)


cdef int rank(Better better, int64_t most, int64_t *places) except -1 nogil:
    """Write the positions of the best pages of the list, best first."""
    cdef int64_t at, count = better.count
    cdef int64_t *order = NULL
    cdef double *rounded = <double *>allocate(count, sizeof(double))
    try:
        order = <int64_t *>allocate(count, sizeof(int64_t))
        write_rounded(better.scores, 0, count, rounded)
        better.scores = rounded
        write_places(0, count, order)
        partial_sort(order, order + most, order + count, better)
        for at in range(most):
            places[at] = order[at]
    finally:
        free(rounded)
        free(order)
    return 0


cdef size_t rank_counts(
    Span pages,
    const uint32_t *counts,
    const Adjacency *parents,
    int64_t most,
    uint32_t *found,
    double *scores,
) except? 0xFFFFFFFF nogil:
    """Counts are compared unrounded: rounding would merge different counts only above 2 ** 29
    parents.

    Pages whose count is too low to be among the best are not ranked.
    """
    cdef size_t i, n = 0, wanted = min(<size_t>most, pages.count)
    cdef uint32_t least = least_count(counts, pages.count, wanted)
    cdef Place *places = <Place *>allocate_unset(pages.count, sizeof(Place))
    for i in range(pages.count):
        places[n].second = pages.pages[i]
        places[n].first = ((<uint64_t>1 << 32) - counts[i])
        n += counts[i] >= least
    for i in range(n):
        places[i].second |= degree_of(parents, <uint32_t>places[i].second) << 32
    partial_sort(places, places + wanted, places + n)
    for i in range(wanted):
        found[i] = <uint32_t>places[i].second
        scores[i] = <double>((<uint64_t>1 << 32) - places[i].first)
    free(places)
    return wanted


cdef uint32_t least_count(const uint32_t *counts, size_t count, size_t wanted) noexcept nogil:
    """The highest count (below COUNTS) that at least `wanted` pages have."""
    cdef size_t[COUNTS] having
    cdef size_t i, reached = 0
    cdef uint32_t least = COUNTS
    memset(having, 0, sizeof(having))
    for i in range(count):
        having[min(counts[i], <uint32_t>(COUNTS - 1))] += 1
    while least > 0 and reached < wanted:
        least -= 1
        reached += having[least]
    return least
