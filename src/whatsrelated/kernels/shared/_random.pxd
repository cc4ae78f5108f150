"""Random numbers by key: the same key and number always give the same bits."""

from libc.stdint cimport uint32_t, uint64_t


cdef inline uint64_t draw(uint64_t key, uint64_t number) noexcept nogil:
    """The random 64-bit number with this index in the key's sequence (splitmix64)."""
    cdef uint64_t x = key + (number + 1) * <uint64_t>0x9E3779B97F4A7C15
    x = (x ^ (x >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    x = (x ^ (x >> 27)) * <uint64_t>0x94D049BB133111EB
    return x ^ (x >> 31)


cdef inline double fraction(uint64_t bits) noexcept nogil:
    """A number in [0, 1)."""
    return (bits >> 11) * (1.0 / 9007199254740992.0)


cdef inline double low_fraction(uint64_t bits) noexcept nogil:
    """A number in [0, 1) from the half of the bits that `choose` does not use."""
    return <uint32_t>bits * (1.0 / 4294967296.0)


cdef inline uint64_t choose(uint64_t bits, uint64_t count) noexcept nogil:
    """A number from 0 to count - 1."""
    return ((bits >> 32) * count) >> 32
