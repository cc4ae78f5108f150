# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The layout of packed links (`packed.h`)."""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from "packed.h" nogil:
    enum:
        PAGES_IN_BLOCK
        PAGES_IN_GROUP
        STARTS
        LINE_BYTES
        LONG
        HEAD_BITS
        TABLES
        CHUNK
    ctypedef const uint16_t *Sums "SumsOfTables"
    ctypedef struct Packed:
        const uint8_t *index
        const uint8_t *data
        const uint32_t *longs
        size_t n_longs
        uint32_t wide
        Sums sums
    Sums sums_of_tables() noexcept
    uint32_t load_16(const uint8_t *) noexcept
    uint32_t load_32(const uint8_t *) noexcept
    uint64_t widths_of(uint32_t, uint32_t) noexcept
    const uint8_t *line_of(const Packed *, uint32_t) noexcept
    uint32_t short_degree(const Packed *, uint32_t) noexcept
    const uint32_t *long_of(const Packed *, uint32_t) noexcept
    uint64_t packed_degree(const Packed *, uint32_t) noexcept
    uint64_t block_of(const Packed *, uint32_t) noexcept
    uint64_t group_of(const Packed *, uint64_t, uint32_t) noexcept
    uint32_t table_of(const Packed *, uint64_t) noexcept
    uint64_t bits_of_list(const Packed *, uint32_t, uint64_t, uint32_t) noexcept
    uint64_t list_of(const Packed *, uint32_t, uint32_t) noexcept
    const uint8_t *beginning_of(const Packed *, uint32_t) noexcept
    uint64_t decode_list(
        const uint8_t *, uint64_t, size_t, size_t, uint32_t, uint64_t, uint32_t *) noexcept
    uint64_t words_before_chunks(uint64_t) noexcept
    void decode_part(
        const Packed *, uint32_t, uint64_t, uint64_t, uint32_t *, uint32_t *) noexcept


cdef inline Packed packed_of(
    const uint32_t[::1] index, const uint32_t[::1] longs, const uint64_t[::1] words, uint32_t wide
) noexcept:
    """One direction, from its three arrays."""
    return Packed(
        <const uint8_t *>&index[0], <const uint8_t *>&words[0], &longs[0],
        <size_t>longs.shape[0] // 3, wide, sums_of_tables())
