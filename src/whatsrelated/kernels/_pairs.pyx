# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""A round of SimRank for all pairs: means of the parents' rows, twice, turned in between."""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memset

cdef enum:
    COLUMNS = 128             # of a matrix that are worked on together, to stay near
    TURNED = 32


cdef inline void add_four(double* sum, const double* a, const double* b, const double* c,
                          const double* d, int64_t width) noexcept nogil:
    cdef int64_t k
    for k in range(width):
        sum[k] += (a[k] + b[k]) + (c[k] + d[k])


def mean_rows(const uint64_t[::1] offsets, const uint32_t[::1] links,
              const double[:, ::1] matrix, double factor, double[:, ::1] means):
    """Each row of `means`: the mean of the parents' rows of `matrix`, times `factor`."""
    cdef int64_t page, k, block, left, width, n = matrix.shape[0]
    cdef uint64_t j
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
                j = offsets[page]
                if offsets[page + 1] == j:
                    continue
                while j + 4 <= offsets[page + 1]:
                    add_four(mean, &matrix[links[j], left], &matrix[links[j + 1], left],
                             &matrix[links[j + 2], left], &matrix[links[j + 3], left], width)
                    j += 4
                for j in range(j, offsets[page + 1]):
                    row = &matrix[links[j], left]
                    for k in range(width):
                        mean[k] += row[k]
                share = factor / (offsets[page + 1] - offsets[page])
                for k in range(width):
                    mean[k] *= share


def turned(const double[:, ::1] matrix, double[:, ::1] into):
    """`into`: the matrix, its rows as columns."""
    cdef int64_t n = matrix.shape[0], i, j, block
    with nogil:
        for block in range((n + TURNED - 1) // TURNED):
            for i in range(n):
                for j in range(block * TURNED, min(n, (block + 1) * TURNED)):
                    into[i, j] = matrix[j, i]
