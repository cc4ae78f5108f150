# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Sorted strings, front-coded in blocks of 32: page -> key and key -> page.

A block is its first key whole (length, bytes), then 31 times the length
shared with the key before, the length of the rest, the rest.  Lengths are
little-endian base 128.  `blocks[i]` is where block i begins.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcmp, memcpy

import numpy as np

BLOCK = 32


cdef inline int64_t read_length(const uint8_t* data, int64_t* at) noexcept nogil:
    cdef int64_t value = 0
    cdef int shift = 0
    cdef uint8_t byte
    while True:
        byte = data[at[0]]
        at[0] += 1
        value |= (<int64_t>(byte & 127)) << shift
        if byte < 128:
            return value
        shift += 7


cdef inline int64_t write_length(uint8_t* data, int64_t at, int64_t value) noexcept nogil:
    while value >= 128:
        data[at] = <uint8_t>(value & 127) | 128
        at += 1
        value >>= 7
    data[at] = <uint8_t>value
    return at + 1


cdef inline int compare(const uint8_t* a, int64_t a_size, const uint8_t* b, int64_t b_size) noexcept nogil:
    cdef int64_t size = a_size if a_size < b_size else b_size
    cdef int order = memcmp(a, b, size)
    if order:
        return order
    return 0 if a_size == b_size else (-1 if a_size < b_size else 1)


def encode(const uint8_t[::1] text, const uint64_t[::1] ends):
    """The front-coded bytes of ascending strings, and where each block begins."""
    cdef int64_t count = ends.shape[0] - 1
    cdef int64_t i, size, shared, limit, before = 0, before_size = 0, start, at = 0
    room = np.empty(text.shape[0] + 20 * count + 1, np.uint8)
    starts = np.empty((count + 31) // 32, np.uint64)
    cdef uint8_t[::1] out = room
    cdef uint64_t[::1] blocks = starts
    if count <= 0:
        return room[:0], starts
    cdef const uint8_t* data = &text[0] if text.shape[0] else NULL
    cdef uint8_t* into = &out[0]
    with nogil:
        for i in range(count):
            start = ends[i]
            size = ends[i + 1] - start
            if i % 32 == 0:
                blocks[i // 32] = at
                at = write_length(into, at, size)
                shared = 0
            else:
                limit = size if size < before_size else before_size
                shared = 0
                while shared < limit and data[before + shared] == data[start + shared]:
                    shared += 1
                at = write_length(into, at, shared)
                at = write_length(into, at, size - shared)
            if size > shared:
                memcpy(into + at, data + start + shared, size - shared)
            at += size - shared
            before = start
            before_size = size
    return room[:at].copy(), starts


def get(const uint8_t[::1] coded, const uint64_t[::1] blocks, int64_t index):
    """The string at `index`."""
    cdef const uint8_t* data = &coded[0]
    cdef int64_t at = blocks[index // 32], within = index % 32, size, shared, rest, i
    cdef int64_t room = 512
    cdef uint8_t* key
    cdef uint8_t small[512]
    cdef uint8_t* grown = NULL
    size = read_length(data, &at)
    if within == 0:
        return bytes(coded[at:at + size]) if size else b""
    key = small
    if size > room:
        room = 2 * size
        grown = <uint8_t*>malloc(room)
        if grown == NULL:
            raise MemoryError
        key = grown
    memcpy(key, data + at, size)
    at += size
    for i in range(within):
        shared = read_length(data, &at)
        rest = read_length(data, &at)
        size = shared + rest
        if size > room:
            room = 2 * size
            if grown == NULL:
                grown = <uint8_t*>malloc(room)
                if grown == NULL:
                    raise MemoryError
                memcpy(grown, small, shared)
            else:
                grown = <uint8_t*>realloc(grown, room)
                if grown == NULL:
                    raise MemoryError
            key = grown
        memcpy(key + shared, data + at, rest)
        at += rest
    try:
        return key[:size]
    finally:
        free(grown)


cdef int64_t search(const uint8_t* data, const uint64_t* blocks, int64_t n_blocks, int64_t count,
                    const uint8_t* key, int64_t key_size) noexcept nogil:
    """The index of the key, or -1 - the index before which it would stand."""
    cdef int64_t low = 0, high = n_blocks, middle, at, size, shared, rest, index, common, i
    cdef int order
    # The last block whose first string is not above the key.
    while low < high:
        middle = (low + high) >> 1
        at = blocks[middle]
        size = read_length(data, &at)
        if compare(data + at, size, key, key_size) <= 0:
            low = middle + 1
        else:
            high = middle
    if low == 0:
        return -1
    low -= 1
    at = blocks[low]
    size = read_length(data, &at)
    index = low * 32
    # `common`: how much of the key the string before shares with it.
    common = 0
    while common < size and common < key_size and data[at + common] == key[common]:
        common += 1
    if common == size and common == key_size:
        return index
    at += size
    for i in range(1, 32):
        index += 1
        if index >= count:
            return -1 - count
        shared = read_length(data, &at)
        rest = read_length(data, &at)
        if shared < common:
            return -1 - index
        if shared == common:
            i = 0
            while i < rest and common < key_size and data[at + i] == key[common]:
                i += 1
                common += 1
            if i == rest:
                if common == key_size:
                    return index
            elif common == key_size or data[at + i] > key[common]:
                return -1 - index
        at += rest
    return -1 - (index + 1)


def find(const uint8_t[::1] coded, const uint64_t[::1] blocks, int64_t count, bytes key):
    """The index of `key`, or -1 - the index before which it would stand."""
    if count == 0:
        return -1
    cdef const uint8_t* wanted = key
    cdef int64_t size = len(key)
    return search(&coded[0], &blocks[0], blocks.shape[0], count, wanted, size)


def find_many(const uint8_t[::1] coded, const uint64_t[::1] blocks, int64_t count,
              const uint8_t[::1] text, const uint64_t[::1] ends):
    """`find` for every one of many packed keys."""
    cdef int64_t wanted = ends.shape[0] - 1, i
    found = np.full(wanted, -1, np.int64)
    cdef int64_t[::1] indices = found
    if count == 0 or wanted <= 0:
        return found
    cdef const uint8_t* data = &text[0] if text.shape[0] else NULL
    with nogil:
        for i in range(wanted):
            indices[i] = search(&coded[0], &blocks[0], blocks.shape[0], count,
                                data + ends[i], ends[i + 1] - ends[i])
    return found


def get_many(const uint8_t[::1] coded, const uint64_t[::1] blocks, const uint32_t[::1] indices):
    """The strings at many indices, packed: their bytes and ends."""
    cdef int64_t count = indices.shape[0], i, j, at, size, shared, rest, room = 64 * count + 64
    cdef int64_t written = 0
    stops = np.zeros(count + 1, np.uint64)
    cdef uint64_t[::1] ends = stops
    cdef const uint8_t* data = &coded[0] if coded.shape[0] else NULL
    cdef uint8_t* text = <uint8_t*>malloc(room)
    cdef uint8_t* grown
    if text == NULL:
        raise MemoryError
    with nogil:
        for i in range(count):
            at = blocks[indices[i] // 32]
            size = 0
            for j in range(indices[i] % 32 + 1):
                shared = read_length(data, &at) if j else 0
                rest = read_length(data, &at)
                size = shared + rest
                if written + size > room:
                    room = 2 * (written + size)
                    grown = <uint8_t*>realloc(text, room)
                    if grown == NULL:
                        free(text)
                        with gil:
                            raise MemoryError
                    text = grown
                memcpy(text + written + shared, data + at, rest)
                at += rest
            written += size
            ends[i + 1] = written
    try:
        return np.frombuffer(text[:written], np.uint8), stops
    finally:
        free(text)
