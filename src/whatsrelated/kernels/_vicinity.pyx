# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""A set of pages that grows around a question, and the links between its pages.

Pages are numbered in the order in which they come in: their *places*.  A hash
table gives the place of a page; when the links are read, a bit filter in front
of it turns nearly every link away that leaves the set.  What will be read is
asked of the memory a few pages ahead.

One object serves one question after another, of one thread: it keeps its
memory, and none of it is as large as the graph.
"""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from whatsrelated.kernels._memory cimport AHEAD, FAR, NEAR, ask_ahead, copied, grow, mixed


cdef int emptied(Table *table, size_t expected) except -1 nogil:
    """A table with room for twice as many keys as expected, and nothing in it."""
    table.shift = 26
    while table.shift > 0 and (<size_t>1 << (32 - table.shift)) < 2 * expected:
        table.shift -= 1
    table.size = <size_t>1 << (32 - table.shift)
    grow(<void **>&table.slots, &table.room, table.size, sizeof(Slot))
    memset(table.slots, 0, table.size * sizeof(Slot))
    return 0


cdef inline Slot *slot_of(Table *table, uint32_t key) noexcept nogil:
    """The slot that holds the key, or the free one where it belongs."""
    cdef size_t at = mixed(key) >> table.shift
    while table.slots[at].value and table.slots[at].key != key:
        at = (at + 1) & (table.size - 1)
    return &table.slots[at]


cdef class Vicinity:
    """Pages and the links between them; memory is kept from one question to the next."""

    def __dealloc__(self):
        free(self.pages)
        free(self.roles)
        free(self.numbers)
        free(self.starts)
        free(self.targets)
        free(self.filter)
        free(self.places.slots)
        free(self.sites.slots)

    def __len__(self):
        return self.count

    def clear(self, size_t expected):
        """Forget the pages; `expected` is about how many will come."""
        self.forget(expected)

    cdef int forget(self, size_t expected) except -1 nogil:
        self.count = 0
        return emptied(&self.places, expected)

    cdef int put(self, uint32_t page, uint8_t role) except -1 nogil:
        cdef size_t place
        cdef Slot *slot = slot_of(&self.places, page)
        if slot.value:
            self.roles[slot.value - 1] |= role
            return 0
        if self.count == self.pages_room:
            grow(<void **>&self.pages, &self.pages_room, self.count + 64, sizeof(uint32_t))
        if self.count == self.roles_room:
            grow(<void **>&self.roles, &self.roles_room, self.count + 64, sizeof(uint8_t))
        self.pages[self.count] = page
        self.roles[self.count] = role
        self.count += 1
        slot.key = page
        slot.value = <uint32_t>self.count
        if 4 * self.count > 3 * self.places.size:
            emptied(&self.places, 2 * self.count)
            for place in range(self.count):
                slot = slot_of(&self.places, self.pages[place])
                slot.key = self.pages[place]
                slot.value = <uint32_t>place + 1
        return 0

    def add(self, const uint32_t[::1] pages, uint8_t role, const uint32_t[::1] leave_out):
        """Take these pages in, but for those of `leave_out` (ascending)."""
        with nogil:
            self.take(pages, role, leave_out)

    cdef int take(
        self, const uint32_t[::1] pages, uint8_t role, const uint32_t[::1] leave_out
    ) except -1 nogil:
        cdef Py_ssize_t i
        for i in range(pages.shape[0]):
            if not among(pages[i], leave_out):
                self.put(pages[i], role)
        return 0

    def add_windows(
        self,
        const uint64_t[::1] out_offsets,
        const uint32_t[::1] out_links,
        uint32_t page,
        const uint32_t[::1] parents,
        int64_t width,
        uint8_t role,
        const uint32_t[::1] leave_out,
    ):
        """Take in what the parents link to around their link to `page`.

        `width` links, half on each side; all where the parent has no more, or
        where `width` is negative.
        """
        with nogil:
            self.take_windows(out_offsets, out_links, page, parents, width, role, leave_out)

    cdef int take_windows(
        self,
        const uint64_t[::1] out_offsets,
        const uint32_t[::1] out_links,
        uint32_t page,
        const uint32_t[::1] parents,
        int64_t width,
        uint8_t role,
        const uint32_t[::1] leave_out,
    ) except -1 nogil:
        cdef Py_ssize_t i, n = parents.shape[0]
        cdef uint64_t start, end, at, first, last
        cdef uint64_t side = <uint64_t>(width // 2) if width > 0 else 0
        if n == 0 or out_links.shape[0] == 0:
            return 0
        cdef const uint32_t *links = &out_links[0]
        for i in range(n):
            if i + FAR < n:
                AHEAD(&out_offsets[parents[i + FAR]])
            if i + NEAR < n:
                AHEAD(&links[out_offsets[parents[i + NEAR]]])
            start, end = out_offsets[parents[i]], out_offsets[parents[i] + 1]
            first, last = start, end
            if width >= 0 and end - start > <uint64_t>width + 1:
                at = found(links, start, end, page)
                if at < end:
                    first = at - side if at - start > side else start
                    last = at + side + 1 if end - at > side + 1 else end
            for at in range(first, last):
                if links[at] != page and not among(links[at], leave_out):
                    self.put(links[at], role)
        return 0

    def add_best_parents(
        self,
        const uint64_t[::1] in_offsets,
        const uint32_t[::1] in_links,
        const uint32_t[::1] pages,
        int64_t most,
        uint8_t role,
        const uint32_t[::1] leave_out,
        const uint32_t[::1] apart,
    ):
        """Take in, of each page, the first `most` that link to it and may be taken.

        A page of `leave_out` or `apart` (a few) is not taken; one of `leave_out` is not asked.
        """
        with nogil:
            self.take_best_parents(in_offsets, in_links, pages, most, role, leave_out, apart)

    cdef int take_best_parents(
        self,
        const uint64_t[::1] in_offsets,
        const uint32_t[::1] in_links,
        const uint32_t[::1] pages,
        int64_t most,
        uint8_t role,
        const uint32_t[::1] leave_out,
        const uint32_t[::1] apart,
    ) except -1 nogil:
        cdef Py_ssize_t i, n = pages.shape[0]
        cdef uint64_t at
        cdef int64_t taken
        if n == 0 or in_links.shape[0] == 0:
            return 0
        cdef const uint32_t *links = &in_links[0]
        for i in range(n):
            if i + FAR < n:
                AHEAD(&in_offsets[pages[i + FAR]])
            if i + NEAR < n:
                AHEAD(&links[in_offsets[pages[i + NEAR]]])
            if among(pages[i], leave_out):
                continue
            taken = 0
            at = in_offsets[pages[i]]
            while taken < most and at < in_offsets[pages[i] + 1]:
                if not among(links[at], leave_out) and not one_of(links[at], apart):
                    self.put(links[at], role)
                    taken += 1
                at += 1
        return 0

    def members(self):
        """The pages by place, and their roles."""
        return (
            np.frombuffer(copied(self.pages, self.count, sizeof(uint32_t)), np.uint32),
            np.frombuffer(copied(self.roles, self.count, sizeof(uint8_t)), np.uint8),
        )

    def graph(
        self,
        const uint64_t[::1] out_offsets,
        const uint32_t[::1] out_links,
        const uint32_t[::1] sites,
    ):
        """The site numbers of the places, and the links between them: row starts, and the rows.

        Sites are numbered from 0 in the order of their first pages, and links
        within one are left out; where `sites` is None there are none.
        """
        cdef bint sited = sites is not None
        with nogil:
            if sited:
                self.number_sites(sites)
            self.find_links(out_offsets, out_links, sited)
        return (
            np.frombuffer(copied(self.numbers, self.count, sizeof(uint32_t)), np.uint32) if sited else None,
            np.frombuffer(copied(self.starts, self.count + 1, sizeof(int64_t)), np.int64),
            np.frombuffer(copied(self.targets, self.starts[self.count], sizeof(uint32_t)), np.uint32),
        )

    cdef int number_sites(self, const uint32_t[::1] sites) except -1 nogil:
        cdef size_t place, size = self.count
        cdef uint32_t known = 0
        cdef Slot *slot
        grow(<void **>&self.numbers, &self.numbers_room, size, sizeof(uint32_t))
        emptied(&self.sites, size)
        for place in range(size):
            if place + FAR < size:
                AHEAD(&sites[self.pages[place + FAR]])
            slot = slot_of(&self.sites, sites[self.pages[place]])
            if not slot.value:
                known += 1
                slot.key = sites[self.pages[place]]
                slot.value = known
            self.numbers[place] = slot.value - 1
        return 0

    cdef int find_links(
        self, const uint64_t[::1] out_offsets, const uint32_t[::1] out_links, bint sited
    ) except -1 nogil:
        cdef size_t place, j, many = 0, kept, here, size = self.count
        cdef uint64_t start, end, mask
        cdef uint32_t other
        cdef uint32_t *row
        grow(<void **>&self.starts, &self.starts_room, size + 1, sizeof(int64_t))
        memset(self.starts, 0, (size + 1) * sizeof(int64_t))
        if size == 0 or out_links.shape[0] == 0:
            return 0
        cdef const uint32_t *links = &out_links[0]
        mask = self.make_filter()
        for place in range(size):
            if place + FAR < size:
                AHEAD(&out_offsets[self.pages[place + FAR]])
            if place + NEAR < size:
                start = out_offsets[self.pages[place + NEAR]]
                ask_ahead(links + start, out_offsets[self.pages[place + NEAR] + 1] - start)
            start, end = out_offsets[self.pages[place]], out_offsets[self.pages[place] + 1]
            grow(
                <void **>&self.targets, &self.targets_room,
                many + (end - start), sizeof(uint32_t),
            )
            row = self.targets + many
            kept = sifted(links + start, end - start, self.filter, mask, row)
            here = 0
            for j in range(kept):
                other = slot_of(&self.places, row[j]).value
                if other and not (sited and self.numbers[other - 1] == self.numbers[place]):
                    row[here] = other - 1
                    here += 1
            many += here
            self.starts[place + 1] = <int64_t>many
        return 0

    def crossings(
        self,
        const uint64_t[::1] offsets,
        const uint32_t[::1] links,
        const uint32_t[::1] rows,
        const uint32_t[::1] row_numbers,
        const uint32_t[::1] place_numbers,
    ):
        """Which rows link to which places, after both were numbered, each pair once.

        Rows of one number stand together.  Where `place_numbers` is None a place
        is its own number.  Two arrays, in the order of the rows.
        """
        cdef bint numbered = place_numbers is not None
        cdef size_t i, j, n = rows.shape[0], many = 0, kept, here, most = self.count
        cdef uint64_t start, end, mask
        cdef uint32_t place
        if n == 0 or self.count == 0 or links.shape[0] == 0:
            return np.empty(0, np.uint32), np.empty(0, np.uint32)
        if numbered:
            most = <size_t>np.max(place_numbers) + 1
        met = np.full(most, 0xFFFFFFFF, np.uint32)
        cdef uint32_t[::1] last = met
        counts = np.zeros(n, np.int64)
        cdef int64_t[::1] to_counts = counts
        cdef uint32_t *row
        with nogil:
            mask = self.make_filter()
            for i in range(n):
                if i + FAR < n:
                    AHEAD(&offsets[rows[i + FAR]])
                if i + NEAR < n:
                    start = offsets[rows[i + NEAR]]
                    ask_ahead(&links[0] + start, offsets[rows[i + NEAR] + 1] - start)
                start, end = offsets[rows[i]], offsets[rows[i] + 1]
                grow(
                    <void **>&self.targets, &self.targets_room,
                    many + (end - start), sizeof(uint32_t),
                )
                row = self.targets + many
                kept = sifted(&links[0] + start, end - start, self.filter, mask, row)
                here = 0
                for j in range(kept):
                    place = slot_of(&self.places, row[j]).value
                    if not place:
                        continue
                    place = place_numbers[place - 1] if numbered else place - 1
                    if last[place] != row_numbers[i]:
                        last[place] = row_numbers[i]
                        row[here] = place
                        here += 1
                many += here
                to_counts[i] = <int64_t>here
        places = np.frombuffer(copied(self.targets, many, sizeof(uint32_t)), np.uint32)
        return np.repeat(row_numbers, counts), places

    cdef uint64_t make_filter(self) except 0 nogil:
        """A bit for each page, sixty-four times as many bits as pages; returns its mask."""
        cdef size_t place, bits = 64
        while bits < 64 * self.count:
            bits *= 2
        grow(<void **>&self.filter, &self.filter_room, bits // 64, sizeof(uint64_t))
        memset(self.filter, 0, bits // 8)
        for place in range(self.count):
            self.filter[(self.pages[place] & (bits - 1)) >> 6] |= (
                <uint64_t>1 << (self.pages[place] & 63)
            )
        return bits - 1


cdef inline size_t sifted(
    const uint32_t *links, uint64_t count, const uint64_t *filter, uint64_t mask, uint32_t *into
) noexcept nogil:
    """The links that the filter lets through: nearly all that stay, few others; no branch."""
    cdef uint64_t at, link
    cdef size_t kept = 0
    for at in range(count):
        link = links[at]
        into[kept] = <uint32_t>link
        kept += (filter[(link & mask) >> 6] >> (link & 63)) & 1
    return kept


cdef inline bint among(uint32_t page, const uint32_t[::1] pages) noexcept nogil:
    """Whether the page is one of these, which ascend."""
    cdef Py_ssize_t low = 0, high = pages.shape[0], middle
    while low < high:
        middle = (low + high) // 2
        if pages[middle] < page:
            low = middle + 1
        else:
            high = middle
    return low < pages.shape[0] and pages[low] == page


cdef inline bint one_of(uint32_t page, const uint32_t[::1] pages) noexcept nogil:
    """Whether the page is one of these few."""
    cdef Py_ssize_t i
    for i in range(pages.shape[0]):
        if pages[i] == page:
            return True
    return False


cdef inline uint64_t found(
    const uint32_t *links, uint64_t start, uint64_t end, uint32_t page
) noexcept nogil:
    """Where the page stands among links[start:end], or `end`."""
    cdef uint64_t at = start
    cdef uint32_t hit
    cdef int i
    while at + 16 <= end:
        hit = 0
        for i in range(16):
            hit |= links[at + i] == page
        if hit:
            break
        at += 16
    while at < end and links[at] != page:
        at += 1
    return at
