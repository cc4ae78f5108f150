# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""A set of pages that grows around a query, and the links between its pages.

Pages are numbered as they are added; the number is their *place*.  A hash table gives
the place of a page; a bit filter in front of it rejects nearly every link that leaves
the set.  Links are prefetched a few pages ahead.

One object serves all queries of a thread, one after another. Its memory is kept between queries and
does not grow with the graph.
"""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from whatsrelated.kernels.shared._limits cimport Watch, begin_row, begin_watch, look
from whatsrelated.kernels.shared._links cimport (
    Adjacency, Links, Pages, Span, Window, request_first_links, request_rows,
    first_links_of, links_of, prefetch_ahead, prefetch_rows, span_of, window_around,
)
from whatsrelated.kernels.shared._memory cimport FAR, PREFETCH, copy_of, grow
from whatsrelated.kernels.shared._number_table cimport (
    clear, free_numbering, insert, number_of, reserve, slot_of
)

cdef enum:
    PIECE = 1 << 16          # links of a row read at once
    MOST_EXPECTED = 1 << 20  # maximum initial room, in pages


cdef class Vicinity:
    """Pages and the links between them; the memory is kept from one query to the next."""

    def __cinit__(self):
        reserve(&self.places, 0)

    def __dealloc__(self):
        free_numbering(&self.places)
        free_numbering(&self.sites)
        free(self.roles)
        free(self.site_numbers)
        free(self.starts)
        free(self.targets)
        free(self.filter)

    def __len__(self):
        return self.places.count

    def clear(self, size_t expected):
        """Forget the pages; `expected` is an estimate of the number of pages to come."""
        self.forget(expected)

    cdef int forget(self, size_t expected) except -1 nogil:
        clear(&self.places)
        return reserve(&self.places, min(expected, <size_t>MOST_EXPECTED))

    cdef int put(self, uint32_t page, uint8_t role) except -1 nogil:
        cdef uint32_t *slot = slot_of(&self.places, page)
        cdef size_t place
        if slot[0]:
            self.roles[slot[0] - 1] |= role
            return 0
        place = insert(&self.places, slot, page)
        grow(<void **>&self.roles, &self.roles_room, place + 1, sizeof(uint8_t))
        self.roles[place] = role
        return 0

    def add(self, Pages pages, uint8_t role, Pages stop):
        """Add these pages, except those in `stop` (ascending)."""
        with nogil:
            self.put_all(span_of(pages), role, span_of(stop))

    cdef int put_all(self, Span pages, uint8_t role, Span stop) except -1 nogil:
        cdef size_t i
        cdef Watch watch = begin_watch()
        begin_row(&watch, &pages.count, self.places.count, watch.pages)
        for i in range(pages.count):
            if not is_in(pages.pages[i], stop):
                self.put(pages.pages[i], role)
        return 0

    def add_windows(
        self, Links links, uint32_t page, Pages parents, int64_t width, uint8_t role, Pages stop
    ):
        """Add the pages that the parents link to around their link to `page`.

        Takes `width` links, half on each side, or all links if there are no more than that or
        `width` is negative.
        """
        with nogil:
            self.put_windows(links, page, span_of(parents), width, role, span_of(stop))

    cdef int put_windows(
        self, Links links, uint32_t page, Span parents, int64_t width, uint8_t role, Span stop
    ) except -1 nogil:
        cdef size_t i
        cdef uint64_t at
        cdef uint32_t link
        cdef Span row
        cdef Window window
        cdef size_t size
        cdef Watch watch = begin_watch()
        request_rows(&links.children, parents)
        for i in range(parents.count):
            prefetch_ahead(&links.children, parents, i)
            row = links_of(&links.children, parents.pages[i])
            look(&watch, row.count)
            window = window_around(row, page, width)
            size = window.last - window.first
            begin_row(&watch, &size, self.places.count, watch.pages)
            window.last = window.first + size
            for at in range(window.first, window.last):
                link = row.pages[at]
                if link != page and not is_in(link, stop):
                    self.put(link, role)
        return 0

    def add_best_parents(
        self, Links links, Pages pages, int64_t most, uint8_t role, Pages stop, Pages apart
    ):
        """Add the first `most` parents of each page, ignoring those in `stop` or `apart`.

        Pages in `stop` are skipped; `apart` should be short.
        """
        with nogil:
            self.put_best_parents(
                links, span_of(pages), most, role, span_of(stop), span_of(apart)
            )

    cdef int put_best_parents(
        self, Links links, Span pages, int64_t most, uint8_t role, Span stop, Span apart
    ) except -1 nogil:
        cdef size_t i, at, taken, size
        cdef uint32_t parent
        cdef Span row
        cdef Watch watch = begin_watch()
        request_first_links(&links.parents, pages, most)
        for i in range(pages.count):
            prefetch_ahead(&links.parents, pages, i)
            if is_in(pages.pages[i], stop):
                continue
            row = first_links_of(&links.parents, pages.pages[i], <uint64_t>max(most, 0))
            size = min(row.count, <size_t>max(most, 0))
            begin_row(&watch, &size, self.places.count, watch.pages)
            taken = at = 0
            while taken < size:
                if at == row.count:  # some were skipped: read twice as many
                    row = first_links_of(&links.parents, pages.pages[i], 2 * at)
                    if at == row.count:
                        break
                parent = row.pages[at]
                if not is_in(parent, stop) and not is_one_of(parent, apart):
                    self.put(parent, role)
                    taken += 1
                at += 1
        return 0

    def members(self):
        """The pages by place, and their roles."""
        cdef size_t count = self.places.count
        return (
            np.frombuffer(copy_of(self.places.keys, count, sizeof(uint32_t)), np.uint32),
            np.frombuffer(copy_of(self.roles, count, sizeof(uint8_t)), np.uint8),
        )

    def graph(self, Links links, Pages sites):
        """The site numbers of the places, and the links between places: row starts and rows.

        Sites are numbered from 0 in order of appearance, and links within a site are left
        out; `sites` is None if there are no sites.
        """
        cdef bint sited = sites is not None
        cdef size_t count = self.places.count
        with nogil:
            if sited:
                self.number_sites(sites)
            self.find_links(links, sited)
        numbers = copy_of(self.site_numbers, count if sited else 0, sizeof(uint32_t))
        targets = copy_of(self.targets, self.starts[count], sizeof(uint32_t))
        return (
            np.frombuffer(numbers, np.uint32) if sited else None,
            np.frombuffer(copy_of(self.starts, count + 1, sizeof(int64_t)), np.int64),
            np.frombuffer(targets, np.uint32),
        )

    cdef int number_sites(self, Pages sites) except -1 nogil:
        cdef size_t place, size = self.places.count
        cdef const uint32_t *pages = self.places.keys
        grow(<void **>&self.site_numbers, &self.sites_room, size, sizeof(uint32_t))
        clear(&self.sites)
        reserve(&self.sites, size)
        for place in range(size):
            if place + FAR < size:
                PREFETCH(&sites[pages[place + FAR]])
            self.site_numbers[place] = <uint32_t>number_of(&self.sites, sites[pages[place]])
        return 0

    cdef int find_links(self, Links links, bint sited) except -1 nogil:
        """Write the rows of the places: `starts` and `targets`."""
        cdef size_t place, j, many = 0, members, kept, size = self.places.count
        cdef uint64_t mask
        cdef uint32_t other
        cdef uint32_t *row
        cdef Span pages = Span(self.places.keys, size), rest
        cdef Watch watch = begin_watch()
        grow(<void **>&self.starts, &self.starts_room, size + 1, sizeof(int64_t))
        self.starts[0] = 0
        mask = self.make_filter()
        request_rows(&links.children, pages)
        for place in range(size):
            prefetch_rows(&links.children, pages, place)
            rest = links_of(&links.children, pages.pages[place])
            while rest.count:
                members = keep_members(self, &rest, mask, many, &watch)
                row, kept = self.targets + many, 0
                for j in range(members):
                    other = slot_of(&self.places, row[j])[0]
                    if other and not (
                        sited and self.site_numbers[other - 1] == self.site_numbers[place]
                    ):
                        row[kept] = other - 1
                        kept += 1
                many += kept
            self.starts[place + 1] = <int64_t>many
        return 0

    def crossings(
        self, Links links, Pages rows, Pages row_numbers, Pages place_numbers, bint backward
    ):
        """Which rows link to which places, as distinct pairs of numbers.

        If `backward`, the places link to the rows. Rows with the same number are adjacent. If
        `place_numbers` is None, places are their own numbers. Returns two arrays, in the order of
        the rows.
        """
        cdef const Adjacency *linked = &links.parents if backward else &links.children
        cdef bint numbered = place_numbers is not None
        cdef Span span = span_of(rows), rest
        cdef size_t i, j, many = 0, members, kept, before, most = self.places.count
        cdef Watch watch = begin_watch()
        cdef uint64_t mask
        cdef uint32_t place
        cdef uint32_t *row
        if span.count == 0 or self.places.count == 0:
            return np.empty(0, np.uint32), np.empty(0, np.uint32)
        if numbered:
            most = <size_t>np.max(place_numbers) + 1
        cdef uint32_t[::1] last = np.full(most, 0xFFFFFFFF, np.uint32)  # last row with a link to a number
        counts = np.zeros(span.count, np.int64)
        cdef int64_t[::1] to_counts = counts
        with nogil:
            mask = self.make_filter()
            request_rows(linked, span)
            for i in range(span.count):
                prefetch_rows(linked, span, i)
                rest, before = links_of(linked, span.pages[i]), many
                while rest.count:
                    members = keep_members(self, &rest, mask, many, &watch)
                    row, kept = self.targets + many, 0
                    for j in range(members):
                        place = slot_of(&self.places, row[j])[0]
                        if not place:
                            continue
                        place = place_numbers[place - 1] if numbered else place - 1
                        if last[place] != row_numbers[i]:
                            last[place] = row_numbers[i]
                            row[kept] = place
                            kept += 1
                    many += kept
                to_counts[i] = <int64_t>(many - before)
        places = np.frombuffer(copy_of(self.targets, many, sizeof(uint32_t)), np.uint32)
        return np.repeat(row_numbers, counts), places

    cdef uint64_t make_filter(self) except 0 nogil:
        """Set one bit per page in a filter of at least 64 bits per page; return its mask."""
        cdef size_t place, bits = 64, count = self.places.count
        cdef uint32_t page
        while bits < 64 * count:
            bits *= 2
        grow(<void **>&self.filter, &self.filter_room, bits // 64, sizeof(uint64_t))
        memset(self.filter, 0, bits // 8)
        for place in range(count):
            page = self.places.keys[place]
            self.filter[(page & (bits - 1)) >> 6] |= <uint64_t>1 << (page & 63)
        return bits - 1


cdef inline size_t keep_members(
    Vicinity vicinity, Span *rest, uint64_t mask, size_t at, Watch *watch
) except? 0xFFFFFFFF nogil:
    """Write the next links of a row that pass the filter to `targets` from `at`; return their
    number.

    All links to places pass, and few others. The loop has no branch. Advances `rest`.
    """
    cdef const uint64_t *filter = vicinity.filter
    cdef uint64_t link
    cdef uint32_t *into
    cdef size_t i, kept = 0, size = min(rest.count, <size_t>PIECE)
    if at >= watch.links:
        begin_row(watch, &rest.count, at, watch.links)
        return 0
    look(watch, size)
    grow(<void **>&vicinity.targets, &vicinity.targets_room, at + size, sizeof(uint32_t))
    into = vicinity.targets + at
    for i in range(size):
        link = rest.pages[i]
        into[kept] = <uint32_t>link
        kept += (filter[(link & mask) >> 6] >> (link & 63)) & 1
    rest.pages += size
    rest.count -= size
    return kept


cdef inline bint is_in(uint32_t page, Span ascending) noexcept nogil:
    cdef size_t low = 0, high = ascending.count, middle
    while low < high:
        middle = (low + high) // 2
        if ascending.pages[middle] < page:
            low = middle + 1
        else:
            high = middle
    return low < ascending.count and ascending.pages[low] == page


cdef inline bint is_one_of(uint32_t page, Span few) noexcept nogil:
    cdef size_t i
    for i in range(few.count):
        if few.pages[i] == page:
            return True
    return False
