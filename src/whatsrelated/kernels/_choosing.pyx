# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The best pages of a list, or of each of several, without sorting the lists."""

import numpy as np

from libc.math cimport rint
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free

from whatsrelated.kernels._memory cimport claimed


cdef struct List:
    # Pages are compared by their scores, higher first, then by each of the ties, then by
    # in-degree, lower first, where that counts, then by number.
    const double *scores
    const double *ties      # `count` of the first, then of the second
    size_t n_ties, count
    const uint64_t *in_offsets
    const uint32_t *pages


cdef bint worse(const List *listed, int64_t a, int64_t b) noexcept nogil:
    """Whether the page at `a` comes after the one at `b`."""
    cdef size_t i
    cdef const double *tie
    cdef uint64_t linked, other
    cdef uint32_t one = listed.pages[a], two = listed.pages[b]
    if listed.scores[a] != listed.scores[b]:
        return listed.scores[a] < listed.scores[b]
    for i in range(listed.n_ties):
        tie = listed.ties + i * listed.count
        if tie[a] != tie[b]:
            return tie[a] < tie[b]
    if listed.in_offsets != NULL:
        linked = listed.in_offsets[one + 1] - listed.in_offsets[one]
        other = listed.in_offsets[two + 1] - listed.in_offsets[two]
        if linked != other:
            return linked > other
    return one > two


cdef void sink(const List *listed, int64_t *heap, int64_t size, int64_t at) noexcept nogil:
    """Put heap[at] in its place; the worst is on top."""
    cdef int64_t moving = heap[at], child
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        if child + 1 < size and worse(listed, heap[child + 1], heap[child]):
            child += 1
        if not worse(listed, heap[child], moving):
            break
        heap[at] = heap[child]
        at = child
    heap[at] = moving


cdef void choose(
    const List *listed, int64_t *heap, int64_t size, int64_t first, int64_t last
) noexcept nogil:
    """Make a heap of where the best `size` of the pages from `first` to `last` stand."""
    cdef int64_t at
    for at in range(size):
        heap[at] = first + at
    for at in range(size // 2 - 1, -1, -1):
        sink(listed, heap, size, at)
    for at in range(first + size, last):
        if size and worse(listed, heap[0], at):
            heap[0] = at
            sink(listed, heap, size, 0)


cdef void write_rounded(
    const double *scores, int64_t first, int64_t last, double *rounded
) noexcept nogil:
    """Write the scores from `first` to `last` as they are compared: to 9 decimals of the largest."""
    cdef int64_t at
    cdef double largest = 0
    for at in range(first, last):
        largest = max(largest, scores[at])
    for at in range(first, last):
        rounded[at] = rint(scores[at] / largest * 1e9) if largest > 0 else scores[at]


def best(
    const int64_t[::1] starts, const uint32_t[::1] pages, const double[::1] scores, int64_t most
):
    """Where the `most` best pages of each list stand, ascending; list i begins at starts[i].

    The best have the highest scores, compared after division by the list's largest
    and rounding to 9 decimals; of equal ones those with the lower numbers.
    """
    cdef Py_ssize_t i, lists = starts.shape[0] - 1
    cdef int64_t size, chosen = 0
    cdef List listed
    cdef double *rounded
    for i in range(lists):
        chosen += min(most, starts[i + 1] - starts[i])
    places = np.empty(chosen, np.int64)
    if not chosen:
        return places
    cdef int64_t[::1] to_places = places
    cdef int64_t *heap = &to_places[0]
    with nogil:
        rounded = <double *>claimed(scores.shape[0], sizeof(double))
        listed = List(rounded, NULL, 0, 0, NULL, &pages[0])
        for i in range(lists):
            size = min(most, starts[i + 1] - starts[i])
            write_rounded(&scores[0], starts[i], starts[i + 1], rounded)
            choose(&listed, heap, size, starts[i], starts[i + 1])
            heap += size
        free(rounded)
    places.sort()
    return places


def ranked(
    const uint32_t[::1] pages,
    const double[::1] scores,
    const double[:, ::1] ties,
    const uint64_t[::1] in_offsets,
    int64_t most,
):
    """Where the `most` best pages stand, best first.

    Scores are compared after division by the largest and rounding to 9 decimals;
    equal ones by the rows of `ties` (None: there are none), higher first, then by
    in-degree, lower first, then by number.
    """
    cdef int64_t count = pages.shape[0]
    cdef List listed
    most = min(most, count)
    places = np.empty(most, np.int64)
    if not most:
        return places
    cdef int64_t[::1] to_places = places
    listed = List(&scores[0], NULL, 0, count, &in_offsets[0], &pages[0])
    if ties is not None and ties.shape[0]:
        listed.ties, listed.n_ties = &ties[0, 0], ties.shape[0]
    if count < SHORT:
        rank(listed, most, &to_places[0])
    else:
        with nogil:
            rank(listed, most, &to_places[0])
    return places


cdef enum:
    SHORT = 5000  # so many pages are ranked sooner than another thread would take over


cdef int rank(List listed, int64_t most, int64_t *heap) except -1 nogil:
    """Write where the best pages of the list stand, best first."""
    cdef double *rounded = <double *>claimed(listed.count, sizeof(double))
    cdef int64_t last
    write_rounded(listed.scores, 0, listed.count, rounded)
    listed.scores = rounded
    choose(&listed, heap, most, 0, listed.count)
    for last in range(most - 1, 0, -1):
        heap[0], heap[last] = heap[last], heap[0]
        sink(&listed, heap, last, 0)
    free(rounded)
    return 0
