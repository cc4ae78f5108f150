# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""A published web graph, page by page: the compiled twin of `bvgraph.py`.

Bits are taken from a 64-bit word loaded at any byte; a value never has more than 56 bits. Reading
past the end, or an impossible list, sets `fault`; the first fault is kept. No count in the file can
make us allocate more than the file can hold.
"""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy

import numpy as np

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    static uint64_t related_word(const uint8_t *bytes, size_t left) {
        uint64_t word = 0;
        size_t i;
    #if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        if (left >= 8) {
            memcpy(&word, bytes, 8);
            return __builtin_bswap64(word);
        }
    #endif
        for (i = 0; i < 8; i++) word = word << 8 | (i < left ? bytes[i] : 0);
        return word;
    }
    static int related_zeros(uint64_t word) {
    #if defined(__GNUC__)
        return __builtin_clzll(word);
    #else
        int zeros = 0;
        while (!(word >> 63)) { word <<= 1; zeros++; }
        return zeros;
    #endif
    }
    """
    uint64_t related_word(const uint8_t *bytes, size_t left) noexcept nogil
    int related_zeros(uint64_t word) noexcept nogil

cdef enum:
    UNARY = 0
    GAMMA
    DELTA
    ZETA
    NIBBLE

cdef enum:
    GOOD = 0
    CUT
    WRONG
    LONGEST = 56

cdef struct List:
    int64_t *pages
    size_t size
    size_t room


cdef class BVGraph:
    """The links of a graph, page by page; `fault` is the reason it ended before `nodes`."""

    cdef readonly uint64_t node
    cdef readonly int fault
    cdef readonly uint64_t position
    cdef const uint8_t[::1] data
    cdef uint64_t n_bits
    cdef uint64_t nodes
    cdef uint64_t arcs_left
    cdef uint64_t window
    cdef uint64_t shortest
    cdef int zeta_k
    cdef int codes[5]
    cdef List *recent           # a ring of the last `window` lists, and the current one
    cdef uint64_t n_recent
    cdef List copied
    cdef List ranges
    cdef List gaps

    def __cinit__(self, *args, **kwargs):
        self.recent = NULL
        self.n_recent = 0
        self.copied = self.ranges = self.gaps = List(NULL, 0, 0)

    def __init__(
        self,
        const uint8_t[::1] data,
        uint64_t nodes,
        uint64_t arcs,
        uint64_t window,
        uint64_t shortest,
        int zeta_k,
        codes,
    ):
        cdef uint64_t i
        if not 1 <= zeta_k <= LONGEST:
            raise ValueError(f"zeta_k must be 1 to {LONGEST}, got {zeta_k}")
        window = min(window, nodes, 8 * <uint64_t>data.shape[0])  # references reach no further back
        self.node = 0
        self.fault = GOOD
        self.position = 0
        self.data = data
        self.n_bits = 8 * <uint64_t>data.shape[0]
        self.nodes = nodes
        self.arcs_left = arcs
        self.window = window
        self.shortest = shortest
        self.zeta_k = zeta_k
        for i in range(5):
            self.codes[i] = codes[i]
        if self.recent == NULL:
            self.recent = <List *>realloc(NULL, (window + 1) * sizeof(List))
            if self.recent == NULL:
                raise MemoryError
            self.n_recent = window + 1
            for i in range(self.n_recent):
                self.recent[i] = List(NULL, 0, 0)

    def __dealloc__(self):
        cdef uint64_t i
        for i in range(self.n_recent):
            free(self.recent[i].pages)
        free(self.recent)
        free(self.copied.pages)
        free(self.ranges.pages)
        free(self.gaps.pages)

    def read(self, size_t room):
        """The links of the next pages, at least `room` of them unless the graph ends."""
        sources = np.empty(room + room // 4 + 64, np.uint64)
        targets = np.empty(len(sources), np.uint64)
        cdef uint64_t[::1] from_view = sources, to_view = targets
        cdef List *links = NULL
        cdef size_t count = 0, size = len(sources), i
        while self.node < self.nodes and count < room and not self.fault:
            with nogil:
                while self.node < self.nodes and count < room:
                    links = &self.recent[self.node % self.n_recent]
                    self.decode(links)
                    if self.fault or count + links.size > size:
                        break
                    for i in range(links.size):
                        from_view[count + i] = self.node
                        to_view[count + i] = links.pages[i]
                    count += links.size
                    self.arcs_left -= links.size
                    self.node += 1
                    links = NULL
            if self.fault or links == NULL:
                continue
            size = count + links.size
            sources = np.concatenate([sources[:count], np.full(links.size, self.node, np.uint64)])
            targets = np.concatenate([targets[:count], np.empty(links.size, np.uint64)])
            from_view, to_view = sources, targets
            memcpy(&to_view[count], links.pages, 8 * links.size)
            count = size
            self.arcs_left -= links.size
            self.node += 1
        return sources[:count].copy(), targets[:count].copy()

    cdef void decode(self, List *links) noexcept nogil:
        """Decode the links of page `node`."""
        cdef uint64_t degree, back = 0, i, gap
        cdef int64_t last, extra
        links.size = self.copied.size = self.ranges.size = self.gaps.size = 0
        degree = self.value(self.codes[0])
        self.require(degree <= self.nodes and degree <= self.arcs_left)
        if self.fault or degree == 0:
            return
        if self.window:
            back = self.value(self.codes[1])
        self.require(back <= self.window and back <= self.node)
        if back and not self.fault:
            self.copy(&self.recent[(self.node - back) % self.n_recent])
        extra = <int64_t>degree - <int64_t>self.copied.size
        self.require(extra >= 0)
        if extra > 0 and self.shortest and not self.fault:
            self.expand(extra)
            extra -= <int64_t>self.ranges.size
        if self.fault:
            return
        if <uint64_t>extra > self.n_bits - self.position:  # a gap takes at least one bit
            self.fault = CUT
            return
        self.grow(&self.gaps, extra)
        last = <int64_t>self.node
        for i in range(<uint64_t>extra):
            gap = self.value(self.codes[4])
            last = last + _unfolded(gap) if i == 0 else last + 1 + <int64_t>gap
            self.require(0 <= last and last < <int64_t>self.nodes)
            if self.fault:
                return
            self.gaps.pages[i] = last
            self.gaps.size += 1
        self.grow(links, degree)
        if not self.fault:
            self.merge(links)

    cdef void copy(self, const List *other) noexcept nogil:
        cdef uint64_t count = self.value(self.codes[2]), i, size, place = 0
        self.require(count <= other.size + 1)
        if self.fault:
            return
        self.grow(&self.copied, other.size)
        for i in range(count):
            size = self.value(self.codes[3]) + (i > 0)
            self.require(place + size <= other.size)
            if self.fault:
                return
            if i % 2 == 0:
                self.append(&self.copied, other.pages + place, size)
            place += size
        if count % 2 == 0:
            self.append(&self.copied, other.pages + place, other.size - place)

    cdef void append(self, List *to, const int64_t *pages, uint64_t size) noexcept nogil:
        if size and not self.fault:
            memcpy(to.pages + to.size, pages, 8 * size)
            to.size += size

    cdef void expand(self, int64_t extra) noexcept nogil:
        """Decode the links in intervals."""
        cdef uint64_t count = self.value(GAMMA), i, gap
        cdef int64_t left, end = <int64_t>self.node, size, page
        self.require(count <= <uint64_t>extra // self.shortest)
        for i in range(count):
            if self.fault:
                return
            gap = self.value(GAMMA)
            left = end + _unfolded(gap) if i == 0 else end + 1 + <int64_t>gap
            size = <int64_t>(self.value(GAMMA) + self.shortest)
            end = left + size
            self.require(
                0 <= left
                and end <= <int64_t>self.nodes
                and <int64_t>self.ranges.size + size <= extra
            )
            if not self.fault:
                self.grow(&self.ranges, self.ranges.size + <uint64_t>size)
            if self.fault:
                return
            for page in range(left, end):
                self.ranges.pages[self.ranges.size] = page
                self.ranges.size += 1

    cdef void merge(self, List *links) noexcept nogil:
        """Merge the three parts in ascending order; no page may occur twice."""
        cdef size_t a = 0, b = 0, c = 0
        cdef size_t n_a = self.copied.size, n_b = self.ranges.size, n_c = self.gaps.size
        cdef int64_t *copied = self.copied.pages
        cdef int64_t *ranges = self.ranges.pages
        cdef int64_t *gaps = self.gaps.pages
        cdef int64_t none = <int64_t>self.nodes, last = -1, first, second, third, page
        first = copied[0] if n_a else none
        second = ranges[0] if n_b else none
        third = gaps[0] if n_c else none
        while True:
            page = min(first, min(second, third))
            if page == none:
                return
            if page <= last:
                self.require(False)
                return
            links.pages[links.size] = page
            links.size += 1
            last = page
            if page == first:
                a += 1
                first = copied[a] if a < n_a else none
            elif page == second:
                b += 1
                second = ranges[b] if b < n_b else none
            else:
                c += 1
                third = gaps[c] if c < n_c else none

    cdef void grow(self, List *links, uint64_t room) noexcept nogil:
        cdef void *larger
        if links.room >= room:
            return
        larger = realloc(links.pages, 8 * (room + room // 2))
        if larger == NULL:
            self.require(False)
            return
        links.pages = <int64_t *>larger
        links.room = room + room // 2

    cdef inline void require(self, bint true) noexcept nogil:
        if not true and not self.fault:
            self.fault = WRONG

    cdef inline uint64_t word(self) noexcept nogil:
        """The next bits, from the highest down; at least 57 are valid."""
        cdef uint64_t place = self.position >> 3
        return related_word(&self.data[0] + place, (self.n_bits >> 3) - place) << (
            self.position & 7
        )

    cdef inline uint64_t take(self, uint64_t size) noexcept nogil:
        """The next `size` bits as a number."""
        cdef uint64_t bits
        if size == 0 or self.fault:
            return 0
        if size > LONGEST or self.position + size > self.n_bits:
            self.fault = WRONG if size > LONGEST else CUT
            return 0
        bits = self.word() >> (64 - size)
        self.position += size
        return bits

    cdef inline uint64_t unary(self) noexcept nogil:
        cdef uint64_t zeros = 0, word
        cdef int run
        if self.fault:
            return 0
        while self.position < self.n_bits:
            word = self.word()
            run = related_zeros(word) if word else 64
            if run < 57:
                if self.position + run >= self.n_bits:
                    break
                self.position += run + 1
                return zeros + run
            zeros += 57
            self.position += 57
        self.position = self.n_bits
        self.fault = CUT
        return 0

    cdef inline uint64_t value(self, int code) noexcept nogil:
        cdef uint64_t size, bits, more
        if code == GAMMA:
            size = self.unary()
            bits = self.take(size)
            return 0 if self.fault else ((<uint64_t>1 << size) | bits) - 1
        if code == ZETA:
            size = self.unary() * self.zeta_k
            bits = self.take(size + self.zeta_k - 1)
            if self.fault:
                return 0
            if bits < <uint64_t>1 << size:
                return bits + (<uint64_t>1 << size) - 1
            return (bits << 1) + self.take(1) - 1
        if code == UNARY:
            return self.unary()
        if code == DELTA:
            size = self.value(GAMMA)
            bits = self.take(size)
            return 0 if self.fault else ((<uint64_t>1 << size) | bits) - 1
        bits = size = 0
        while not self.fault:
            more = self.take(1)
            bits = bits << 3 | self.take(3)
            size += 3
            self.require(size <= LONGEST)
            if more:
                break
        return 0 if self.fault else bits


cdef inline int64_t _unfolded(uint64_t value) noexcept nogil:
    return <int64_t>(value >> 1) if value % 2 == 0 else -<int64_t>((value + 1) >> 1)
