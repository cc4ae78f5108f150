# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""PageSim of one page with all pages within three links, with a bounded loss.

The score that each source hands out is followed over two links, source by source
(`_pagesim_neighbours.pyx`). The third link is first bounded for all sources together, then followed
only into the heavy pages: those whose bound is too large.

More than 400 lines: this is one computation in shared memory, and each step reads the output of the
step before.
"""

from libc.math cimport ilogb
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from whatsrelated.kernels.shared._clock cimport Clock, is_late, set_clock
from whatsrelated.kernels.shared._limits cimport monotonic
from whatsrelated.kernels.shared._links cimport (
    Links, Pages, Span, links_of, prefetch_all_links, prefetch_degree
)
from whatsrelated.kernels.shared._memory cimport FAR, LARGE_PAGES, NEAR, PREFETCH, grow
from whatsrelated.kernels.asking._pagesim_neighbours cimport Local, Neighbours

import numpy as np

cdef enum:
    NO_LIST = 1              # the place of an empty list in `lists`
    SMALLEST = 1 << 10
    MOST_EXPECTED = 1 << 20  # maximum initial room, in pages
    BUCKETS = 1 << 20        # maximum
    GROUPS = 1 << 10         # number of page groups
    LEVELS = 8               # number of share levels; each is an eighth of the one before

# How the allowed loss is divided: sources not followed, small shares not handed on, and
# third links not followed.
cdef double SOURCES = 0.6, SMALL = 0.1, THIRDS = 0.3

# The factor by which we first expect the third link to raise the best score.
cdef double HOPE = 1.3

cdef struct Giver:           # a page whose share is not small
    uint32_t page
    uint32_t local
    float share

cdef struct Heavy:           # a page into which third links are followed
    uint32_t local
    double gained
    double returning         # the probability that two steps lead back to it


cdef class Scratch(Neighbours):
    """One thread's memory for a query: the pages met and their links, in order of appearance."""

    cdef double* buckets     # bounds of third-link gains, by page number & mask
    cdef int32_t* lists_at   # local number -> place in `lists`; 0: no links to heavy pages
    cdef int32_t* heavy_at   # local number -> place in `heavy`; -1: not heavy
    cdef Giver* givers
    cdef Heavy* heavy
    cdef double* thirds      # the current source's score for each heavy page over a third link
    cdef uint32_t* given_to  # the heavy pages with such a gain
    cdef uint32_t* lists     # for each page: a count, then the heavy pages it links to
    cdef size_t n_givers, n_heavy, n_placed, mask, room_buckets, room_givers
    cdef size_t room_lists_at, room_heavy_at
    cdef size_t room_heavy, room_thirds, room_given_to, room_lists

    cdef const double* rank
    cdef const uint32_t* sources
    cdef const double* given
    cdef int64_t n_sources, followed, most_parents
    cdef size_t most_pages, query
    cdef double allowed, hope, halfway
    cdef Clock clock
    cdef double best         # the best score so far
    cdef double unfollowed   # loss from sources that were not followed
    cdef double small        # maximum loss of a page from small shares not handed on
    cdef double third        # maximum loss of a page from third links not followed
    cdef bint last           # out of room or time

    def __dealloc__(self):
        free(self.buckets)
        free(self.lists_at)
        free(self.heavy_at)
        free(self.givers)
        free(self.heavy)
        free(self.thirds)
        free(self.given_to)
        free(self.lists)

    cdef inline double may_lose(self) noexcept nogil:
        """The score that a page may lose, if the best score rises as expected."""
        return self.allowed * self.best * self.hope

    cdef int follow_sources(self) except -1 nogil:
        """Follow sources over two links until the rest are small enough to ignore."""
        cdef int64_t i, source
        cdef size_t j
        cdef double cap, first, far
        cdef bint full
        cdef Local* local
        for i in range(self.followed, self.n_sources):
            if self.unfollowed <= SOURCES * self.may_lose():
                break
            full = self.pages.count > self.most_pages or self.n_rows > 8 * self.most_pages
            if full or is_late(&self.clock, self.read):
                self.last = True
                break
            source = self.read_source(self.sources[i])
            cap = self.given[i]
            self.unfollowed -= cap
            self.followed += 1
            self.locals[source].score += cap
            if self.locals[source].degree == 0:
                continue
            first = self.rank[self.sources[i]] / self.locals[source].degree
            self.n_touched = 0
            if self.radius > 1:
                self.follow_second(source, first)
            if self.radius > 2:
                for j in range(self.n_touched):
                    local = &self.locals[self.touched[j]]
                    if local.degree:
                        far = local.near / local.degree
                        local.share += <float>(cap if cap < far else far)
            self.follow_first(source, first)
            for j in range(self.n_touched):
                local = &self.locals[self.touched[j]]
                local.score += cap if cap < local.near else local.near
                local.near = 0
                if local.score > self.best and self.touched[j] != self.query:
                    self.best = local.score
        return 0

    cdef inline int place_all(self) except -1 nogil:
        """Set the places of new pages in `lists` and `heavy` to none."""
        cdef size_t i, count = self.pages.count
        if self.n_placed < count:
            grow(<void**>&self.lists_at, &self.room_lists_at, count, sizeof(int32_t))
            grow(<void**>&self.heavy_at, &self.room_heavy_at, count, sizeof(int32_t))
            for i in range(self.n_placed, count):
                self.lists_at[i] = 0
                self.heavy_at[i] = -1
            self.n_placed = count
        return 0

    cdef inline double slack(self) noexcept nogil:
        """Rounding error of a share: a 32-bit sum of at most `followed` numbers."""
        return 1 + self.followed * 2.0 ** -23

    cdef int pick_givers(self) except -1 nogil:
        """Find the pages whose share is not small, sorted by share (largest first), then by page.

        Small shares stay small in total, because a page has at most `most_parents` parents.
        """
        cdef double most_small = SMALL * self.may_lose() / self.most_parents
        cdef double most = THIRDS * self.may_lose()
        cdef size_t[LEVELS * GROUPS + 1] begin
        cdef size_t i, group
        cdef float share
        cdef int64_t n_small = 0
        cdef int shift = 0
        while self.children.pages >> shift >= GROUPS:
            shift += 1
        memset(begin, 0, sizeof(begin))
        for i in range(self.pages.count):
            share = self.locals[i].share
            if share > most_small:
                begin[GROUPS * level(share, most) + (self.pages.keys[i] >> shift) + 1] += 1
            elif share > 0:
                n_small += 1
        for group in range(LEVELS * GROUPS):
            begin[group + 1] += begin[group]
        self.n_givers = begin[LEVELS * GROUPS]
        self.place_all()
        grow(<void**>&self.givers, &self.room_givers, self.n_givers, sizeof(Giver))
        for i in range(self.pages.count):
            share = self.locals[i].share
            if share > most_small:
                group = GROUPS * level(share, most) + (self.pages.keys[i] >> shift)
                self.givers[begin[group]] = Giver(self.pages.keys[i], <uint32_t>i, share)
                begin[group] += 1
        self.small = most_small * self.slack()
        self.small *= n_small if n_small < self.most_parents else self.most_parents
        return 0

    cdef inline void prefetch_giver(self, size_t i) noexcept nogil:
        """Prefetch the links of the givers that come soon after number i."""
        if i + FAR < self.n_givers:
            prefetch_degree(&self.children, self.givers[i + FAR].page)
        if i + NEAR < self.n_givers:
            prefetch_all_links(&self.children, self.givers[i + NEAR].page)

    cdef int bound_thirds(self) except -1 nogil:
        """Bound the score that any page can get over a third link, from all sources together.

        Pages may share a bucket; its value bounds each of them.
        """
        cdef size_t i, j, size = SMALLEST
        cdef Span row
        cdef double share
        while size < self.n_givers and size < BUCKETS:
            size *= 2
        grow(<void**>&self.buckets, &self.room_buckets, size, sizeof(double))
        LARGE_PAGES(self.buckets, size * sizeof(double))
        memset(self.buckets, 0, size * sizeof(double))
        self.mask = size - 1
        for i in range(self.n_givers):
            self.prefetch_giver(i)
            row = links_of(&self.children, self.givers[i].page)
            share = self.givers[i].share
            for j in range(row.count):
                self.buckets[row.pages[j] & self.mask] += share
            self.read += row.count
            if is_late(&self.clock, self.read):
                break
        return 0

    cdef int list_heavy(self) except -1 nogil:
        """For each giver, list the links that must be followed.

        Remove shares from the buckets, largest first, until no bucket is too large.
        """
        cdef double most = THIRDS * self.may_lose() / self.slack()
        cdef size_t i, j, begin, n_large = 0, n_lists = NO_LIST + 1
        cdef Span row
        cdef double* bucket
        for i in range(self.mask + 1):
            n_large += self.buckets[i] > most
        for i in range(self.n_givers):
            if self.pages.count + n_lists > 8 * self.most_pages:
                self.last = True
                break
            if n_large == 0 or is_late(&self.clock, self.read):
                break
            self.prefetch_giver(i)
            row = links_of(&self.children, self.givers[i].page)
            begin = n_lists
            for j in range(row.count):
                bucket = &self.buckets[row.pages[j] & self.mask]
                if bucket[0] > most:
                    bucket[0] -= self.givers[i].share
                    n_large -= bucket[0] <= most
                    n_lists += 1
                    grow(<void**>&self.lists, &self.room_lists, n_lists + 1, sizeof(uint32_t))
                    self.lists[n_lists] = self.heavy_number(row.pages[j])
            if n_lists > begin:
                self.lists_at[self.givers[i].local] = <int32_t>begin
                self.lists[begin] = <uint32_t>(n_lists - begin)
                n_lists += 1
        for i in range(self.mask + 1):
            self.third = max(self.third, self.buckets[i] * self.slack())
        grow(<void**>&self.lists, &self.room_lists, n_lists, sizeof(uint32_t))
        self.lists[NO_LIST] = 0
        grow(<void**>&self.thirds, &self.room_thirds, self.n_heavy + 1, sizeof(double))
        grow(<void**>&self.given_to, &self.room_given_to, self.n_heavy + 1, sizeof(uint32_t))
        memset(self.thirds, 0, self.n_heavy * sizeof(double))
        return 0

    cdef uint32_t heavy_number(self, uint32_t page) except? 0 nogil:
        """The position of a page in `heavy`, added if needed."""
        cdef int64_t local = self.number(page)
        self.place_all()
        if self.heavy_at[local] < 0:
            grow(<void**>&self.heavy, &self.room_heavy, self.n_heavy + 1, sizeof(Heavy))
            self.heavy[self.n_heavy] = Heavy(<uint32_t>local, 0, 0)
            self.heavy_at[local] = <int32_t>self.n_heavy
            self.n_heavy += 1
        return <uint32_t>self.heavy_at[local]

    cdef void keep_links(self) noexcept nogil:
        """Move pages that are heavy or have a list to the front of every row."""
        cdef size_t i
        cdef int64_t j
        cdef uint32_t page
        cdef Local* local
        for i in range(self.n_heavy):
            page = self.heavy[i].local
            if self.lists_at[page] == 0:
                self.lists_at[page] = NO_LIST
        for i in range(self.pages.count):
            local = &self.locals[i]
            if local.row < 0:
                continue
            local.kept = 0
            for j in range(local.row, local.row + local.degree):
                page = self.rows[j]
                if self.lists_at[page]:
                    self.rows[j] = self.rows[local.row + local.kept]
                    self.rows[local.row + local.kept] = page
                    local.kept += 1

    cdef bint listed(self, uint32_t local, uint32_t heavy) noexcept nogil:
        """Whether a heavy page is in a page's list."""
        cdef uint32_t* list = &self.lists[self.lists_at[local]]
        cdef uint32_t k
        if self.lists_at[local]:
            for k in range(1, list[0] + 1):
                if list[k] == heavy:
                    return True
        return False

    cdef void count_returns(self) noexcept nogil:
        """For each heavy page, sum the probability that two steps lead back to it."""
        cdef uint32_t i, page
        cdef int64_t j, row
        for i in range(self.n_heavy):
            page = self.heavy[i].local
            row = self.locals[page].row
            for j in range(row, row + self.locals[page].kept if row >= 0 else row):
                if self.listed(self.rows[j], i):
                    self.heavy[i].returning += self.both_ways(page, self.rows[j])

    cdef inline double both_ways(self, int64_t one, int64_t two) noexcept nogil:
        """The probability of stepping from a page to one of its links and back."""
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
        for i in range(self.followed if self.n_heavy or self.clock.late else 0):
            if is_late(&self.clock, self.read):
                self.third = max(self.third, left)
                break
            cap = self.given[i]
            left -= cap
            source = self.local_of(self.sources[i])
            if self.locals[source].degree == 0:
                continue
            first = self.rank[self.sources[i]] / self.locals[source].degree
            self.follow_second(source, first)
            n = 0
            for j in range(self.n_touched):
                if j + NEAR < self.n_touched:
                    PREFETCH(&self.lists[self.lists_at[self.touched[j + NEAR]]])
                local = &self.locals[self.touched[j]]
                if self.lists_at[self.touched[j]] == 0 or local.near == 0:
                    continue
                share = local.near / local.degree
                listed = &self.lists[self.lists_at[self.touched[j]]]
                for k in range(1, listed[0] + 1):
                    self.given_to[n] = listed[k]
                    n += thirds[listed[k]] == 0
                    thirds[listed[k]] += share
            self.take_back_returns(source, first)
            self.follow_first(source, first)
            for j in range(n):
                k = self.given_to[j]
                heavy = &self.heavy[k]
                share = cap - self.locals[heavy.local].near
                if share > 0 and thirds[k] > 0 and heavy.local != source:
                    heavy.gained += share if share < thirds[k] else thirds[k]
                thirds[k] = 0
            for j in range(self.n_touched):
                self.locals[self.touched[j]].near = 0

    cdef bint is_done(self) noexcept nogil:
        """Whether the loss is within bounds or cannot shrink; otherwise lower the expectation."""
        cdef size_t i
        cdef Heavy* heavy
        for i in range(self.n_heavy):
            heavy = &self.heavy[i]
            if heavy.local != self.query:
                self.best = max(self.best, self.locals[heavy.local].score + heavy.gained)
        if self.unfollowed + self.small + self.third <= self.allowed * self.best or self.last:
            return True
        if self.followed == self.n_sources and self.hope < 1:
            return True
        self.hope = min(0.75 * self.hope, 0.98)
        return monotonic() > self.halfway

    cdef void forget_heavy(self) noexcept nogil:
        cdef size_t i
        for i in range(self.pages.count):
            self.locals[i].kept = self.locals[i].degree
            self.lists_at[i] = 0
            self.heavy_at[i] = -1
        self.n_heavy = 0
        self.third = 0

    cdef size_t write_results(self, uint32_t[::1] pages, double[::1] scores) noexcept nogil:
        """Write the pages whose scores are large enough; return their number."""
        cdef size_t i, n = 0
        for i in range(self.n_heavy):
            self.locals[self.heavy[i].local].score += self.heavy[i].gained
        for i in range(self.pages.count):
            if self.locals[i].score > self.allowed * self.best / 100 and i != self.query:
                pages[n] = self.pages.keys[i]
                scores[n] = self.locals[i].score
                n += 1
        return n

    cdef void take_back_returns(self, int64_t source, double first) noexcept nogil:
        """Subtract the score that heavy children of the source received over paths that revisit
        them.
        """
        cdef int64_t i, j, row = self.locals[source].row
        cdef int32_t at
        cdef Local* child
        cdef double back
        for i in range(row, row + self.locals[source].kept):
            at = self.heavy_at[self.rows[i]]
            if at < 0 or self.thirds[at] == 0:
                continue
            child = &self.locals[self.rows[i]]
            back = self.heavy[at].returning
            for j in range(child.row, child.row + child.kept):
                if self.rows[j] == source and self.listed(source, at):
                    back -= self.both_ways(source, self.rows[i])
                    break
            self.thirds[at] -= first * back


cdef inline int level(float share, double most) noexcept nogil:
    """The level of a share, which rises as it shrinks relative to the allowed loss; 0 for large
    shares.
    """
    cdef int small = ilogb(most / share) // 3
    return 0 if small < 0 else min(small, LEVELS - 1)


def similarities(
    Scratch scratch,
    Links links,
    const double[::1] rank,
    uint32_t page,
    Pages sources,
    const double[::1] given,
    *,
    int64_t radius,
    double allowed,
    double lost,
    int64_t most_parents,
    int64_t most_pages,
    double halfway,
    double deadline,
):
    """The pages that share sources with `page`, and their scores; upper bounds on the score a page
    lost, by cause; the numbers of sources followed, pages met and links read.

    `given` is the score of `page` from each source, in the order to follow them; `lost` bounds its
    score from other sources. No page has more than `most_parents` parents. Scores below a hundredth
    of the allowed loss are left out.
    """
    cdef size_t i, n
    scratch.children = links.children
    scratch.rank, scratch.sources, scratch.given = &rank[0], &sources[0], &given[0]
    scratch.n_sources, scratch.radius, scratch.allowed = sources.shape[0], radius, allowed
    scratch.most_parents, scratch.most_pages = most_parents, most_pages
    scratch.followed = scratch.read = 0
    scratch.n_givers = scratch.n_heavy = scratch.n_placed = 0
    scratch.unfollowed, scratch.best, scratch.small, scratch.third = lost, 0, 0, 0
    scratch.halfway, scratch.last = halfway, False
    scratch.hope = HOPE if radius > 2 else 1
    with nogil:
        set_clock(&scratch.clock, halfway)
        scratch.forget(min(16 * <size_t>scratch.n_sources, <size_t>MOST_EXPECTED))
        scratch.query = scratch.number(page)
        for i in range(<size_t>scratch.n_sources):
            scratch.unfollowed += given[i]
        while True:
            scratch.clock.deadline, scratch.clock.late = halfway, False
            scratch.follow_sources()
            if radius < 3:
                break
            scratch.clock.deadline, scratch.clock.late = deadline, False
            scratch.pick_givers()
            scratch.bound_thirds()
            scratch.list_heavy()
            scratch.keep_links()
            scratch.count_returns()
            scratch.follow_thirds()
            if scratch.is_done():
                break
            scratch.forget_heavy()
    pages = np.empty(scratch.pages.count, np.uint32)
    scores = np.empty(scratch.pages.count, np.float64)
    n = scratch.write_results(pages, scores)
    parts = scratch.unfollowed, scratch.small, scratch.third
    counts = scratch.followed, scratch.pages.count, scratch.read
    return pages[:n].copy(), scores[:n].copy(), parts, *counts
