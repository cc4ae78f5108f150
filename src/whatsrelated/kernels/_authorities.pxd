"""What the kernels of whole questions use of authorities, without the interpreter."""

from libc.stdint cimport int64_t, uint8_t, uint32_t


cdef struct Rows:
    # A small graph: the edges of node p are targets[starts[p]:starts[p + 1]].
    size_t n
    const int64_t *starts
    const uint32_t *targets


cdef int join(
    Rows rows, const uint32_t *names, const uint32_t *sites, int64_t *starts, uint32_t *targets
) except -1 nogil
cdef int weigh(
    Rows rows, const uint32_t *sites, double *authority, double *hub
) except -1 nogil
cdef int64_t settle(
    Rows rows,
    const double *authority_weights,
    const double *hub_weights,
    double tolerance,
    int64_t max_rounds,
    double *authority,
    double *hub,
    double *moved,
) except -1 nogil
cdef size_t choose(
    size_t n,
    const uint32_t *pages,
    const double *authority,
    const uint8_t *roles,
    uint8_t apart,
    double least,
    uint32_t *chosen,
    double *scores,
) noexcept nogil
