"""Rank results, for kernels that run without the interpreter."""

from libc.stdint cimport int64_t, uint32_t

from whatsrelated.kernels.shared._links cimport Adjacency, Span


# Write the places of the best `most` of `count` pages, in the order of `rank_best` without
# tie-breakers.
cdef int rank_pages(
    const uint32_t *pages,
    const double *scores,
    int64_t count,
    const Adjacency *parents,
    int64_t most,
    int64_t *places,
) except -1 nogil


# Write the `most` pages with the highest counts, and the counts, in the order of `rank_best`;
# return their number.
cdef size_t rank_counts(
    Span pages,
    const uint32_t *counts,
    const Adjacency *parents,
    int64_t most,
    uint32_t *found,
    double *scores,
) except? 0xFFFFFFFF nogil
