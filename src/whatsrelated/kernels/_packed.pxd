"""The layout of packed links (`packed.h`)."""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef extern from "packed.h" nogil:
    enum:
        PAGES_IN_LINE
        LINE_BYTES
        MOST_SHORT
        LONG
        CHUNK
    uint32_t load_32(const uint8_t *) noexcept
    uint64_t load_64(const uint8_t *) noexcept
    uint32_t load_16 "(uint32_t)load_16"(const uint8_t *) noexcept
    const uint8_t *line_of(const uint8_t *, uint32_t) noexcept
    const uint8_t *entry_of(const uint8_t *, uint32_t) noexcept
    const uint8_t *list_of(const uint8_t *, const uint8_t *, uint32_t) noexcept
    uint64_t packed_degree(const uint8_t *, const uint8_t *, uint32_t) noexcept
    void decode_part(
        const uint8_t *, const uint8_t *, uint32_t, uint32_t, uint64_t, uint64_t, uint32_t *,
        uint32_t *) noexcept
    void decode_list(const uint8_t *, size_t, uint32_t, uint32_t, uint32_t *) noexcept
    uint64_t bits_of_list(const uint8_t *, size_t, uint32_t, uint64_t) noexcept
    size_t encode_list(const uint32_t *, size_t, uint32_t, uint32_t, uint8_t *) noexcept
