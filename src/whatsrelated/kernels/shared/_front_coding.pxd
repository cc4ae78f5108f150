# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Strings front-coded in blocks of 32: read and write lengths and strings.

A block starts with its first string in full (length, bytes). Each of the other 31 has the length
shared with the string before, the length of its suffix, and the suffix. Lengths are little-endian
base 128.

Coded bytes come from files, so every length is checked against the end of the data.
"""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

from whatsrelated.kernels.shared._memory cimport grow

cdef enum:
    LONGEST = 56  # maximum number of bits of a length
    DAMAGED = -1  # instead of a length

cdef struct Coded:           # front-coded strings, and the starts of their blocks
    const uint8_t* data
    const uint64_t* blocks
    int64_t size, n_blocks, count


cdef inline int64_t read_length(const Coded* coded, int64_t* at) noexcept nogil:
    """Read the length at `at` and advance; return DAMAGED if there is none."""
    cdef int64_t value = 0
    cdef int shift = 0
    cdef uint8_t byte
    while at[0] < coded.size and shift <= LONGEST - 7:
        byte = coded.data[at[0]]
        at[0] += 1
        value |= (<int64_t>(byte & 127)) << shift
        if byte < 128:
            return value
        shift += 7
    return DAMAGED


cdef inline int64_t read_suffix(const Coded* coded, int64_t* at) noexcept nogil:
    """Read the length of the bytes that follow; return DAMAGED if there are fewer."""
    cdef int64_t suffix = read_length(coded, at)
    return suffix if suffix <= coded.size - at[0] else DAMAGED


cdef inline int64_t start_of(const Coded* coded, int64_t block) noexcept nogil:
    """The start of a block, at most the end of the strings."""
    cdef uint64_t start = coded.blocks[block]
    return <int64_t>start if start < <uint64_t>coded.size else coded.size


cdef inline int raise_damaged() except -1 nogil:
    with gil:
        from whatsrelated.errors import GraphFormatError

        raise GraphFormatError("The strings of the graph are damaged; build the graph again.")


cdef inline int64_t write_length(uint8_t* data, int64_t at, int64_t value) noexcept nogil:
    while value >= 128:
        data[at] = <uint8_t>(value & 127) | 128
        at += 1
        value >>= 7
    data[at] = <uint8_t>value
    return at + 1


cdef inline int64_t read_next(const Coded* coded, int64_t* at, int64_t size, uint8_t** key,
                              size_t* room) except -1 nogil:
    """Decode the string at `at` within a block, overwriting the one before it.

    Return its length.
    """
    cdef int64_t shared = read_length(coded, at)
    cdef int64_t suffix = read_suffix(coded, at)
    if shared < 0 or shared > size or suffix < 0:
        raise_damaged()
    grow(<void**>key, room, shared + suffix + 1, 1)
    memcpy(key[0] + shared, coded.data + at[0], suffix)
    at[0] += suffix
    return shared + suffix


cdef inline int64_t read_key(const Coded* coded, int64_t index, uint8_t** key, size_t* room,
                      int64_t* at) except -1 nogil:
    """Write the string at `index` to `key`; return its length.  The next one begins at `at`."""
    cdef int64_t i, size
    if not 0 <= index < coded.count:
        with gil:
            raise IndexError(f"no string {index} of {coded.count}")
    at[0] = start_of(coded, index // 32)
    size = read_suffix(coded, at)
    if size < 0:
        raise_damaged()
    grow(<void**>key, room, size + 1, 1)
    memcpy(key[0], coded.data + at[0], size)
    at[0] += size
    for i in range(index % 32):
        size = read_next(coded, at, size, key, room)
    return size
