# distutils: language=c++
# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""Packed sort keys of names: create, sort and compare them, and find their hosts.

Packed strings are one run of bytes and their ends: string i is `text[ends[i]:ends[i + 1]]`.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy
from libcpp.algorithm cimport sort as std_sort

import numpy as np


cdef extern from *:
    """
    #include <cstdint>

    struct Piece {
        uint64_t head;
        uint32_t index;
        bool operator<(const Piece &other) const {
            return head != other.head ? head < other.head : index < other.index;
        }
    };
    """
    ctypedef struct Piece:  # eight bytes of a string, as a number; ties keep their order
        uint64_t head
        uint32_t index


cdef inline uint64_t head_of(const uint8_t* data, int64_t size) noexcept nogil:
    """The first 8 bytes as a number with the same order; missing bytes are 0."""
    cdef uint64_t value = 0
    cdef int64_t i, limit = size if size < 8 else 8
    for i in range(limit):
        value |= (<uint64_t>data[i]) << (56 - 8 * i)
    return value


cdef void sort_pieces(Piece* items, int64_t low, int64_t high, int64_t depth,
                      const uint8_t* data, const uint64_t* ends) noexcept nogil:
    """Sort strings that agree in their first `depth` bytes."""
    cdef int64_t i, run, start, size
    cdef bint longer
    while True:
        for i in range(low, high):
            start = ends[items[i].index] + depth
            size = ends[items[i].index + 1] - start
            items[i].head = head_of(data + start, size) if size > 0 else 0
        # Strings with the same head are sorted by their next 8 bytes.
        run = low + 1
        while run < high and items[run].head == items[low].head:
            run += 1
        if run < high:
            break
        if not deeper(items, low, high, depth, ends):
            return
        depth += 8
    std_sort(items + low, items + high)
    run = low
    while run < high:
        i = run + 1
        while i < high and items[i].head == items[run].head:
            i += 1
        if i - run > 1 and deeper(items, run, i, depth, ends):
            sort_pieces(items, run, i, depth + 8, data, ends)
        run = i


cdef inline bint deeper(Piece* items, int64_t low, int64_t high, int64_t depth,
                        const uint64_t* ends) noexcept nogil:
    """Whether any of these strings is longer than the next 8 bytes."""
    cdef int64_t i
    for i in range(low, high):
        if <int64_t>(ends[items[i].index + 1] - ends[items[i].index]) > depth + 8:
            return True
    return False


def sort(const uint8_t[::1] text, const uint64_t[::1] ends):
    """The stable sort order of packed strings without NUL bytes."""
    cdef int64_t count = ends.shape[0] - 1, i
    order = np.empty(max(count, 0), np.uint32)
    cdef uint32_t[::1] into = order
    if count <= 0:
        return order
    cdef const uint8_t* data = &text[0] if text.shape[0] else NULL
    cdef Piece* items = <Piece*>malloc(count * sizeof(Piece))
    if items == NULL:
        raise MemoryError
    with nogil:
        for i in range(count):
            items[i].index = <uint32_t>i
        sort_pieces(items, 0, count, 0, data, &ends[0])
        for i in range(count):
            into[i] = items[i].index
        free(items)
    return order


def take(const uint8_t[::1] text, const uint64_t[::1] ends, const uint32_t[::1] order):
    """The packed strings in this order: their bytes and ends."""
    cdef int64_t count = order.shape[0], i, at = 0, size
    new_ends = np.empty(count + 1, np.uint64)
    cdef uint64_t[::1] stops = new_ends
    stops[0] = 0
    for i in range(count):
        at += ends[order[i] + 1] - ends[order[i]]
        stops[i + 1] = at
    new_text = np.empty(at, np.uint8)
    cdef uint8_t[::1] into = new_text
    if at:
        with nogil:
            for i in range(count):
                size = stops[i + 1] - stops[i]
                if size:
                    memcpy(&into[stops[i]], &text[ends[order[i]]], size)
    return new_text, new_ends


def differs(const uint8_t[::1] text, const uint64_t[::1] ends):
    """For each packed string, whether it differs from the one before (the first does)."""
    cdef int64_t count = ends.shape[0] - 1, i, size
    flags = np.ones(max(count, 0), np.bool_)
    cdef uint8_t[::1] different = flags.view(np.uint8)
    with nogil:
        for i in range(1, count):
            size = ends[i + 1] - ends[i]
            if size == <int64_t>(ends[i] - ends[i - 1]) and (
                size == 0 or memcmp(&text[ends[i]], &text[ends[i - 1]], size) == 0
            ):
                different[i] = 0
    return flags


def number_keys(const uint64_t[::1] numbers):
    """The packed sort keys of numbers: byte 6, "0" + the count of digits, the digits."""
    cdef int64_t count = numbers.shape[0], i, at = 0, digits, j
    cdef uint64_t value
    stops = np.empty(count + 1, np.uint64)
    room = np.empty(22 * count + 1, np.uint8)
    cdef uint64_t[::1] ends = stops
    cdef uint8_t[::1] into = room
    with nogil:
        ends[0] = 0
        for i in range(count):
            value = numbers[i]
            digits = 1
            while value >= 10:
                value //= 10
                digits += 1
            into[at] = 6
            into[at + 1] = <uint8_t>(48 + digits)
            value = numbers[i]
            for j in range(digits):
                into[at + 1 + digits - j] = <uint8_t>(48 + value % 10)
                value //= 10
            at += 2 + digits
            ends[i + 1] = at
    return room[:at].copy(), stops


def hosts(const uint8_t[::1] text, const uint64_t[::1] ends):
    """For each key: the length of its host (0 for a plain name), its port (or -1), and
    whether its host or port differs from the key before.
    """
    cdef int64_t count = ends.shape[0] - 1, i, j, start, stop, size, before
    host_sizes = np.zeros(max(count, 0), np.uint32)
    port_numbers = np.full(max(count, 0), -1, np.int32)
    changes = np.ones(max(count, 0), np.bool_)
    cdef uint32_t[::1] sizes = host_sizes
    cdef int[::1] ports = port_numbers
    cdef uint8_t[::1] fresh = changes.view(np.uint8)
    with nogil:
        for i in range(count):
            start = ends[i]
            stop = ends[i + 1]
            if stop == start or text[stop - 1] < 1 or text[stop - 1] > 4:
                continue
            ports[i] = port_of(&text[start], stop - start)
            if i and sizes[i - 1]:  # most keys have the same host as the key before
                before = ends[i - 1]
                size = sizes[i - 1]
                if size < stop - start and text[start + size] == 41 and memcmp(&text[before], &text[start], size) == 0:
                    sizes[i] = <uint32_t>size
                    fresh[i] = ports[i - 1] != ports[i]
                    continue
            j = start
            while j < stop and text[j] != 41:
                j += 1
            size = j - start
            sizes[i] = <uint32_t>size
            if i and sizes[i - 1] == size and ports[i - 1] == ports[i]:
                before = ends[i - 1]
                fresh[i] = memcmp(&text[before], &text[start], size) != 0
    return host_sizes, port_numbers, changes


cdef uint8_t CLASS[256]
# Bytes that do not need normalising: bit 1 in a path, 2 in a host label, 4 as the first letter of
# the last label, 8 in a plain name.
for _byte in range(256):
    _kind = 0
    _char = chr(_byte)
    if _byte < 128 and (_char.isalnum() or _char in "-._~!$&'()*+,;=:@/"):
        _kind |= 1
    if _char in "abcdefghijklmnopqrstuvwxyz0123456789_-":
        _kind |= 2
    if _char in "abcdefghijklmnopqrstuvwxyz":
        _kind |= 4
    if 33 <= _byte <= 126 and _char != ":":
        _kind |= 8
    CLASS[_byte] = _kind


cdef int64_t easy_url(const uint8_t* raw, int64_t size, int64_t start, uint8_t* key) noexcept nogil:
    """Write the key of a URL whose host begins at `start`.

    Return its length, 0 if not clearly canonical.
    """
    cdef int64_t i = start, label = start, at, first, end
    while i < size and raw[i] != 47:
        if raw[i] == 46:
            if i == label:
                return 0
            label = i + 1
        elif not CLASS[raw[i]] & 2 or (raw[i] == 45 and i > start and raw[i - 1] == 45):
            return 0
        i += 1
    if i == size or i == label or not CLASS[raw[label]] & 4:
        return 0
    # The labels of the host, last first.
    at = 0
    end = i
    while True:
        first = end
        while first > start and raw[first - 1] != 46:
            first -= 1
        memcpy(key + at, raw + first, end - first)
        at += end - first
        if first == start:
            break
        key[at] = 44
        at += 1
        end = first - 1
    key[at] = 41
    at += 1
    first = i
    while i < size:
        if not CLASS[raw[i]] & 1 or (raw[i] == 46 and raw[i - 1] == 47):
            return 0
        i += 1
    memcpy(key + at, raw + first, size - first)
    at += size - first
    key[at] = 2 if raw[4] == 115 else 1
    return at + 1


cdef int64_t easy_name(const uint8_t* raw, int64_t size, uint8_t* key) noexcept nogil:
    """Write the key of a name that is not a number and has no colon; return its length, or 0."""
    cdef int64_t i
    cdef bint other = False
    for i in range(size):
        if not CLASS[raw[i]] & 8:
            return 0
        other |= raw[i] < 48 or raw[i] > 57
    if not other:
        return 0
    memcpy(key, raw, size)
    return size


cdef int64_t easy(
    const uint8_t* raw, int64_t size, bint plain, bint http, uint8_t* key
) noexcept nogil:
    """Write the key of a clearly canonical name and return its length.

    Return 0 for any other name.
    """
    if 8 < size <= 2000 and memcmp(raw, b"https://", 8) == 0:
        return easy_url(raw, size, 8, key)
    if 7 < size <= 2000 and memcmp(raw, b"http://", 7) == 0:
        return easy_url(raw, size, 7, key) if http else 0
    return easy_name(raw, size, key) if plain and 0 < size <= 2000 else 0


def easy_key(bytes name):
    """The key of a clearly canonical name, None for any other."""
    cdef uint8_t key[2001]
    cdef int64_t size = easy(name, len(name), True, True, key)
    return key[:size] if size else None


def easy_keys(const uint8_t[::1] text, const uint64_t[::1] ends, bint plain, bint http):
    """Which names are clearly canonical, and their packed keys."""
    cdef int64_t count = ends.shape[0] - 1, i, at = 0, size, key_size, many = 0
    found = np.zeros(max(count, 0), np.bool_)
    room = np.empty(text.shape[0] + 1, np.uint8)
    stops = np.zeros(max(count, 0) + 1, np.uint64)
    cdef uint8_t[::1] flags = found.view(np.uint8)
    cdef uint8_t[::1] into = room
    cdef uint64_t[::1] new_ends = stops
    cdef const uint8_t* raw
    if count <= 0 or text.shape[0] == 0:
        return found, room[:0], stops[:1]
    with nogil:
        for i in range(count):
            raw = &text[0] + ends[i]
            size = ends[i + 1] - ends[i]
            key_size = easy(raw, size, plain, http, &into[at])
            if key_size:
                flags[i] = 1
                at += key_size
                many += 1
                new_ends[many] = at
    return found, room[:at].copy(), stops[:many + 1].copy()
