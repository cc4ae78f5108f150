"""What the kernels of many questions use of the order of answers, without the interpreter."""

from libc.stdint cimport int64_t, uint32_t

from whatsrelated.kernels.shared._links cimport Adjacency, Span


# Where the `most` best of `count` pages stand, best first, as `rank_best` has it without ties.
cdef int rank_pages(
    const uint32_t *pages,
    const double *scores,
    int64_t count,
    const Adjacency *parents,
    int64_t most,
    int64_t *places,
) except -1 nogil


# Write the `most` best of some pages by how often they were counted, and their counts, as
# `rank_best` has it; how many.
cdef size_t rank_counts(
    Span pages,
    const uint32_t *counts,
    const Adjacency *parents,
    int64_t most,
    uint32_t *found,
    double *scores,
) except? 0xFFFFFFFF nogil
