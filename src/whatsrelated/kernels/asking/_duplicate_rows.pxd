# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Group rows of links that are near-duplicates; used by `_duplicates.pyx`."""

from libc.stdint cimport uint32_t, uint64_t

from whatsrelated.kernels.shared._number_table cimport Numbering


cdef struct Rule:
    # Two rows are near-duplicates if both have more than `least` links and share part / whole of
    # the longer.
    uint64_t least, part, whole


cdef struct Row:
    const uint32_t *links
    uint64_t size
    uint32_t place
    uint32_t leader    # a row, for union-find
    uint32_t met       # the last row compared with this one
    uint64_t prefix    # start of its prefix


cdef inline uint64_t needed(uint64_t size, Rule rule) noexcept nogil:
    """The number of links that near-duplicates share if the longer row has `size` links."""
    return (size * rule.part + rule.whole - 1) // rule.whole


cdef inline uint32_t leader(Row *rows, uint32_t row) noexcept nogil:
    while rows[row].leader != row:
        rows[row].leader = rows[rows[row].leader].leader
        row = rows[row].leader
    return row


cdef int join_rows(Row *rows, size_t count, Rule rule) except -1 nogil
cdef int mark(Numbering *marks, const Row *row) except -1 nogil
cdef bint shares(const Numbering *marks, const Row *other, uint64_t shared) noexcept nogil
