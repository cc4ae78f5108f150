# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Small graphs, for kernels that answer a whole query without the interpreter."""

from libc.stdint cimport int64_t, uint32_t


cdef struct Rows:
    # A small graph: the edges of node p are targets[starts[p]:starts[p + 1]].
    size_t n
    const int64_t *starts
    const uint32_t *targets


cdef inline Rows rows_of(const int64_t[::1] starts, const uint32_t[::1] targets) noexcept:
    return Rows(<size_t>starts.shape[0] - 1, &starts[0], &targets[0])


cdef int merge(
    Rows rows, const uint32_t *names, int64_t *starts, uint32_t *targets
) except -1 nogil
cdef int compute_weights(
    Rows rows, const uint32_t *sites, double *authority, double *hub
) except -1 nogil
