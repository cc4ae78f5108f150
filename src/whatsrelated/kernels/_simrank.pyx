# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""SimRank of one page with all others: eight estimates at once, each right on the average.

Two walkers start from two pages and go back over links, each to any parent
with the same chance; before each step, each stops with the chance 1 - √decay.
SimRank is the chance that they meet, which is the sum over every place (w, l),
page w after l steps, of

    P(the first is at w after l steps) · P(the second is) · P(from w, two never meet again).

1. Go back from the page, level by level: the first factor.  Where a page has too little to
   hand on to all its parents, some are drawn, and get more.
2. Send pairs of walkers from the places: the third factor.
3. Go forward over links from the last level to the pages themselves: the second.  What is
   too little to be handed on is lost or made more, a lump, by a draw.  Where a page gets one
   lump and nothing else, that is drawn on its own.  A page gets the mean over its parents: one
   that only lumps lead to has too little to be listed, and at last gets nothing.

The eight estimates, the lanes, have draws of their own, and go together: a link is read once
for all, and what they differ by tells how good their mean is.  What is handed over links goes
onto a heap for each block of pages, so that each block is at hand while it is added up.
Memory is for what is visited, never for all pages.

Draws depend on the key, the level and the page, never on the order of work.
"""

from libc.math cimport ceil, fabs, fabsf, floor
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from whatsrelated.kernels._memory cimport AHEAD, FAR, NEAR, ask_ahead, claimed, grow

import numpy as np

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define FIRST_BIT(word) __builtin_ctzll(word)
    typedef float four __attribute__((vector_size(16), aligned(4), may_alias));
    static inline void ADD(float* sums, const float* lanes) {
        ((four*)sums)[0] += ((const four*)lanes)[0];
        ((four*)sums)[1] += ((const four*)lanes)[1];
    }
    static inline float SUM(const float* lanes) {
        const four* v = (const four*)lanes;
        four s = v[0] + v[1];
        return (s[0] + s[2]) + (s[1] + s[3]);
    }
    static inline float SQUARES(const float* lanes) {
        const four* v = (const four*)lanes;
        four s = v[0] * v[0] + v[1] * v[1];
        return (s[0] + s[2]) + (s[1] + s[3]);
    }
    static inline void TIMES(float* lanes, const float* sums, float factor) {
        ((four*)lanes)[0] = factor * ((const four*)sums)[0];
        ((four*)lanes)[1] = factor * ((const four*)sums)[1];
    }
    #else
    static int FIRST_BIT(unsigned long long word) {
        int at = 0;
        while (!(word & 1)) { word >>= 1; at++; }
        return at;
    }
    static void ADD(float* sums, const float* lanes) {
        for (int k = 0; k < 8; k++) sums[k] += lanes[k];
    }
    static float SUM(const float* v) {
        return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
    }
    static float SQUARES(const float* v) {
        float s[8];
        for (int k = 0; k < 8; k++) s[k] = v[k] * v[k];
        return SUM(s);
    }
    static void TIMES(float* lanes, const float* sums, float factor) {
        for (int k = 0; k < 8; k++) lanes[k] = factor * sums[k];
    }
    #endif
    """
    int FIRST_BIT(uint64_t) noexcept nogil
    void ADD(float*, const float*) noexcept nogil
    float SUM(const float*) noexcept nogil
    float SQUARES(const float*) noexcept nogil
    void TIMES(float*, const float*, float) noexcept nogil

cdef enum:
    LANES = 8
    ABREAST = 16             # pairs that walk together, so that memory answers while others move
    SHIFT = 13               # of a page number: its block
    BLOCK = 1 << SHIFT
    WORDS = BLOCK >> 6
    MOST_LEVELS = 4094
    COARSEST = 5             # up to this level, each rounds to more than the one after it
    LINE = 64                # bytes that memory gives at a time


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


cdef inline double coarseness(int64_t level) noexcept nogil:
    """How much more is a lump than at the first level: 1, 3, 5, 7, 9."""
    return 2 * min(level, COARSEST) - 1


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


cdef struct Places:          # pages, and what each has: its lanes, side by side
    uint32_t* pages
    float* lanes
    void* memory             # of the lanes
    size_t count, room, room_pages

cdef struct Sent:            # something handed over a link
    uint32_t page            # to this one
    uint32_t what            # the number of a place, or the lane of a lump

cdef struct Heap:
    Sent* sent
    size_t count, room

cdef struct Walk:            # pairs of walkers, for one lane of one place
    float* lane
    double weight            # what each pair stands for


cdef int reserve(Places* places, size_t want) except -1 nogil:
    """Make room for so many places; the lanes of each lie on one line of memory."""
    cdef void* memory
    cdef float* lanes
    if want <= places.room:
        return 0
    grow(<void**>&places.pages, &places.room_pages, want, sizeof(uint32_t))
    memory = claimed(places.room_pages * LANES + LINE, sizeof(float))
    lanes = <float*>((<size_t>memory + LINE - 1) // LINE * LINE)
    if places.count:
        memcpy(lanes, places.lanes, places.count * LANES * sizeof(float))
    free(places.memory)
    places.lanes, places.memory, places.room = lanes, memory, places.room_pages
    return 0


cdef void give_back(Places* places) noexcept nogil:
    free(places.pages)
    free(places.memory)


cdef inline int put(Heap* heap, uint32_t page, uint32_t what) except -1 nogil:
    """Add to a heap that something goes to a page."""
    if heap.count == heap.room:
        grow(<void**>&heap.sent, &heap.room, heap.count + 1, sizeof(Sent))
    heap.sent[heap.count] = Sent(page, what)
    heap.count += 1
    return 0


cdef inline double sizes_of(const float* v) noexcept nogil:
    return ((fabsf(v[0]) + fabsf(v[4])) + (fabsf(v[2]) + fabsf(v[6]))) + (
        (fabsf(v[1]) + fabsf(v[5])) + (fabsf(v[3]) + fabsf(v[7]))
    )


cdef inline bint much(double total, double squares, double least) noexcept nogil:
    """Whether lanes of this sum have `least` in all, and two of them something, or more."""
    return total * total >= 2 * squares and total * total * total > least * squares


cdef class Scratch:
    """The memory of one thread's estimates, for what one question visits."""

    cdef Web web
    cdef uint32_t page
    cdef double decay, stays
    cdef int64_t read
    cdef bint exact          # nothing was left to chance
    cdef Places places       # where a walker from the page may be, level by level
    cdef Places now          # what is handed on from the level at work
    cdef Places found        # and what it becomes
    cdef Heap lumps          # pages that have the least that is handed on, in one lane
    cdef Heap handed         # those of the level at work
    cdef float lump          # how much that is
    cdef double ratio        # and what a page with one parent gets, in lumps of its own
    cdef Heap* sent          # for each block of pages, the places handed to them
    cdef Heap* dropped       # and the lumps
    cdef Walk* walks
    cdef uint32_t* meeting   # where each walk begins
    cdef int64_t* counts     # how many pairs walk
    cdef int64_t* hits       # how many of them meet
    cdef Places sums         # of a block
    cdef uint64_t[WORDS] met # a bit for each page of a block that has something
    cdef int64_t[MOST_LEVELS + 2] starts
    cdef int64_t levels, n_blocks, n_walks
    cdef size_t room_walks, room_meeting, room_counts, room_hits

    def __cinit__(self):
        reserve(&self.sums, BLOCK)

    def __dealloc__(self):
        cdef int64_t i
        for i in range(self.n_blocks):
            free(self.sent[i].sent)
            free(self.dropped[i].sent)
        give_back(&self.places)
        give_back(&self.now)
        give_back(&self.found)
        give_back(&self.sums)
        free(self.lumps.sent)
        free(self.handed.sent)
        free(self.sent)
        free(self.dropped)
        free(self.walks)
        free(self.meeting)
        free(self.counts)
        free(self.hits)

    cdef int clear(self, int64_t blocks) except -1 nogil:
        """Forget the last question, and make heaps for so many blocks, or more."""
        cdef int64_t i
        cdef size_t room = self.n_blocks, other = self.n_blocks
        memset(self.sums.lanes, 0, BLOCK * LANES * sizeof(float))
        memset(self.met, 0, sizeof(self.met))
        self.places.count = self.now.count = self.lumps.count = self.handed.count = 0
        for i in range(self.n_blocks):
            self.sent[i].count = self.dropped[i].count = 0
        if blocks > self.n_blocks:
            grow(<void**>&self.sent, &room, blocks, sizeof(Heap))
            memset(&self.sent[self.n_blocks], 0, (room - self.n_blocks) * sizeof(Heap))
            grow(<void**>&self.dropped, &other, blocks, sizeof(Heap))
            memset(&self.dropped[self.n_blocks], 0, (other - self.n_blocks) * sizeof(Heap))
            self.n_blocks = room
        return 0

    cdef int go_back(self, uint64_t key, double least) except -1 nogil:
        """Where a walker from the page is after 1, 2, ... steps."""
        cdef size_t i, k, begin = 0, end = 1
        cdef int64_t level = 0
        reserve(&self.places, 1)
        self.places.pages[0] = self.page
        for k in range(LANES):
            self.places.lanes[k] = 1
        self.ratio = 1e300
        while end > begin and level < MOST_LEVELS:
            self.starts[level] = begin
            least /= self.stays
            self.lump = <float>(LANES * least)
            self.now.count = 0
            reserve(&self.now, end - begin)
            for i in range(begin, end):
                if i + FAR < end:
                    AHEAD(&self.web.in_offsets[self.places.pages[i + FAR]])
                if i + NEAR < end:
                    AHEAD(&self.web.in_links[self.web.in_offsets[self.places.pages[i + NEAR]]])
                self.hand_back(i, drawn(key, level), least)
            self.gather(0, 0, 0, 0, 0)
            level += 1
            begin, end = end, end + self.found.count
            self.places.count = begin
            reserve(&self.places, end)
            memcpy(self.places.pages + begin, self.found.pages,
                   self.found.count * sizeof(uint32_t))
            memcpy(self.places.lanes + LANES * begin, self.found.lanes,
                   self.found.count * LANES * sizeof(float))
        self.starts[level] = begin
        self.starts[level + 1] = end
        self.levels = level
        return 0

    cdef int hand_back(self, size_t place, uint64_t key, double least) except -1 nogil:
        cdef uint32_t page = self.places.pages[place]
        cdef const float* lanes = self.places.lanes + LANES * place
        cdef const uint32_t* parents = self.web.in_links + self.web.in_offsets[page]
        cdef uint64_t count = parents_of(&self.web, page), chosen, j
        cdef size_t n = self.now.count
        cdef int64_t k
        cdef double offset
        cdef uint32_t parent
        if count == 0:
            return 0
        if self.stays * SUM(lanes) >= LANES * least * count:
            for k in range(LANES):
                self.now.lanes[LANES * n + k] = <float>(self.stays * lanes[k] / count)
            for j in range(count):
                put(&self.sent[parents[j] >> SHIFT], parents[j], <uint32_t>n)
            self.now.count += 1
            return 0
        self.exact = False
        key = drawn(key, page)
        for k in range(LANES):
            if lanes[k] == 0:
                continue
            chosen = <uint64_t>floor(
                self.stays * lanes[k] / (LANES * least) + fraction(drawn(key, 2 * k))
            )
            offset = fraction(drawn(key, 2 * k + 1))
            for j in range(chosen):
                parent = parents[<uint64_t>((j + offset) * count / chosen)]
                put(&self.dropped[parent >> SHIFT], parent, <uint32_t>k)
        return 0

    cdef int gather(self, size_t begin, size_t end, uint64_t key, double sure,
                    double most) except -1 nogil:
        """Find what was sent to each page, and what the places from `begin` to `end` have."""
        cdef int64_t block
        self.found.count = 0
        for block in range(self.n_blocks):
            if self.sent[block].count + self.dropped[block].count == 0 and (
                begin == end or self.places.pages[begin] >> SHIFT != block
            ):
                continue
            self.add_up(&self.sent[block])
            self.add_lumps(&self.dropped[block], key)
            while begin < end and self.places.pages[begin] >> SHIFT == block:
                self.add_place(begin)
                begin += 1
            self.take(block, key, sure, most)
        return 0

    cdef void add_up(self, Heap* heap) noexcept nogil:
        """Add what was sent to the pages of a block."""
        cdef size_t i
        cdef const Sent* sent = heap.sent
        for i in range(heap.count):
            if i + 2 * FAR < heap.count:
                AHEAD(self.now.lanes + LANES * <size_t>sent[i + 2 * FAR].what)
            ADD(self.sums_of(sent[i].page), self.now.lanes + LANES * <size_t>sent[i].what)
        self.read += heap.count
        heap.count = 0

    cdef int add_lumps(self, Heap* heap, uint64_t key) except -1 nogil:
        """Add lumps to what has something; let the others become lumps of this level, by a draw.

        Where a page's few parents make one more than a lump of this level, it is added, too.
        """
        cdef size_t i, alone = 0
        cdef uint32_t page, lane
        cdef uint64_t parents
        cdef bint met
        for i in range(heap.count):
            page, lane = heap.sent[i].page, heap.sent[i].what
            met = self.has_something(page)
            AHEAD(&self.web.in_offsets[page])
            self.sums_at(page)[lane] += met * self.lump
            heap.sent[alone] = heap.sent[i]
            alone += 1 - met
        self.read += heap.count
        heap.count = 0
        for i in range(alone if self.ratio > 0 else 0):
            page, lane = heap.sent[i].page, heap.sent[i].what
            parents = parents_of(&self.web, page)
            if parents < self.ratio:
                self.sums_of(page)[lane] += self.lump
            elif fraction(drawn(key, (<uint64_t>lane + 1) << 32 | page)) * parents < self.ratio:
                put(&self.lumps, page, lane)
        return 0

    cdef void add_place(self, size_t place) noexcept nogil:
        """Add what a page has as a place, as a sum over its parents."""
        cdef uint32_t page = self.places.pages[place]
        cdef float factor = <float>(self.weight(page) / self.stays)
        cdef float* sums = self.sums_of(page)
        cdef int k
        for k in range(LANES):
            sums[k] += factor * self.places.lanes[LANES * place + k]

    cdef inline float* sums_at(self, uint32_t page) noexcept nogil:
        """Where the lanes of a page of the block at hand are added up."""
        return self.sums.lanes + LANES * (page & (BLOCK - 1))

    cdef inline float* sums_of(self, uint32_t page) noexcept nogil:
        """The same, for a page that now has something."""
        AHEAD(&self.web.in_offsets[page])
        self.met[(page & (BLOCK - 1)) >> 6] |= <uint64_t>1 << (page & 63)
        return self.sums_at(page)

    cdef inline bint has_something(self, uint32_t page) noexcept nogil:
        return self.met[(page & (BLOCK - 1)) >> 6] >> (page & 63) & 1

    cdef inline double weight(self, uint32_t page) noexcept nogil:
        """What a sum over the parents is divided by, and multiplied by √decay, to be the page's."""
        cdef uint64_t parents = parents_of(&self.web, page)
        return parents if parents else self.stays

    cdef int take(self, int64_t block, uint64_t key, double sure, double most) except -1 nogil:
        """Move what the pages of a block have to the lists, rounded where `most` is not 0."""
        cdef int64_t i
        cdef uint64_t bits
        cdef uint32_t at
        cdef float* sums
        cdef float* lanes
        cdef size_t n = self.found.count
        reserve(&self.found, n + BLOCK)
        for i in range(WORDS):
            bits = self.met[i]
            self.met[i] = 0
            while bits:
                at = <uint32_t>(i * 64 + FIRST_BIT(bits))
                bits &= bits - 1
                sums = self.sums.lanes + LANES * at
                lanes = self.found.lanes + LANES * n
                self.found.pages[n] = <uint32_t>(block * BLOCK + at)
                if most > 0:
                    n += self.rounded(self.found.pages[n], sums, lanes, key, sure, most)
                else:
                    memcpy(lanes, sums, LANES * sizeof(float))
                    n += 1
                memset(sums, 0, LANES * sizeof(float))
        self.found.count = n
        return 0

    cdef inline int rounded(self, uint32_t page, const float* sums, float* lanes, uint64_t key,
                            double sure, double most) except -1 nogil:
        """Whether more is left of what a page has than one lump, and what.

        It keeps all if the mean of its lanes is at least `sure`, times the part of them that have
        much, (Σ lanes)² / (8 Σ lanes²), and that is two of them or more.  Else each lane becomes
        0 or a lump of `most`, by a draw in proportion; one draw for all: as if they lay side by
        side, and every `most` counted.
        """
        cdef double total = SUM(sums), weight = self.weight(page), full, at
        cdef int k, lumps = 0, lane = 0
        # The first condition follows from the second, and is cheap.
        if sure == 0 or self.stays * total >= LANES * sure * weight and much(
            total, SQUARES(sums), LANES * LANES * sure * weight / self.stays
        ):
            TIMES(lanes, sums, <float>(self.stays / weight))
            return True
        self.exact = False
        full = weight * most
        at = fraction(drawn(key, page)) * full
        if at + self.stays * sizes_of(sums) < full:
            return False
        for k in range(LANES):
            lanes[k] = 0
            at += self.stays * fabs(sums[k])
            while at >= full:
                at -= full
                lanes[k] += <float>(most if sums[k] > 0 else -most)
                lumps += 1
                lane = k
        if lumps == 1 and sums[lane] > 0:
            put(&self.lumps, page, lane)
            return False
        return lumps > 0

    cdef int meet(self, uint64_t key, double least) except -1 nogil:
        """Multiply each place by the chance that two walkers from there never meet again."""
        cdef int64_t i, k, level
        cdef uint64_t parents, draws
        cdef double each
        cdef float* lanes
        self.n_walks = 0
        for level in range(1, self.levels + 1):
            each = LANES * least / self.stays ** level
            for i in range(self.starts[level], self.starts[level + 1]):
                if i + FAR < self.starts[level + 1]:
                    AHEAD(&self.web.in_offsets[self.places.pages[i + FAR]])
                lanes = self.places.lanes + LANES * i
                parents = parents_of(&self.web, self.places.pages[i])
                draws = drawn(key, i)
                for k in range(LANES if parents else 0):
                    if lanes[k] == 0:
                        continue
                    if parents > 1 and fraction(drawn(draws, k)) * each < lanes[k]:
                        self.add_walk(self.places.pages[i], &lanes[k], each)
                    lanes[k] *= <float>(1 - self.decay / parents)
                self.exact = self.exact and parents < 2
        grow(<void**>&self.hits, &self.room_hits, self.n_walks + 1, sizeof(int64_t))
        memset(self.hits, 0, self.n_walks * sizeof(int64_t))
        send(&self.web, self.meeting, self.meeting, self.counts, self.n_walks, self.decay,
             drawn(key, self.starts[self.levels + 1]), self.hits)
        for i in range(self.n_walks):
            if self.hits[i]:
                parents = parents_of(&self.web, self.meeting[i])
                self.walks[i].lane[0] -= <float>(
                    self.walks[i].weight * self.hits[i] * self.decay * (1 - 1.0 / parents)
                )
        return 0

    cdef int add_walk(self, uint32_t page, float* lane, double each) except -1 nogil:
        """Send so many pairs for a lane that none stands for more than `each`, one at least."""
        cdef int64_t n = self.n_walks
        cdef double value = max(each, lane[0])
        grow(<void**>&self.walks, &self.room_walks, n + 1, sizeof(Walk))
        grow(<void**>&self.meeting, &self.room_meeting, n + 1, sizeof(uint32_t))
        grow(<void**>&self.counts, &self.room_counts, n + 1, sizeof(int64_t))
        self.meeting[n] = page
        self.counts[n] = <int64_t>ceil(value / each)
        self.walks[n] = Walk(lane, value / self.counts[n])
        self.n_walks += 1
        return 0

    cdef int go_forward(self, uint64_t key, double sure, double most, double last) except -1 nogil:
        """Hand on what the places have, level by level, to the pages themselves."""
        cdef int64_t level
        cdef double part, lump
        for level in range(self.levels, 0, -1):
            part = self.stays ** level
            lump = LANES * most * coarseness(level) / part
            self.ratio = coarseness(level + 1) / coarseness(level)
            self.gather(self.starts[level], self.starts[level + 1], drawn(key, level), sure / part,
                        lump)
            self.lump = <float>lump
            self.hand_on()
        cdef bint exact = self.exact
        self.ratio = 0
        self.gather(0, 0, 0, last, 1e300)
        self.exact = exact
        return 0

    cdef int hand_on(self) except -1 nogil:
        """Send what was found over all links, places and lumps."""
        cdef size_t i
        self.now, self.found = self.found, self.now
        self.handed, self.lumps = self.lumps, self.handed
        self.lumps.count = 0
        for i in range(self.now.count):
            if i + FAR < self.now.count:
                AHEAD(&self.web.out_offsets[self.now.pages[i + FAR]])
            if i + NEAR < self.now.count:
                self.ask_children(self.now.pages[i + NEAR])
            self.send_on(self.sent, self.now.pages[i], <uint32_t>i)
        for i in range(self.handed.count):
            if i + FAR < self.handed.count:
                AHEAD(&self.web.out_offsets[self.handed.sent[i + FAR].page])
            if i + NEAR < self.handed.count:
                self.ask_children(self.handed.sent[i + NEAR].page)
            self.send_on(self.dropped, self.handed.sent[i].page, self.handed.sent[i].what)
        return 0

    cdef inline int send_on(self, Heap* heaps, uint32_t page, uint32_t what) except -1 nogil:
        """Put something into the heaps for all children of a page."""
        cdef uint64_t j
        cdef uint32_t child
        for j in range(self.web.out_offsets[page], self.web.out_offsets[page + 1]):
            child = self.web.out_links[j]
            put(&heaps[child >> SHIFT], child, what)
        return 0

    cdef inline void ask_children(self, uint32_t page) noexcept nogil:
        cdef uint64_t begin = self.web.out_offsets[page]
        ask_ahead(self.web.out_links + begin, self.web.out_offsets[page + 1] - begin)


def estimate(Scratch scratch, const uint64_t[::1] in_offsets, const uint32_t[::1] in_links,
             const uint64_t[::1] out_offsets, const uint32_t[::1] out_links, uint32_t page,
             double decay, uint64_t key, double back, double meeting, double sure, double forward,
             double last):
    """The pages like `page`: the lanes' mean, its variance; links read; if it is exact; the lanes.

    `back` is the least part of a score that is handed back, `meeting` the part that a pair of
    walkers stands for.  What is less than `sure` on the way forward is rounded to `forward`; at
    the pages themselves, what is less than `last` is left out; 0: nothing.
    """
    cdef size_t i, n = 0
    cdef int64_t k
    cdef double mean, square
    cdef const float* lanes
    scratch.web.in_offsets, scratch.web.out_offsets = &in_offsets[0], &out_offsets[0]
    if in_links.shape[0]:
        scratch.web.in_links, scratch.web.out_links = &in_links[0], &out_links[0]
    scratch.page, scratch.decay, scratch.stays = page, decay, decay ** 0.5
    scratch.read, scratch.exact = 0, True
    with nogil:
        scratch.clear(((in_offsets.shape[0] - 2) >> SHIFT) + 1)
        scratch.go_back(drawn(key, 0), back)
        scratch.meet(drawn(key, 1), meeting)
        scratch.go_forward(drawn(key, 2), sure, forward, last)
    pages = np.empty(scratch.found.count, np.uint32)
    means, variances = np.empty(len(pages)), np.empty(len(pages))
    estimates = np.empty((len(pages), LANES), np.float32)
    cdef uint32_t[::1] page_of = pages
    cdef float[:, ::1] lanes_of = estimates
    cdef double[::1] mean_of = means
    cdef double[::1] variance_of = variances
    with nogil:
        for i in range(scratch.found.count):
            if scratch.found.pages[i] == page:
                continue
            lanes = scratch.found.lanes + LANES * i
            mean = SUM(lanes) / LANES
            square = 0
            for k in range(LANES):
                square += (lanes[k] - mean) ** 2
            page_of[n], mean_of[n] = scratch.found.pages[i], mean
            variance_of[n] = square / (LANES * (LANES - 1))
            memcpy(&lanes_of[n, 0], lanes, LANES * sizeof(float))
            n += 1
    return pages[:n], means[:n], variances[:n], scratch.read, scratch.exact, estimates[:n]
