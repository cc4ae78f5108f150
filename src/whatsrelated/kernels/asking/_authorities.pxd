"""Authorities, for kernels that answer a whole query without the interpreter."""

from libc.stdint cimport int64_t, uint8_t, uint32_t

from whatsrelated.kernels.asking._edges cimport Rows


cdef struct Weights:  # edge weights; NULL if all are 1
    const double *authority
    const double *hub


cdef struct Stop:
    double tolerance
    int64_t max_rounds


cdef struct Nodes:
    size_t n
    const uint32_t *pages
    const uint8_t *roles


cdef int64_t iterate(
    Rows rows,
    Weights weights,
    Stop stop,
    const uint8_t *roles,
    uint8_t apart,
    double *authority,
    double *hub,
    double *moved,
) except -1 nogil
cdef size_t choose(
    Nodes nodes, const double *authority, uint8_t apart, double least, uint32_t *chosen,
    double *scores
) noexcept nogil
