# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""PageSim of one page with all others within three links, but for a stated part of it.

What each source hands out is followed over two links, source by source.  What
it hands on over the third is first bounded, for all sources together, and then
followed too, but only into the pages where that bound is large: the heavy ones.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from whatsrelated.kernels._memory cimport AHEAD, FAR, NEAR, grow
from whatsrelated.kernels._table cimport (
    EMPTY, Slot, Table, ask_for, clear, close_table, held, place, reserve, slot_of,
)

import time

import numpy as np

cdef enum:
    CLOCK = 1 << 15          # links between two looks at the clock
    BATCH = 4096

# How the part that may be lost is shared out: sources that are not followed, small shares
# that are not handed on, and what else a page may get over a third link.
cdef double SOURCES = 0.6, SMALL = 0.1, THIRDS = 0.3

cdef struct Local:           # a page that was met
    double near              # what the source at hand gives it within two links
    double score
    float share              # what it hands to each of its links, over all sources
    uint32_t degree
    int64_t row              # where its links begin in `rows`, -1 before they are read

cdef struct Heavy:           # a page that is followed into over the third link
    uint32_t local
    double gained
    double returning         # the chance that two steps from it lead back to it


cdef class Scratch:
    """One thread's memory: the pages met and their links, numbered as they came; a question."""

    cdef Table numbers       # page -> local number
    cdef Table bounds        # page -> what it may get over a third link
    cdef Local* locals
    cdef uint32_t* names     # local number -> page
    cdef int32_t* lists_at   # local number -> place in `lists`, 0: it links to no heavy page
    cdef int32_t* heavy_at   # local number -> place in `heavy`, -1: it is none
    cdef uint32_t* rows      # links, as local numbers
    cdef uint32_t* touched   # the pages that the source at hand gives something
    cdef Heavy* heavy
    cdef double* thirds      # what the source at hand gives each heavy page over a third link
    cdef uint32_t* given_to  # the heavy pages that it gives something so
    cdef uint32_t* lists     # a count, then the heavy pages that a page links to
    cdef size_t count, n_rows, n_touched, n_heavy
    cdef size_t room, room_names, room_lists_at, room_heavy_at, room_touched
    cdef size_t room_rows, room_heavy, room_thirds, room_given_to, room_lists

    cdef const uint64_t* offsets
    cdef const uint32_t* links
    cdef const uint64_t* in_offsets
    cdef const uint32_t* in_links
    cdef const double* rank
    cdef const uint32_t* sources
    cdef const double* given
    cdef int64_t n_sources, followed, radius, most_parents, read, look
    cdef size_t most_pages, asked
    cdef double allowed, deadline
    cdef double best         # the best score so far
    cdef double rest         # lost: what the page has from sources not followed
    cdef double small        # lost: small shares that were not handed on, to any one page
    cdef double third        # lost: what was not followed over the third link, into any one page
    cdef bint late

    def __cinit__(self):
        reserve(&self.numbers, 0)
        reserve(&self.bounds, 0)

    def __dealloc__(self):
        close_table(&self.numbers)
        close_table(&self.bounds)
        free(self.locals)
        free(self.names)
        free(self.lists_at)
        free(self.heavy_at)
        free(self.rows)
        free(self.touched)
        free(self.heavy)
        free(self.thirds)
        free(self.given_to)
        free(self.lists)

    cdef void forget(self) noexcept nogil:
        clear(&self.numbers)
        clear(&self.bounds)
        self.count = self.n_rows = self.n_touched = self.n_heavy = 0

    cdef inline bint time_is_up(self) noexcept nogil:
        if self.read >= self.look and not self.late:
            self.look = self.read + CLOCK
            with gil:
                self.late = time.monotonic() > self.deadline
        return self.late

    cdef int64_t number(self, uint32_t page) except -1 nogil:
        """The local number of a page, a new one where it has none."""
        cdef Slot* slot = slot_of(&self.numbers, page)
        cdef size_t count = self.count
        if <size_t>self.numbers.count > count:
            if count >= self.room:
                self.grow_locals(count + 1)
            slot.mark.number = <uint32_t>count
            self.names[count] = page
            self.lists_at[count] = 0
            self.heavy_at[count] = -1
            self.locals[count] = Local(
                0, 0, 0, <uint32_t>(self.offsets[page + 1] - self.offsets[page]), -1
            )
            self.count += 1
        return slot.mark.number

    cdef int grow_locals(self, size_t count) except -1 nogil:
        grow(<void**>&self.names, &self.room_names, count, sizeof(uint32_t))
        grow(<void**>&self.lists_at, &self.room_lists_at, count, sizeof(int32_t))
        grow(<void**>&self.heavy_at, &self.room_heavy_at, count, sizeof(int32_t))
        grow(<void**>&self.touched, &self.room_touched, count + 1, sizeof(uint32_t))
        return grow(<void**>&self.locals, &self.room, count, sizeof(Local))

    cdef inline int64_t known(self, uint32_t page) noexcept nogil:
        """The local number of a page that was met, else -1."""
        cdef Slot* slot = &self.numbers.slots[place(&self.numbers, page)]
        return -1 if slot.page == EMPTY else <int64_t>slot.mark.number

    cdef int read_row(self, int64_t local) except -1 nogil:
        """Number the links of a page, the first time that they are asked for."""
        cdef uint64_t j, begin, end
        if self.locals[local].row >= 0:
            return 0
        begin = self.offsets[self.names[local]]
        end = begin + self.locals[local].degree
        grow(<void**>&self.rows, &self.room_rows, self.n_rows + end - begin, sizeof(uint32_t))
        self.locals[local].row = self.n_rows
        self.read += end - begin
        for j in range(begin, end):
            if j + FAR < end:
                ask_for(&self.numbers, self.links[j + FAR])
                AHEAD(&self.offsets[self.links[j + FAR]])
            self.rows[self.n_rows] = <uint32_t>self.number(self.links[j])
            self.n_rows += 1
        return 0

    cdef int64_t source_at(self, int64_t i) except -1 nogil:
        """The local number of the i-th source, its links and theirs read."""
        cdef int64_t j, end, source = self.number(self.sources[i])
        self.read_row(source)
        end = self.locals[source].row + self.locals[source].degree
        if self.radius > 1:
            for j in range(self.locals[source].row, end):
                if j + NEAR < end:
                    AHEAD(&self.links[self.offsets[self.names[self.rows[j + NEAR]]]])
                self.read_row(self.rows[j])
        return source

    cdef void second_links(self, int64_t source, double first) noexcept nogil:
        """Give the pages two links from the source their part, where its links get `first`."""
        cdef Local* locals = self.locals
        cdef uint32_t* rows = self.rows
        cdef uint32_t* touched = self.touched
        cdef int64_t i, j, n = 0
        cdef Local* child
        cdef Local* local
        cdef double share
        for i in range(locals[source].row, locals[source].row + locals[source].degree):
            child = &locals[rows[i]]
            if child.degree == 0:
                continue
            share = first / child.degree
            self.read += child.degree
            for j in range(child.row, child.row + child.degree):
                local = &locals[rows[j]]
                touched[n] = rows[j]
                n += local.near == 0
                local.near += share
        locals[source].near = 0
        self.n_touched = n

    cdef void first_links(self, int64_t source, double first) noexcept nogil:
        cdef int64_t i, row = self.locals[source].row
        for i in range(row, row + self.locals[source].degree):
            self.touched[self.n_touched] = self.rows[i]
            self.n_touched += self.locals[self.rows[i]].near == 0
            self.locals[self.rows[i]].near += first

    cdef int follow_sources(self) except -1 nogil:
        """Follow sources over two links, until what the others gave may be lost."""
        cdef int64_t i, source
        cdef size_t j
        cdef double cap, first, far
        cdef Local* local
        for i in range(self.n_sources):
            if self.rest <= SOURCES * self.allowed * self.best or self.time_is_up():
                break
            if self.count > self.most_pages or self.n_rows > 8 * self.most_pages:
                break
            source = self.source_at(i)
            cap = self.given[i]
            self.rest -= cap
            self.followed += 1
            self.locals[source].score += cap
            if self.locals[source].degree == 0:
                continue
            first = self.rank[self.sources[i]] / self.locals[source].degree
            self.n_touched = 0
            if self.radius > 1:
                self.second_links(source, first)
            if self.radius > 2:
                for j in range(self.n_touched):
                    local = &self.locals[self.touched[j]]
                    if local.degree:
                        far = local.near / local.degree
                        local.share += <float>(cap if cap < far else far)
            self.first_links(source, first)
            for j in range(self.n_touched):
                local = &self.locals[self.touched[j]]
                local.score += cap if cap < local.near else local.near
                local.near = 0
                if local.score > self.best and self.touched[j] != self.asked:
                    self.best = local.score
        return 0

    cdef inline double slack(self) noexcept nogil:
        """A share is a sum of at most `followed` numbers in 32 bits, each rounded."""
        return 1 + self.followed * 2.0 ** -23

    cdef int bound_thirds(self) except -1 nogil:
        """Bound what any page may get over a third link, from all sources together.

        A share that is small stays so for any page: it has at most `most_parents` of them.
        """
        cdef uint32_t[BATCH] pages
        cdef float[BATCH] shares
        cdef double most_small = SMALL * self.allowed * self.best / self.most_parents
        cdef size_t i, expected = 0
        cdef int64_t n = 0, n_small = 0
        cdef uint64_t j
        for i in range(self.count):
            if self.locals[i].share > most_small:
                expected += self.locals[i].degree // 3
        reserve(&self.bounds, expected if expected < self.most_pages else self.most_pages)
        for i in range(self.count):
            if i + FAR < self.count and self.locals[i + FAR].share > most_small:
                AHEAD(&self.offsets[self.names[i + FAR]])
            if i + NEAR < self.count and self.locals[i + NEAR].share > most_small:
                AHEAD(&self.links[self.offsets[self.names[i + NEAR]]])
            if self.locals[i].share <= most_small:
                n_small += self.locals[i].share > 0
                continue
            self.read += self.locals[i].degree
            for j in range(self.offsets[self.names[i]], self.offsets[self.names[i] + 1]):
                pages[n] = self.links[j]
                shares[n] = self.locals[i].share
                n += 1
                if n == BATCH:
                    add_all(&self.bounds, pages, shares, n)
                    n = 0
            if self.time_is_up() or <size_t>self.bounds.count > self.most_pages:
                self.late = True
                return 0
        add_all(&self.bounds, pages, shares, n)
        self.small = most_small * self.slack()
        self.small *= n_small if n_small < self.most_parents else self.most_parents
        return 0

    cdef int pick_heavy(self) except -1 nogil:
        """Find the pages into which the third link must be followed."""
        cdef double bound, most = THIRDS * self.allowed * self.best
        cdef int64_t i
        cdef uint32_t page
        cdef size_t number
        for i in range(self.bounds.count):
            page = held(&self.bounds, i).page
            bound = held(&self.bounds, i).value * self.slack()
            if bound <= most:
                self.third = max(self.third, bound)
                continue
            number = self.number(page)
            if number == self.asked:
                continue
            self.read_row(number)
            grow(<void**>&self.heavy, &self.room_heavy, self.n_heavy + 1, sizeof(Heavy))
            self.heavy[self.n_heavy] = Heavy(<uint32_t>number, 0, 0)
            self.heavy_at[number] = <int32_t>self.n_heavy
            self.n_heavy += 1
        grow(<void**>&self.thirds, &self.room_thirds, self.n_heavy + 1, sizeof(double))
        grow(<void**>&self.given_to, &self.room_given_to, self.n_heavy + 1, sizeof(uint32_t))
        memset(self.thirds, 0, self.n_heavy * sizeof(double))
        return 0

    cdef int list_heavy(self) except -1 nogil:
        """List for every page the heavy pages that it links to, by way of their parents."""
        cdef size_t i, n_lists = 1
        cdef int64_t parent
        cdef uint64_t j
        cdef uint32_t page
        cdef int32_t length
        cdef uint32_t* listed
        cdef Heavy* heavy
        for i in range(self.n_heavy):
            page = self.names[self.heavy[i].local]
            for j in range(self.in_offsets[page], self.in_offsets[page + 1]):
                parent = self.known(self.in_links[j])
                if parent >= 0:
                    self.lists_at[parent] += 1
        for i in range(self.count):
            length = self.lists_at[i]
            if length:
                self.lists_at[i] = <int32_t>n_lists
                n_lists += 1 + length
        grow(<void**>&self.lists, &self.room_lists, n_lists, sizeof(uint32_t))
        for i in range(self.count):
            if self.lists_at[i]:
                self.lists[self.lists_at[i]] = 0
        for i in range(self.n_heavy):
            heavy = &self.heavy[i]
            page = self.names[heavy.local]
            self.mark_links(heavy.local, 1)
            for j in range(self.in_offsets[page], self.in_offsets[page + 1]):
                parent = self.known(self.in_links[j])
                if parent < 0:
                    continue
                listed = &self.lists[self.lists_at[parent]]
                listed[0] += 1
                listed[listed[0]] = <uint32_t>i
                if self.locals[parent].near:
                    heavy.returning += self.both_ways(heavy.local, parent)
            self.mark_links(heavy.local, 0)
        return 0

    cdef void mark_links(self, uint32_t local, double mark) noexcept nogil:
        cdef int64_t j, row = self.locals[local].row
        for j in range(row, row + self.locals[local].degree):
            self.locals[self.rows[j]].near = mark

    cdef inline double both_ways(self, int64_t one, int64_t two) noexcept nogil:
        """The chance of the way from one page to another that it links to, and back."""
        return 1.0 / self.locals[one].degree / self.locals[two].degree

    cdef void follow_thirds(self) noexcept nogil:
        """Follow the sources again, over the third link, into the heavy pages."""
        cdef int64_t i, source
        cdef uint32_t j, k
        cdef size_t n
        cdef double cap, first, share, left = 0
        cdef double* thirds = self.thirds
        cdef uint32_t* listed
        cdef Local* local
        cdef Heavy* heavy
        for i in range(self.followed):
            left += self.given[i]
        for i in range(self.followed if self.n_heavy else 0):
            if self.time_is_up():
                self.third = max(self.third, left)
                return
            cap = self.given[i]
            left -= cap
            source = self.known(self.sources[i])
            if self.locals[source].degree == 0:
                continue
            first = self.rank[self.sources[i]] / self.locals[source].degree
            self.second_links(source, first)
            n = 0
            for j in range(self.n_touched):
                local = &self.locals[self.touched[j]]
                if self.lists_at[self.touched[j]] == 0 or local.near == 0:
                    continue
                share = local.near / local.degree
                listed = &self.lists[self.lists_at[self.touched[j]]]
                for k in range(1, listed[0] + 1):
                    self.given_to[n] = listed[k]
                    n += thirds[listed[k]] == 0
                    thirds[listed[k]] += share
            self.no_way_back(source, first)
            self.first_links(source, first)
            for j in range(n):
                k = self.given_to[j]
                heavy = &self.heavy[k]
                share = cap - self.locals[heavy.local].near
                if share > 0 and thirds[k] > 0 and heavy.local != source:
                    heavy.gained += share if share < thirds[k] else thirds[k]
                thirds[k] = 0
            for j in range(self.n_touched):
                self.locals[self.touched[j]].near = 0

    cdef size_t results(self, uint32_t[::1] pages, double[::1] scores) noexcept nogil:
        """Write down the pages and scores that are not too small, and how many they are."""
        cdef size_t i, n = 0
        for i in range(self.n_heavy):
            self.locals[self.heavy[i].local].score += self.heavy[i].gained
            self.best = max(self.best, self.locals[self.heavy[i].local].score)
        for i in range(self.count):
            if self.locals[i].score > self.allowed * self.best / 100 and i != self.asked:
                pages[n] = self.names[i]
                scores[n] = self.locals[i].score
                n += 1
        return n

    cdef void no_way_back(self, int64_t source, double first) noexcept nogil:
        """Take back what a heavy child of the source got by paths that had been there."""
        cdef int64_t i, j, row = self.locals[source].row
        cdef int32_t at
        cdef Local* child
        cdef double back
        for i in range(row, row + self.locals[source].degree):
            at = self.heavy_at[self.rows[i]]
            if at < 0 or self.thirds[at] == 0:
                continue
            child = &self.locals[self.rows[i]]
            back = self.heavy[at].returning
            for j in range(child.row, child.row + child.degree):
                if self.rows[j] == source:
                    back -= self.both_ways(source, self.rows[i])
                    break
            self.thirds[at] -= first * back


cdef inline int add_all(Table* table, uint32_t* pages, float* shares, int64_t n) except -1 nogil:
    cdef int64_t i
    for i in range(n):
        if i + FAR < n:
            ask_for(table, pages[i + FAR])
        slot_of(table, pages[i]).value += shares[i]
    return 0


def similar(Scratch scratch, const uint64_t[::1] offsets, const uint32_t[::1] links,
            const uint64_t[::1] in_offsets, const uint32_t[::1] in_links,
            const double[::1] rank, uint32_t page, const uint32_t[::1] sources,
            const double[::1] given, int64_t radius, double allowed, double lost,
            int64_t most_parents, int64_t most_pages, double halfway, double deadline):
    """The pages that share sources with `page`, and their scores; at most how much any page has
    lost, in parts; how many sources were followed, pages met and links read.

    `given` is what `page` has from each source, the most first, and `lost` what it may have from
    others.  No page has more than `most_parents` parents.  Scores under a hundredth of what may
    be lost are left out.
    """
    cdef size_t i, n
    scratch.offsets, scratch.in_offsets = &offsets[0], &in_offsets[0]
    scratch.links, scratch.in_links = &links[0], &in_links[0]
    scratch.rank, scratch.sources, scratch.given = &rank[0], &sources[0], &given[0]
    scratch.n_sources, scratch.radius, scratch.allowed = sources.shape[0], radius, allowed
    scratch.most_parents, scratch.most_pages = most_parents, most_pages
    scratch.followed, scratch.read = 0, 0
    scratch.rest, scratch.best, scratch.small, scratch.third = lost, 0, 0, 0
    scratch.deadline, scratch.look, scratch.late = halfway, CLOCK, False
    try:
        with nogil:
            reserve(&scratch.numbers, min(32 * scratch.n_sources, most_pages))
            scratch.asked = scratch.number(page)
            for i in range(<size_t>scratch.n_sources):
                scratch.rest += given[i]
            scratch.follow_sources()
            if radius > 2:
                scratch.deadline, scratch.late = deadline, False
                scratch.bound_thirds()
                if scratch.late:
                    for i in range(<size_t>scratch.followed):
                        scratch.third += given[i]
                else:
                    scratch.pick_heavy()
                    scratch.list_heavy()
                    scratch.follow_thirds()
        pages = np.empty(scratch.count, np.uint32)
        scores = np.empty(scratch.count, np.float64)
        n = scratch.results(pages, scores)
        met = scratch.count
    finally:
        scratch.forget()
    parts = scratch.rest, scratch.small, scratch.third
    return pages[:n].copy(), scores[:n].copy(), parts, scratch.followed, met, scratch.read
