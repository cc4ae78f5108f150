# distutils: language=c++
# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""Registrable domains of sorted keys: the compiled twin of `domains.py`."""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp
from libcpp.vector cimport vector

cdef enum:
    EXACT = 1
    WILDCARD = 2
    EXCEPTION = 4
    COMMA = 44


cdef struct Slot:
    uint64_t hash
    int64_t start, size
    int bits


cdef inline uint8_t lower(uint8_t byte) noexcept nogil:
    return byte + 32 if 65 <= byte <= 90 else byte


cdef inline uint64_t mix(uint64_t hash, uint8_t byte) noexcept nogil:
    return (hash ^ byte) * <uint64_t>1099511628211


cdef class SuffixRules:
    """The rules of the public suffix list: reversed suffixes and their bits."""

    cdef vector[Slot] slots
    cdef vector[uint8_t] text
    cdef uint64_t mask

    def __init__(self, rules):
        cdef dict all_rules = dict(rules)
        cdef bytes rule
        for rule in rules:
            labels = rule.split(b",")
            for count in range(1, len(labels)):
                all_rules.setdefault(b",".join(labels[:count]), 0)
        size = 16
        while size < 4 * len(all_rules):
            size *= 2
        self.slots.resize(size)
        self.mask = size - 1
        for rule, bits in all_rules.items():
            self.insert(rule, bits)

    cdef void insert(self, bytes rule, int bits):
        cdef uint64_t hash = 14695981039346656037u
        cdef uint8_t byte
        cdef uint64_t place
        for byte in rule:
            hash = mix(hash, byte)
        place = hash & self.mask
        while self.slots[place].size:
            place = (place + 1) & self.mask
        self.slots[place] = Slot(hash, self.text.size(), len(rule), bits)
        for byte in rule:
            self.text.push_back(byte)

    cdef int bits_of(self, const uint8_t* prefix, int64_t size, uint64_t hash) noexcept nogil:
        """The bits of a prefix; -1 if no rule starts with it."""
        cdef uint64_t place = hash & self.mask
        cdef int64_t i
        while self.slots[place].size:
            if self.slots[place].hash == hash and self.slots[place].size == size:
                for i in range(size):
                    if self.text[self.slots[place].start + i] != lower(prefix[i]):
                        break
                else:
                    return self.slots[place].bits
            place = (place + 1) & self.mask
        return -1

    cdef int64_t domain_size(self, const uint8_t* host, int64_t size) noexcept nogil:
        """The length in bytes of the domain within a reversed host."""
        cdef int64_t first = 1 if size and host[0] == COMMA else 0
        cdef int64_t i, labels = 1, public = 1, count = 0
        cdef uint64_t hash = 14695981039346656037u
        cdef int bits
        if first == size or host[first] == COMMA or host[size - 1] == COMMA:
            return size
        for i in range(first + 1, size):
            if host[i] == COMMA:
                labels += 1
                if host[i - 1] == COMMA:
                    return size
        if labels == 1:
            return size
        for i in range(first, size + 1):
            if i == size or host[i] == COMMA:
                count += 1
                bits = self.bits_of(host + first, i - first, hash)
                if bits < 0:
                    break
                if bits & EXCEPTION:
                    public = count - 1
                elif bits & WILDCARD:
                    public = min(count + 1, labels)
                elif bits & EXACT:
                    public = count
                if i == size:
                    break
            hash = mix(hash, lower(host[i]))
        if labels <= public:
            return size
        count = 0
        for i in range(first, size):
            if host[i] == COMMA:
                count += 1
                if count == public + 1:
                    return i
        return size

    def domains(self, const uint8_t[::1] text, const uint64_t[::1] ends, const uint32_t[::1] sizes,
                bytes before):
        """The length of each key's domain, and whether it differs from the key before."""
        cdef int64_t count = max(ends.shape[0] - 1, 0), i, size, last_size = len(before), j
        cdef int64_t last_host = 0  # length of the last host; 0 if there is no key yet
        found = np.zeros(count, np.uint32)
        changed = np.ones(count, np.bool_)
        cdef uint32_t[::1] lengths = found
        cdef uint8_t[::1] changes = changed.view(np.uint8)
        cdef const uint8_t* last = before
        cdef const uint8_t* key
        with nogil:
            for i in range(count):
                size = 0
                if sizes[i]:
                    key = &text[ends[i]]
                    if last_host == sizes[i] and memcmp(key, last, last_host) == 0:
                        lengths[i] = <uint32_t>last_size
                        changes[i] = 0
                        continue
                    size = self.domain_size(key, sizes[i])
                    last_host = sizes[i]
                    if size == last_size:
                        for j in range(size):
                            if lower(key[j]) != lower(last[j]):
                                break
                        else:
                            changes[i] = 0
                    last = key
                    last_size = size
                lengths[i] = <uint32_t>size
        return found, changed
