# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""One round of all-pairs SimRank: average the parents' rows, transpose, average again."""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memset

from whatsrelated.kernels.shared._links cimport Links, Span, links_of

cdef enum:
    COLUMNS = 128             # columns processed together, so they stay in the cache
    TILE = 32


cdef inline void add_four(double* sum, const double* a, const double* b, const double* c,
                          const double* d, int64_t width) noexcept nogil:
    cdef int64_t k
    for k in range(width):
        sum[k] += (a[k] + b[k]) + (c[k] + d[k])


def average_rows(Links links, const double[:, ::1] matrix, double factor, double[:, ::1] means):
    """Set each row of `means` to `factor` times the mean of its parents' rows in `matrix`."""
    cdef Span parents
    cdef int64_t page, k, block, left, width, n = matrix.shape[0]
    cdef size_t j
    cdef double share
    cdef const double* row
    cdef double* mean
    with nogil:
        for block in range((n + COLUMNS - 1) // COLUMNS):
            left = block * COLUMNS
            width = min(n - left, COLUMNS)
            for page in range(n):
                mean = &means[page, left]
                memset(mean, 0, width * sizeof(double))
                parents, j = links_of(&links.parents, <uint32_t>page), 0
                if parents.count == 0:
                    continue
                while j + 4 <= parents.count:
                    add_four(mean, &matrix[parents.pages[j], left],
                             &matrix[parents.pages[j + 1], left],
                             &matrix[parents.pages[j + 2], left],
                             &matrix[parents.pages[j + 3], left], width)
                    j += 4
                for j in range(j, parents.count):
                    row = &matrix[parents.pages[j], left]
                    for k in range(width):
                        mean[k] += row[k]
                share = factor / parents.count
                for k in range(width):
                    mean[k] *= share


def transpose(const double[:, ::1] matrix, double[:, ::1] into):
    """Write the transposed matrix to `into`."""
    cdef int64_t n = matrix.shape[0], i, j, block
    with nogil:
        for block in range((n + TILE - 1) // TILE):
            for i in range(n):
                for j in range(block * TILE, min(n, (block + 1) * TILE)):
                    into[i, j] = matrix[j, i]
