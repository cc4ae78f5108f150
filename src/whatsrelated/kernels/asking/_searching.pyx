# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""Helpers for looking up pages: the compiled twin of `searching.py`."""

import numpy as np

from libc.stdint cimport int64_t, uint32_t
from libc.stdlib cimport free, malloc


def in_all(lists, int64_t most):
    """The first `most` numbers that are in all of these ascending lists."""
    common = np.ascontiguousarray(min(lists, key=len), np.uint32)
    others = sorted((each for each in lists), key=len)[1:]
    found = np.empty(min(most, len(common)), np.uint32)
    cdef const uint32_t[::1] shortest = common
    cdef uint32_t[::1] kept = found
    cdef int64_t count = 0, i, j, n = len(common), k = len(others)
    cdef const uint32_t[::1] other
    cdef const uint32_t **starts = <const uint32_t **>malloc((k + 1) * sizeof(void *))
    cdef const uint32_t **ends = <const uint32_t **>malloc((k + 1) * sizeof(void *))
    if starts == NULL or ends == NULL:
        free(starts)
        free(ends)
        raise MemoryError
    held = []
    try:
        for j in range(k):
            other = np.ascontiguousarray(others[j], np.uint32)
            held.append(other)
            starts[j] = &other[0] if other.shape[0] else NULL
            ends[j] = starts[j] + other.shape[0]
        with nogil:
            for i in range(n):
                if count == most:
                    break
                for j in range(k):
                    starts[j] = _reach(starts[j], ends[j], shortest[i])
                    if starts[j] == ends[j] or starts[j][0] != shortest[i]:
                        break
                else:
                    kept[count] = shortest[i]
                    count += 1
    finally:
        free(starts)
        free(ends)
    return found[:count]


cdef const uint32_t *_reach(
    const uint32_t *start, const uint32_t *end, uint32_t wanted
) noexcept nogil:
    """The first position from `start` on with a number of at least `wanted`, by galloping search.
    """
    cdef int64_t step = 1, low = 0, high, middle, size = end - start
    while step < size and start[step] < wanted:
        low = step
        step *= 2
    high = min(step, size)
    while low < high:
        middle = (low + high) // 2
        if start[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return start + low


def distance(str a, str b, int64_t most):
    """The edit distance of two texts (optimal string alignment), or `most` + 1 if it is more than
    `most`.

    An edit changes, adds or removes a letter, or swaps two neighbours.
    """
    cdef int64_t n = len(a), m = len(b), i, j, cost, least
    if abs(n - m) > most:
        return most + 1
    cdef int64_t *rows = <int64_t *>malloc(3 * (m + 1) * sizeof(int64_t))
    if rows == NULL:
        raise MemoryError
    cdef int64_t *earlier = rows
    cdef int64_t *before = rows + (m + 1)
    cdef int64_t *row = rows + 2 * (m + 1)
    cdef int64_t *spare
    cdef Py_UCS4 x, y
    try:
        for j in range(m + 1):
            row[j] = j
        for i in range(1, n + 1):
            spare = earlier
            earlier = before
            before = row
            row = spare
            row[0] = i
            least = i
            x = a[i - 1]
            for j in range(1, m + 1):
                y = b[j - 1]
                cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
                if i > 1 and j > 1 and x == <Py_UCS4>b[j - 2] and <Py_UCS4>a[i - 2] == y:
                    cost = min(cost, earlier[j - 2] + 1)
                row[j] = cost
                least = min(least, cost)
            if least > most + 1:
                return most + 1
        return min(row[m], most + 1)
    finally:
        free(rows)
