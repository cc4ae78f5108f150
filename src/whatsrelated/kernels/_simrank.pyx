# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""SimRank of one page with all others: independent estimates, each right on the average.

Two walkers start from two pages and go back over links, each to any parent
with the same chance; before each step, each stops with the chance 1 - √decay.
SimRank is the chance that they meet, which is the sum over every place (w, l),
page w after l steps, of

    P(the first is at w after l steps) · P(the second is) · P(from w, two never meet again).

1. Go back from the page, level by level: the first factor.  Where a page has too little to
   hand on to all its parents, some are drawn, and get more.
2. Send pairs of walkers from the places: the third factor.
3. Go forward over links from the last level to the pages themselves: the second.  What is
   too little to be handed on is lost or made as much, by a draw.

Draws depend on the key, the level and the page, never on the order of work.
"""

from libc.math cimport ceil, fabs, floor
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from whatsrelated.kernels._memory cimport AHEAD, FAR, NEAR, claimed, grow
from whatsrelated.kernels._table cimport LARGE_PAGES

import numpy as np

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define FIRST_BIT(word) __builtin_ctzll(word)
    #else
    static int FIRST_BIT(unsigned long long word) {
        int at = 0;
        while (!(word & 1)) { word >>= 1; at++; }
        return at;
    }
    #endif
    """
    int FIRST_BIT(uint64_t) noexcept nogil

cdef enum:
    ABREAST = 16             # pairs that walk together, so that memory answers while others move
    WAITING = 32
    MOST_LEVELS = 4094
    COARSER = 4              # up to so many levels, each hands on twice as much at least
    FINER = 5                # at the pages themselves, so much less counts


cdef inline uint64_t drawn(uint64_t key, uint64_t number) noexcept nogil:
    """64 random bits: the number-th of a key (splitmix64)."""
    cdef uint64_t x = key + (number + 1) * <uint64_t>0x9E3779B97F4A7C15
    x = (x ^ (x >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    x = (x ^ (x >> 27)) * <uint64_t>0x94D049BB133111EB
    return x ^ (x >> 31)


cdef inline double fraction(uint64_t bits) noexcept nogil:
    """A number in [0, 1)."""
    return (bits >> 11) * (1.0 / 9007199254740992.0)


cdef inline double low_fraction(uint64_t bits) noexcept nogil:
    """A number in [0, 1) from the half of the bits that `one_of` does not read."""
    return <uint32_t>bits * (1.0 / 4294967296.0)


cdef inline uint64_t one_of(uint64_t bits, uint64_t count) noexcept nogil:
    """A number from 0 to count - 1."""
    return ((bits >> 32) * count) >> 32


cdef struct Sheet:           # a number for each page
    double* values
    uint64_t* words          # a bit for each page that has one
    uint64_t* tops           # a bit for each word that has one
    int64_t n_tops


cdef int open_sheet(Sheet* sheet, int64_t n_pages) except -1:
    sheet.n_tops = n_pages // 4096 + 1
    sheet.values = <double*>claimed(n_pages, sizeof(double))
    LARGE_PAGES(sheet.values, n_pages * sizeof(double))
    sheet.words = <uint64_t*>claimed(sheet.n_tops * 64, sizeof(uint64_t))
    sheet.tops = <uint64_t*>claimed(sheet.n_tops, sizeof(uint64_t))
    return 0


cdef void close_sheet(Sheet* sheet) noexcept:
    free(sheet.values)
    free(sheet.words)
    free(sheet.tops)
    memset(sheet, 0, sizeof(Sheet))


cdef inline void add(Sheet* sheet, uint32_t page, double value) noexcept nogil:
    cdef uint64_t word = sheet.words[page >> 6], bit = <uint64_t>1 << (page & 63)
    sheet.values[page] += value
    if not word & bit:
        sheet.words[page >> 6] = word | bit
        if word == 0:
            sheet.tops[page >> 12] |= <uint64_t>1 << ((page >> 6) & 63)


cdef struct Place:
    uint32_t page
    double value


cdef int64_t take(Sheet* sheet, Place** places, size_t* room, int64_t count) except -1 nogil:
    """Move all that is on a sheet to a list, ascending; how long the list is then."""
    cdef int64_t top, at, i
    cdef uint64_t words, bits
    cdef uint32_t page
    for top in range(sheet.n_tops):
        words = sheet.tops[top]
        if words == 0:
            continue
        sheet.tops[top] = 0
        grow(<void**>places, room, count + 4096, sizeof(Place))
        while words:
            at = top * 64 + FIRST_BIT(words)
            words &= words - 1
            bits = sheet.words[at]
            sheet.words[at] = 0
            while bits:
                page = <uint32_t>(at * 64 + FIRST_BIT(bits))
                bits &= bits - 1
                places[0][count].page = page
                places[0][count].value = sheet.values[page]
                sheet.values[page] = 0
                count += 1
    return count


cdef struct Web:
    const uint64_t* in_offsets
    const uint32_t* in_links
    const uint64_t* out_offsets
    const uint32_t* out_links


cdef inline uint64_t parents_of(Web* web, uint32_t page) noexcept nogil:
    return web.in_offsets[page + 1] - web.in_offsets[page]


cdef struct Pair:            # two walkers
    int64_t owner
    uint64_t key             # of their draws
    uint64_t step
    uint32_t one, two
    uint64_t one_link, two_link


cdef inline bint one_step(const uint64_t* offsets, Pair* pair, double decay) noexcept nogil:
    """Choose the next links of two walkers; false where one of them stops.

    Where both are at one page, they have gone on, and go to different parents.
    """
    cdef uint64_t bits = drawn(pair.key, 2 * pair.step), other = drawn(pair.key, 2 * pair.step + 1)
    cdef uint64_t ones = offsets[pair.one + 1] - offsets[pair.one]
    cdef uint64_t twos = offsets[pair.two + 1] - offsets[pair.two]
    cdef bint together = pair.one == pair.two
    if ones == 0 or twos == 0 or (together and ones == 1):
        return False
    # The high half of the bits chooses a parent; the low half of the other decides to go on.
    if not together and low_fraction(other) >= decay:
        return False
    pair.one_link = one_of(bits, ones)
    pair.two_link = one_of(other, twos - together)
    if together and pair.two_link >= pair.one_link:
        pair.two_link += 1
    pair.one_link += offsets[pair.one]
    pair.two_link += offsets[pair.two]
    pair.step += 1
    return True


cdef void send(Web* web, const uint32_t* ones, const uint32_t* twos, const int64_t* counts,
               int64_t n, double decay, uint64_t key, int64_t* hits) noexcept nogil:
    """Count how many of so many pairs of walkers from ones[i] and twos[i] meet."""
    cdef int64_t next_owner = 0, next_pair = 0, i, active = 0
    cdef Pair[ABREAST] pairs
    cdef Pair* pair
    while True:
        while active < ABREAST and next_owner < n:
            if next_pair >= counts[next_owner]:
                next_owner += 1
                next_pair = 0
                continue
            pair = &pairs[active]
            pair.owner = next_owner
            pair.one, pair.two = ones[next_owner], twos[next_owner]
            pair.key = drawn(drawn(key, next_owner), next_pair)
            pair.step = 0
            next_pair += 1
            active += 1
        if active == 0:
            return
        i = 0
        while i < active:
            pair = &pairs[i]
            if not one_step(web.in_offsets, pair, decay):
                active -= 1
                pairs[i] = pairs[active]
                continue
            AHEAD(&web.in_links[pair.one_link])
            AHEAD(&web.in_links[pair.two_link])
            i += 1
        i = 0
        while i < active:
            pair = &pairs[i]
            pair.one, pair.two = web.in_links[pair.one_link], web.in_links[pair.two_link]
            if pair.one == pair.two:
                hits[pair.owner] += 1
                active -= 1
                pairs[i] = pairs[active]
                continue
            AHEAD(&web.in_offsets[pair.one])
            AHEAD(&web.in_offsets[pair.two])
            i += 1


def meetings(const uint64_t[::1] offsets, const uint32_t[::1] links, const uint32_t[::1] ones,
             const uint32_t[::1] twos, const int64_t[::1] counts, double decay, uint64_t key):
    """How many of so many pairs of walkers from ones[i] and twos[i], different pages, meet."""
    cdef Web web
    hits = np.zeros(ones.shape[0], np.int64)
    cdef int64_t[::1] hit = hits
    if ones.shape[0] and links.shape[0]:
        web.in_offsets, web.in_links = &offsets[0], &links[0]
        with nogil:
            send(&web, &ones[0], &twos[0], &counts[0], ones.shape[0], decay, key, &hit[0])
    return hits


cdef class Scratch:
    """The memory of one thread's estimates: three numbers for each page of the graph."""

    cdef Sheet here, sums
    cdef double* squares
    cdef int64_t n_pages

    def __dealloc__(self):
        self.close()

    cdef void close(self) noexcept:
        close_sheet(&self.here)
        close_sheet(&self.sums)
        free(self.squares)
        self.squares = NULL
        self.n_pages = 0

    cdef int fit(self, int64_t n_pages) except -1:
        """Have room for a graph of so many pages, all 0."""
        if n_pages != self.n_pages:
            self.close()
            open_sheet(&self.here, n_pages)
            open_sheet(&self.sums, n_pages)
            self.squares = <double*>claimed(n_pages, sizeof(double))
            LARGE_PAGES(self.squares, n_pages * sizeof(double))
            self.n_pages = n_pages
        return 0


cdef class Runs:
    """Estimates for one page, added up; those of one scratch memory one after the other."""

    cdef Web web
    cdef object arrays
    cdef Scratch scratch
    cdef Sheet here, sums    # the scratch's
    cdef double* squares
    cdef Place* places       # level by level
    cdef Place* now          # of the level at work
    cdef uint32_t* meeting   # the pages of the places
    cdef int64_t* counts     # how many pairs walk from each place
    cdef int64_t* hits       # how many of them meet
    cdef size_t room, room_now, room_meeting, room_counts, room_hits
    cdef int64_t[MOST_LEVELS + 2] starts
    cdef int64_t levels
    cdef uint32_t page
    cdef double decay, stays
    cdef readonly int64_t read
    cdef readonly bint exact # nothing was left to chance

    def __cinit__(self, Scratch scratch, const uint64_t[::1] in_offsets,
                  const uint32_t[::1] in_links, const uint64_t[::1] out_offsets,
                  const uint32_t[::1] out_links, uint32_t page, double decay):
        self.arrays = in_offsets, in_links, out_offsets, out_links
        self.web.in_offsets = &in_offsets[0]
        self.web.out_offsets = &out_offsets[0]
        if in_links.shape[0]:
            self.web.in_links = &in_links[0]
            self.web.out_links = &out_links[0]
        self.page, self.decay, self.stays = page, decay, decay ** 0.5
        scratch.fit(in_offsets.shape[0] - 1)
        self.scratch, self.squares = scratch, scratch.squares
        self.here, self.sums = scratch.here, scratch.sums
        self.forget()

    def __dealloc__(self):
        free(self.places)
        free(self.now)
        free(self.meeting)
        free(self.counts)
        free(self.hits)

    def run(self, uint64_t key, double back, double meeting, double forward):
        """Add one estimate; the three numbers are the least part of a score that is handed back,
        the part that a pair of walkers stands for, and the least that is handed on.
        """
        with nogil:
            self.go_back(drawn(key, 0), back)
            self.meet(drawn(key, 1), meeting)
            self.go_forward(drawn(key, 2), forward)

    cdef int go_back(self, uint64_t key, double least) except -1 nogil:
        """Where a walker from the page is after 1, 2, ... steps."""
        cdef int64_t i, begin = 0, end = 1, level = 0
        grow(<void**>&self.places, &self.room, 1, sizeof(Place))
        self.places[0].page = self.page
        self.places[0].value = 1
        while end > begin and level < MOST_LEVELS:
            self.starts[level] = begin
            least /= self.stays
            for i in range(begin, end):
                if i + FAR < end:
                    AHEAD(&self.web.in_offsets[self.places[i + FAR].page])
                if i + NEAR < end:
                    AHEAD(&self.web.in_links[self.web.in_offsets[self.places[i + NEAR].page]])
                self.hand_back(&self.places[i], drawn(key, level), least)
            level += 1
            begin = end
            end = take(&self.here, &self.places, &self.room, begin)
        self.starts[level] = begin
        self.starts[level + 1] = end
        self.levels = level
        return 0

    cdef inline void hand_back(self, Place* place, uint64_t key, double least) noexcept nogil:
        cdef uint64_t begin = self.web.in_offsets[place.page], j
        cdef uint64_t parents = parents_of(&self.web, place.page), chosen = parents
        cdef double share = self.stays * place.value, offset = 0
        if parents == 0:
            return
        if share >= least * parents:
            share /= parents
        else:
            chosen = <uint64_t>floor(share / least + fraction(drawn(key, 2 * <uint64_t>place.page)))
            offset = fraction(drawn(key, 2 * <uint64_t>place.page + 1))
            share = least
            self.exact = False
        self.read += chosen
        for j in range(chosen):
            if chosen < parents:
                add(&self.here, self.web.in_links[begin + <uint64_t>((j + offset) * parents / chosen)],
                    share)
            else:
                add(&self.here, self.web.in_links[begin + j], share)

    cdef int meet(self, uint64_t key, double least) except -1 nogil:
        """Multiply each place by the chance that two walkers from there never meet again."""
        cdef int64_t i, level, begin = self.starts[1], n = self.starts[self.levels + 1] - begin
        cdef uint64_t parents
        cdef double part, each
        cdef Place* place
        grow(<void**>&self.meeting, &self.room_meeting, n, sizeof(uint32_t))
        grow(<void**>&self.counts, &self.room_counts, n, sizeof(int64_t))
        grow(<void**>&self.hits, &self.room_hits, n, sizeof(int64_t))
        if n == 0:
            return 0
        memset(self.hits, 0, n * sizeof(int64_t))
        for level in range(1, self.levels + 1):
            each = least / self.stays ** level
            for i in range(self.starts[level] - begin, self.starts[level + 1] - begin):
                place = &self.places[begin + i]
                self.meeting[i] = place.page
                part = place.value / each
                self.counts[i] = 0
                if parents_of(&self.web, place.page) < 2:
                    continue
                self.exact = False
                if part >= 1:
                    self.counts[i] = <int64_t>ceil(part)
                elif fraction(drawn(key, i)) < part:
                    self.counts[i] = 1
        send(&self.web, self.meeting, self.meeting, self.counts, n, self.decay, drawn(key, n),
             self.hits)
        for level in range(1, self.levels + 1):
            each = least / self.stays ** level
            for i in range(self.starts[level] - begin, self.starts[level + 1] - begin):
                place = &self.places[begin + i]
                parents = parents_of(&self.web, place.page)
                if parents == 0:
                    continue
                part = place.value / self.counts[i] if place.value >= each else each
                place.value *= 1 - self.decay / parents
                if self.hits[i]:
                    place.value -= part * self.hits[i] * self.decay * (1 - 1.0 / parents)
        return 0

    cdef int go_forward(self, uint64_t key, double least) except -1 nogil:
        """Hand on what the places have, level by level, to the pages themselves."""
        cdef int64_t level, i, count
        cdef Place* place
        cdef double factor
        for level in range(self.levels, 0, -1):
            for i in range(self.starts[level], self.starts[level + 1]):
                if i + FAR < self.starts[level + 1]:
                    AHEAD(&self.web.in_offsets[self.places[i + FAR].page])
                place = &self.places[i]
                add(&self.here, place.page, place.value / self.mean_factor(place.page))
            factor = 2.0 ** min(level - 1, COARSER) / self.stays ** level
            self.hand_on(self.rounded(drawn(key, level), least * factor))
        count = self.rounded(drawn(key, 0), least / FINER)
        for i in range(count):
            place = &self.now[i]
            if place.page != self.page:
                add(&self.sums, place.page, place.value)
                self.squares[place.page] += place.value * place.value
        return 0

    cdef inline double mean_factor(self, uint32_t page) noexcept nogil:
        """What makes of the sum over the parents what a walker has."""
        cdef uint64_t parents = parents_of(&self.web, page)
        return self.stays / parents if parents else 1.0

    cdef int64_t rounded(self, uint64_t key, double least) except -1 nogil:
        """Take what is here; of what is less than `least` some is lost, and some made as much."""
        cdef int64_t i, kept = 0, count = take(&self.here, &self.now, &self.room_now, 0), likely = 0
        cdef Place place
        # A page has at most what was added up for it: most are lost before their parents count.
        for i in range(count):
            place = self.now[i]
            if fraction(drawn(key, place.page)) * least < fabs(place.value):
                self.now[likely] = place
                likely += 1
        if likely < count:
            self.exact = False
        for i in range(likely):
            if i + FAR < likely:
                AHEAD(&self.web.in_offsets[self.now[i + FAR].page])
            place = self.now[i]
            place.value *= self.mean_factor(place.page)
            if fabs(place.value) < least:
                self.exact = False
                if fraction(drawn(key, place.page)) * least >= fabs(place.value):
                    continue
                place.value = least if place.value > 0 else -least
            self.now[kept] = place
            kept += 1
        return kept

    cdef void hand_on(self, int64_t count) noexcept nogil:
        cdef int64_t i
        cdef uint64_t j, begin, end, sent = 0
        cdef Place[WAITING] ring         # memory is asked for as a child comes, and used later
        cdef Place* place
        for i in range(count):
            if i + FAR < count:
                AHEAD(&self.web.out_offsets[self.now[i + FAR].page])
            if i + NEAR < count:
                AHEAD(&self.web.out_links[self.web.out_offsets[self.now[i + NEAR].page]])
            begin = self.web.out_offsets[self.now[i].page]
            end = self.web.out_offsets[self.now[i].page + 1]
            self.read += end - begin
            for j in range(begin, end):
                place = &ring[sent & (WAITING - 1)]
                if sent >= WAITING:
                    add(&self.here, place.page, place.value)
                place.page = self.web.out_links[j]
                place.value = self.now[i].value
                AHEAD(&self.here.values[place.page])
                AHEAD(&self.here.words[place.page >> 6])
                sent += 1
        begin = sent - WAITING if sent > WAITING else 0
        for j in range(begin, sent):
            add(&self.here, ring[j & (WAITING - 1)].page, ring[j & (WAITING - 1)].value)

    def found(self, double least):
        """The pages whose sum is at least this, the sum of each, and the sum of squares."""
        cdef int64_t i, n = 0, count = take(&self.sums, &self.now, &self.room_now, 0)
        with nogil:
            for i in range(count):
                add(&self.sums, self.now[i].page, self.now[i].value)
                if self.now[i].value >= least:
                    self.now[n] = self.now[i]
                    n += 1
        pages, sums, squares = np.empty(n, np.uint32), np.empty(n), np.empty(n)
        cdef uint32_t[::1] page_of = pages
        cdef double[::1] sum_of = sums
        cdef double[::1] square_of = squares
        with nogil:
            for i in range(n):
                page_of[i] = self.now[i].page
                sum_of[i] = self.now[i].value
                square_of[i] = self.squares[self.now[i].page]
        return pages, sums, squares

    def forget(self):
        """Begin anew."""
        cdef int64_t i, count
        with nogil:
            count = take(&self.sums, &self.now, &self.room_now, 0)
            for i in range(count):
                self.squares[self.now[i].page] = 0
        self.exact = True
