# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""Sorted strings, front-coded in blocks of 32: page -> key and key -> page.

`_front_coding.pxd` describes the code; `blocks[i]` is the start of block i.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memcpy

import numpy as np

from whatsrelated.errors import GraphFormatError
from whatsrelated.kernels.shared._front_coding cimport (
    Coded, raise_damaged, read_key, read_length, read_next, read_suffix, start_of, write_length
)
from whatsrelated.kernels.shared._memory cimport PREFETCH, grow

BLOCK = 32

cdef int64_t NOWHERE = -(<int64_t>1 << 62)  # returned instead of an index if strings are damaged

cdef inline int compare(const uint8_t* a, int64_t a_size, const uint8_t* b, int64_t b_size) noexcept nogil:
    cdef int64_t size = a_size if a_size < b_size else b_size
    cdef int order = memcmp(a, b, size)
    if order:
        return order
    return 0 if a_size == b_size else (-1 if a_size < b_size else 1)


def encode(const uint8_t[::1] text, const uint64_t[::1] ends):
    """The front-coded bytes of ascending strings, and the start of each block."""
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
                while shared + 8 <= limit and memcmp(data + before + shared, data + start + shared, 8) == 0:
                    shared += 8
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


cdef class _NameBuffer:
    """Memory for decoding names."""

    cdef uint8_t* key
    cdef uint8_t* name
    cdef size_t key_room, name_room

    def __dealloc__(self):
        free(self.key)
        free(self.name)

    cdef str of(self, const Coded* coded, int64_t index):
        cdef int64_t at
        cdef int64_t size = read_key(coded, index, &self.key, &self.key_room, &at)
        grow(<void**>&self.name, &self.name_room, size + 16, 1)
        size = write_name(self.key, size, self.name)
        try:
            return self.name[:size].decode()
        except UnicodeDecodeError:
            raise_damaged()


cdef const char* SCHEMES[4]
SCHEMES[0], SCHEMES[1], SCHEMES[2], SCHEMES[3] = b"http", b"https", b"ftp", b"file"


cdef int64_t write_name(const uint8_t* key, int64_t size, uint8_t* name) noexcept nogil:
    """Write the name with this sort key (`urls.name_of`); return its length."""
    cdef const char* scheme
    cdef int64_t host = 0, path, end, port, last, first, at = 0, i
    cdef bint turned = True
    if size == 1 and key[0] == 6:
        return 0
    if size and key[0] == 6:  # a number, which follows its length
        memcpy(name, key + 2, size - 2)
        return size - 2
    if not size or not 1 <= key[size - 1] <= 4:
        memcpy(name, key, size)
        return size
    scheme = SCHEMES[key[size - 1] - 1]
    end = size - 1
    while host < end and key[host] != c")":
        turned = turned and key[host] != c"." and key[host] != c"["
        host += 1
    path = min(host + 1, end)
    port = path
    while port < end and key[port] != 5:
        port += 1
    while scheme[at]:
        name[at] = scheme[at]
        at += 1
    memcpy(name + at, b"://", 3)
    at += 3
    if turned:  # the labels are in reverse order
        last = host
        while True:
            first = last
            while first > 0 and key[first - 1] != c",":
                first -= 1
            memcpy(name + at, key + first, last - first)
            at += last - first
            if first == 0:
                break
            name[at] = c"."
            at += 1
            last = first - 1
    else:
        memcpy(name + at, key, host)
        at += host
    if port + 1 < end:
        name[at] = c":"
        memcpy(name + at + 1, key + port + 1, end - port - 1)
        at += end - port
    memcpy(name + at, key + path, port - path)
    return at + port - path


cdef int64_t search(const Coded* coded, const uint8_t* key, int64_t key_size) noexcept nogil:
    """The index of the key or, if it is absent, -1 minus its insertion index."""
    cdef const uint8_t* data = coded.data
    cdef int64_t low = 0, high = coded.n_blocks, middle, at, size, shared, suffix, index, common, i
    # Find the last block whose first string is at most the key.
    while low < high:
        middle = (low + high) >> 1
        at = start_of(coded, middle)
        size = read_suffix(coded, &at)
        if size < 0:
            return NOWHERE
        if compare(data + at, size, key, key_size) <= 0:
            low = middle + 1
        else:
            high = middle
    if low == 0:
        return -1
    low -= 1
    at = start_of(coded, low)
    size = read_suffix(coded, &at)
    index = low * 32
    # `common` is the length of the prefix that the key shares with the string before.
    common = 0
    while common < size and common < key_size and data[at + common] == key[common]:
        common += 1
    if common == size and common == key_size:
        return index
    at += size
    for i in range(1, 32):
        index += 1
        if index >= coded.count:
            return -1 - coded.count
        shared = read_length(coded, &at)
        suffix = read_suffix(coded, &at)
        if shared < 0 or suffix < 0:
            return NOWHERE
        if shared < common:
            return -1 - index
        if shared == common:
            i = 0
            while i < suffix and common < key_size and data[at + i] == key[common]:
                i += 1
                common += 1
            if i == suffix:
                if common == key_size:
                    return index
            elif common == key_size or data[at + i] > key[common]:
                return -1 - index
        at += suffix
    return -1 - (index + 1)


cdef class Table:
    """Strings by number, as `encode` wrote them. A graph stores its names this way."""

    cdef const uint8_t[::1] text
    cdef const uint64_t[::1] blocks
    cdef Coded coded

    def __init__(self, const uint8_t[::1] coded, const uint64_t[::1] blocks, int64_t count):
        if not 0 <= count <= 32 * <int64_t>blocks.shape[0]:
            raise GraphFormatError(f"{blocks.shape[0]} blocks cannot hold {count} strings.")
        self.text, self.blocks = coded, blocks
        self.coded = Coded(NULL, NULL, coded.shape[0], (count + 31) // 32, count)
        if coded.shape[0]:
            self.coded.data = &coded[0]
        if blocks.shape[0]:
            self.coded.blocks = &blocks[0]

    def get(self, int64_t index):
        """The string at `index`."""
        cdef uint8_t* key = NULL
        cdef size_t room = 0
        cdef int64_t size, at
        try:
            size = read_key(&self.coded, index, &key, &room, &at)
            return key[:size]
        finally:
            free(key)

    def get_many(self, const uint32_t[::1] indices):
        """The strings at many indices, packed: their bytes and ends."""
        return self.pack(indices, spelling=False)

    def spell(self, const uint32_t[::1] indices):
        """The names of the pages with the sort keys at these indices, packed."""
        return self.pack(indices, spelling=True)

    cdef pack(self, const uint32_t[::1] indices, bint spelling):
        """Many strings, or the names with these sort keys: their bytes and ends.

        Consecutive strings of a block are decoded in one pass.
        """
        cdef int64_t count = indices.shape[0], i, index, before = -1
        cdef int64_t size = 0, written = 0, at = 0
        stops = np.zeros(count + 1, np.uint64)
        cdef uint64_t[::1] ends = stops
        cdef uint8_t* key = NULL
        cdef uint8_t* text = NULL
        cdef size_t key_room = 0, room = 0
        try:
            with nogil:
                for i in range(count):
                    index = indices[i]
                    if (
                        before < 0
                        or index < before
                        or index // 32 != before // 32
                        or index >= self.coded.count
                    ):
                        size = read_key(&self.coded, index, &key, &key_room, &at)
                        before = index
                    while before < index:
                        size = read_next(&self.coded, &at, size, &key, &key_room)
                        before += 1
                    grow(<void**>&text, &room, written + size + 16, 1)
                    if spelling:
                        written += write_name(key, size, text + written)
                    else:
                        memcpy(text + written, key, size)
                        written += size
                    ends[i + 1] = written
            return np.frombuffer(text[:written], np.uint8), stops
        finally:
            free(key)
            free(text)

    def url(self, int64_t index):
        """The name of the page with the sort key at `index`."""
        cdef _NameBuffer buffer = _NameBuffer()
        return buffer.of(&self.coded, index)

    def urls(self, const uint32_t[::1] indices):
        """The names of the pages with the sort keys at these indices."""
        cdef int64_t count = indices.shape[0], i
        cdef _NameBuffer buffer = _NameBuffer()
        for i in range(count):
            if indices[i] >= self.coded.count:
                raise IndexError(f"no string {indices[i]} of {self.coded.count}")
            PREFETCH(self.coded.blocks + indices[i] // 32)
        for i in range(count):
            PREFETCH(self.coded.data + start_of(&self.coded, indices[i] // 32))
            PREFETCH(self.coded.data + start_of(&self.coded, indices[i] // 32) + 64)
        return [buffer.of(&self.coded, indices[i]) for i in range(count)]

    def find(self, bytes key):
        """The index of `key` or, if it is absent, -1 minus its insertion index."""
        return self.place(key, len(key))

    def find_many(self, const uint8_t[::1] text, const uint64_t[::1] ends):
        """`find` for many packed keys."""
        cdef int64_t wanted = ends.shape[0] - 1, i
        found = np.empty(max(wanted, 0), np.int64)
        cdef int64_t[::1] indices = found
        cdef const uint8_t* data = &text[0] if text.shape[0] else NULL
        with nogil:
            for i in range(wanted):
                indices[i] = self.place(data + ends[i], ends[i + 1] - ends[i])
        return found

    cdef int64_t place(self, const uint8_t* key, int64_t size) except? -2 nogil:
        cdef int64_t found = -1
        if self.coded.count:
            found = search(&self.coded, key, size)
        if found == NOWHERE:
            raise_damaged()
        return found
