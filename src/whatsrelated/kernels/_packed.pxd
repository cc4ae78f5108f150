"""The layout of packed links (`packed.h`)."""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef extern from "packed.h" nogil:
    enum:
        PAGES_IN_BLOCK
        HEAD_BITS
        MOST_DEGREE_BITS
        MOST_SHORT
        CHUNK
    ctypedef struct Head:
        uint32_t degree_bits, rest_bits, least, table
    uint32_t load_32(const uint8_t *) noexcept
    uint64_t load_bits(const uint8_t *, uint64_t, uint32_t) noexcept
    uint64_t widths_of(uint32_t, uint32_t) noexcept
    Head head_of(const uint8_t *) noexcept
    uint32_t apart_of(Head) noexcept
    uint32_t field_of(const uint8_t *, Head, uint32_t) noexcept
    uint32_t bits_of_field(Head, uint32_t) noexcept
    uint32_t start_of(const uint8_t *, Head, uint32_t) noexcept
    const uint8_t *block_of(const uint8_t *, const uint8_t *, uint32_t) noexcept
    const uint8_t *list_of(const uint8_t *, const uint8_t *, uint32_t) noexcept
    uint64_t packed_degree(const uint8_t *, const uint8_t *, uint32_t) noexcept
    void decode_list(
        const uint8_t *, uint64_t, size_t, size_t, uint32_t, uint64_t, uint32_t *) noexcept
    void decode_part(
        const uint8_t *, const uint8_t *, uint32_t, uint32_t, uint64_t, uint64_t, uint32_t *,
        uint32_t *) noexcept
    uint64_t bits_of_list(const uint8_t *, uint64_t, size_t, uint64_t, uint64_t) noexcept
