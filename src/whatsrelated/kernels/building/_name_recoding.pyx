# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""Rewrite front-coded strings, dropping some and inserting others.

The old code already has the common prefix length of strings that stay neighbours. Bytes are
therefore compared only around changes and at the start of a block. For page names, the first name
of each host is also returned.
"""

cimport cython
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy

import numpy as np

from whatsrelated.errors import GraphFormatError
from whatsrelated.kernels.shared._front_coding cimport Coded, raise_damaged, read_key, read_length, read_suffix, write_length
from whatsrelated.kernels.building._sort_keys cimport port_of
from whatsrelated.kernels.shared._memory cimport copy_of, grow


cdef struct Buffer:
    uint8_t* data
    size_t room
    int64_t size


cdef inline int append(Buffer* buffer, const uint8_t* data, int64_t size) except -1 nogil:
    grow(<void**>&buffer.data, &buffer.room, buffer.size + size + 1, 1)
    memcpy(buffer.data + buffer.size, data, size)
    buffer.size += size
    return 0


cdef int64_t common(const Buffer* one, const uint8_t* other, int64_t size) noexcept nogil:
    """The length of the common prefix of two strings."""
    cdef int64_t shared = 0
    while shared < size and shared < one.size and one.data[shared] == other[shared]:
        shared += 1
    return shared


@cython.final
cdef class Recoder:
    """Merge the `kept` strings of a table with those of `text`; string i goes before places[i]."""

    cdef const uint8_t[::1] coded_text, kept, text
    cdef const uint64_t[::1] coded_blocks, ends
    cdef const int64_t[::1] places
    cdef Coded coded
    cdef Buffer key, last, out, starts, heads, head_text, head_ends
    cdef int64_t page, at, added, written, piece_start, total, host
    cdef int port
    cdef bint hosts, follows  # `follows`: the last string written is in `key`

    def __init__(self, const uint8_t[::1] coded, const uint64_t[::1] blocks, int64_t count,
                 const uint8_t[::1] kept, const uint8_t[::1] text, const uint64_t[::1] ends,
                 const int64_t[::1] places, bint hosts):
        if not 0 <= count <= 32 * <int64_t>blocks.shape[0]:
            raise GraphFormatError(f"{blocks.shape[0]} blocks cannot hold {count} strings.")
        if kept.shape[0] != count or ends.shape[0] != places.shape[0] + 1:
            raise ValueError("not a flag and a place for each string")
        self.coded_text, self.coded_blocks, self.kept = coded, blocks, kept
        self.text, self.ends, self.places, self.hosts = text, ends, places, hosts
        self.coded = Coded(NULL, NULL, coded.shape[0], (count + 31) // 32, count)
        if coded.shape[0]:
            self.coded.data = &coded[0]
        if blocks.shape[0]:
            self.coded.blocks = &blocks[0]

    def __dealloc__(self):
        free(self.key.data)
        free(self.last.data)
        free(self.out.data)
        free(self.starts.data)
        free(self.heads.data)
        free(self.head_text.data)
        free(self.head_ends.data)

    def piece(self, int64_t high):
        """Write the strings up to position `high` of the table.

        At its end, also those that come after it.
        """
        cdef uint64_t nothing = 0
        self.piece_start = self.written
        self.out.size = self.starts.size = self.heads.size = self.head_text.size = self.head_ends.size = 0
        append(&self.head_ends, <uint8_t*>&nothing, sizeof(uint64_t))
        with nogil:
            while self.page < high:
                self.add_to(self.page)
                self.read_next()
                self.page += 1
            if high == self.coded.count:
                self.add_to(high)
        self.total += self.out.size
        return (
            np.frombuffer(copy_of(self.out.data, self.out.size, 1), np.uint8),
            np.frombuffer(copy_of(self.starts.data, self.starts.size, 1), np.uint64),
            self.written - self.piece_start,
            np.frombuffer(copy_of(self.heads.data, self.heads.size, 1), np.int64),
            np.frombuffer(copy_of(self.head_text.data, self.head_text.size, 1), np.uint8),
            np.frombuffer(copy_of(self.head_ends.data, self.head_ends.size, 1), np.uint64),
        )

    cdef int add_to(self, int64_t place) except -1 nogil:
        """Write the new strings that come before a place."""
        cdef const uint8_t* string
        cdef int64_t size
        while self.added < self.places.shape[0] and self.places[self.added] <= place:
            string = &self.text[0] + self.ends[self.added]
            size = self.ends[self.added + 1] - self.ends[self.added]
            self.leave()
            self.write(string, size, common(&self.last, string, size))
            self.last.size = 0
            append(&self.last, string, size)
            self.added += 1
        return 0

    cdef int read_next(self) except -1 nogil:
        """Read the next string of the table, and write it if it is kept."""
        cdef int64_t shared = -1, suffix
        if not self.kept[self.page] or self.page % 32 == 0:
            self.leave()
        if self.page % 32 == 0:
            self.key.size = read_key(&self.coded, self.page, &self.key.data, &self.key.room, &self.at)
        else:
            shared = read_length(&self.coded, &self.at)
            suffix = read_suffix(&self.coded, &self.at)
            if shared < 0 or shared > self.key.size or suffix < 0:
                raise_damaged()
            self.key.size = shared
            append(&self.key, self.coded.data + self.at, suffix)
            self.at += suffix
        if self.kept[self.page]:
            if not self.follows:
                shared = common(&self.last, self.key.data, self.key.size)
            self.write(self.key.data, self.key.size, shared)
            self.follows = True
        return 0

    cdef int leave(self) except -1 nogil:
        """Save the last string written before `key` changes."""
        if self.follows:
            self.last.size = 0
            append(&self.last, self.key.data, self.key.size)
            self.follows = False
        return 0

    cdef int write(self, const uint8_t* string, int64_t size, int64_t shared) except -1 nogil:
        """Write the next string, whose first `shared` bytes match the last one."""
        cdef uint64_t start = self.total + self.out.size
        if self.hosts:
            self.look_at_host(string, size, shared)
        grow(<void**>&self.out.data, &self.out.room, self.out.size + size + 20, 1)
        if self.written % 32 == 0:
            append(&self.starts, <uint8_t*>&start, sizeof(uint64_t))
            shared = 0
        else:
            self.out.size = write_length(self.out.data, self.out.size, shared)
        self.out.size = write_length(self.out.data, self.out.size, size - shared)
        append(&self.out, string + shared, size - shared)
        self.written += 1
        return 0

    cdef int look_at_host(self, const uint8_t* key, int64_t size, int64_t shared) except -1 nogil:
        cdef int64_t place = self.written - self.piece_start
        cdef int port = -1
        cdef bint same = False
        cdef uint64_t end
        if size and 1 <= key[size - 1] <= 4:
            port = port_of(key, size)
            same = 0 < self.host < shared and port == self.port
            if not 0 < self.host < shared:
                self.host = 0
                while self.host < size and key[self.host] != c")":
                    self.host += 1
        else:
            self.host = 0
        self.port = port
        if not same or place == 0:
            append(&self.heads, <uint8_t*>&place, sizeof(int64_t))
            append(&self.head_text, key, size)
            end = self.head_text.size
            append(&self.head_ends, <uint8_t*>&end, sizeof(uint64_t))
        return 0
