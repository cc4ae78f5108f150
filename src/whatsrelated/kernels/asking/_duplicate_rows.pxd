# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Rows of links, and a join of those that are near-duplicates; for `_duplicates.pyx`."""

from libc.stdint cimport uint32_t, uint64_t

from whatsrelated.kernels.shared._number_table cimport Numbering


cdef struct Rule:
    # Near-duplicates: both have more than `least` links, and share `part` of `whole` of the longer.
    uint64_t least, part, whole


cdef struct Row:
    const uint32_t *links
    uint64_t size
    uint32_t place
    uint32_t leader    # union-find, a row
    uint32_t met       # the last row that this one was compared with
    uint64_t prefix    # where its prefix starts


cdef inline uint64_t needed(uint64_t size, Rule rule) noexcept nogil:
    """How many links a near-duplicate must share with a page of `size` links, the longer."""
    return (size * rule.part + rule.whole - 1) // rule.whole


cdef inline uint32_t leader(Row *rows, uint32_t row) noexcept nogil:
    while rows[row].leader != row:
        rows[row].leader = rows[rows[row].leader].leader
        row = rows[row].leader
    return row


cdef int join_rows(Row *rows, size_t count, Rule rule) except -1 nogil
cdef int mark(Numbering *marks, const Row *row) except -1 nogil
cdef bint shares(const Numbering *marks, const Row *other, uint64_t shared) noexcept nogil
