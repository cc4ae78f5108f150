# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The best pages of each of several lists, without sorting the lists."""

import numpy as np

from libc.stdint cimport int64_t, uint32_t


cdef inline bint worse(
    int64_t a, int64_t b, const double[::1] scores, const uint32_t[::1] pages
) noexcept nogil:
    """Whether the page at `a` comes after the one at `b`: lower score, or higher number."""
    if scores[a] != scores[b]:
        return scores[a] < scores[b]
    return pages[a] > pages[b]


cdef inline void sink(
    int64_t* heap, int64_t size, int64_t at, const double[::1] scores, const uint32_t[::1] pages
) noexcept nogil:
    """Put heap[at] in its place; the worst is on top."""
    cdef int64_t moving = heap[at], child
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        if child + 1 < size and worse(heap[child + 1], heap[child], scores, pages):
            child += 1
        if not worse(heap[child], moving, scores, pages):
            break
        heap[at] = heap[child]
        at = child
    heap[at] = moving


def best(
    const int64_t[::1] starts, const uint32_t[::1] pages, const double[::1] scores, int64_t most
):
    """Where the `most` best pages of each list stand, ascending; list i begins at starts[i].

    The best have the highest scores; of equal ones those with the lower numbers.
    """
    cdef Py_ssize_t i, lists = starts.shape[0] - 1
    cdef int64_t at, size, chosen = 0
    for i in range(lists):
        chosen += min(most, starts[i + 1] - starts[i])
    places = np.empty(chosen, np.int64)
    if not chosen:
        return places
    cdef int64_t[::1] to_places = places
    cdef int64_t* heap = &to_places[0]
    with nogil:
        for i in range(lists):
            size = min(most, starts[i + 1] - starts[i])
            for at in range(size):
                heap[at] = starts[i] + at
            if size and starts[i + 1] - starts[i] > most:
                for at in range(size // 2 - 1, -1, -1):
                    sink(heap, size, at, scores, pages)
                for at in range(starts[i] + size, starts[i + 1]):
                    if worse(heap[0], at, scores, pages):
                        heap[0] = at
                        sink(heap, size, 0, scores, pages)
            heap += size
    places.sort()
    return places
