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
into a bucket for each block of pages, so that each block is at hand while it is added up.
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
    #endif
    """
    int FIRST_BIT(uint64_t) noexcept nogil
    void ADD(float*, const float*) noexcept nogil
    float SUM(const float*) noexcept nogil
    float SQUARES(const float*) noexcept nogil

cdef enum:
    LANES = 8
    ABREAST = 16             # pairs that walk together, so that memory answers while others move
    SHIFT = 13               # of a page number: its block
    BLOCK = 1 << SHIFT
    WORDS = BLOCK >> 6
    MOST_LEVELS = 4094
    COARSER = 4              # up to so many levels, each rounds to twice as much
    MARKS = 1 << 15          # words of the marks of pages; pages with the same last bits share one


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


cdef struct Place:           # what a page has, in each lane
    uint32_t page
    float[LANES] lanes

cdef struct Sent:            # something handed over a link
    uint32_t page            # to this one
    uint32_t place           # what: of the list `now`

cdef struct Heap:
    Sent* sent
    size_t count, room

cdef struct Bucket:          # all that is handed to the pages of a block
    Heap sent
    Heap alone               # lumps for pages that get nothing else

cdef struct Walk:            # pairs of walkers, for one lane of one place
    float* lane
    double weight            # what each pair stands for


cdef inline double sizes_of(const float* v) noexcept nogil:
    return ((fabsf(v[0]) + fabsf(v[4])) + (fabsf(v[2]) + fabsf(v[6]))) + (
        (fabsf(v[1]) + fabsf(v[5])) + (fabsf(v[3]) + fabsf(v[7]))
    )


cdef inline int put(Heap* heap, uint32_t page, uint32_t place) except -1 nogil:
    """Add to a heap that a place goes to a page."""
    if heap.count == heap.room:
        grow(<void**>&heap.sent, &heap.room, heap.count + 1, sizeof(Sent))
    heap.sent[heap.count] = Sent(page, place)
    heap.count += 1
    return 0


cdef inline int64_t lumps_of(Place* places, double lump) noexcept nogil:
    """Make the first of a list what has one lump, in each of the lanes; how many these are."""
    cdef int k
    memset(places, 0, LANES * sizeof(Place))
    for k in range(LANES):
        places[k].lanes[k] = <float>lump
    return LANES


cdef class Scratch:
    """The memory of one thread's estimates, for what one question visits."""

    cdef Web web
    cdef uint32_t page
    cdef double decay, stays, ratio
    cdef int64_t read
    cdef bint exact          # nothing was left to chance
    cdef Place* places       # where a walker from the page may be, level by level
    cdef Place* now          # what is handed on from the level at work
    cdef Place* found        # and what it becomes
    cdef Sent* lumps         # pages that have the least that is handed on, in one lane
    cdef Sent* handed        # those of the level at work
    cdef Bucket* buckets
    cdef Walk* walks
    cdef uint32_t* meeting   # where each walk begins
    cdef int64_t* counts     # how many pairs walk
    cdef int64_t* hits       # how many of them meet
    cdef float* sums         # of a block, the lanes of a page side by side
    cdef uint64_t[WORDS] met # a bit for each page of a block that has something
    cdef uint64_t* marks     # a bit for each page that gets more than lumps
    cdef int64_t[MOST_LEVELS + 2] starts
    cdef int64_t levels, n_now, n_found, n_lumps, n_buckets, n_walks
    cdef size_t room, room_now, room_found, room_lumps, room_handed
    cdef size_t room_walks, room_meeting, room_counts, room_hits

    def __cinit__(self):
        self.sums = <float*>claimed(BLOCK * LANES, sizeof(float))
        self.marks = <uint64_t*>claimed(MARKS, sizeof(uint64_t))

    def __dealloc__(self):
        cdef int64_t i
        for i in range(self.n_buckets):
            free(self.buckets[i].sent.sent)
            free(self.buckets[i].alone.sent)
        free(self.places)
        free(self.now)
        free(self.found)
        free(self.lumps)
        free(self.handed)
        free(self.buckets)
        free(self.walks)
        free(self.meeting)
        free(self.counts)
        free(self.hits)
        free(self.sums)
        free(self.marks)

    cdef int open_buckets(self, int64_t count) except -1 nogil:
        """Empty buckets for so many blocks, or more."""
        cdef int64_t i
        cdef size_t room = self.n_buckets
        for i in range(self.n_buckets):
            self.buckets[i].sent.count = self.buckets[i].alone.count = 0
        if count > self.n_buckets:
            grow(<void**>&self.buckets, &room, count, sizeof(Bucket))
            memset(&self.buckets[self.n_buckets], 0, (room - self.n_buckets) * sizeof(Bucket))
            self.n_buckets = room
        return 0

    cdef int go_back(self, uint64_t key, double least) except -1 nogil:
        """Where a walker from the page is after 1, 2, ... steps."""
        cdef int64_t i, k, begin = 0, end = 1, level = 0
        grow(<void**>&self.places, &self.room, 1, sizeof(Place))
        self.places[0].page = self.page
        for k in range(LANES):
            self.places[0].lanes[k] = 1
        while end > begin and level < MOST_LEVELS:
            self.starts[level] = begin
            least /= self.stays
            grow(<void**>&self.now, &self.room_now, LANES + end - begin, sizeof(Place))
            self.n_now = lumps_of(self.now, LANES * least)
            for i in range(begin, end):
                if i + FAR < end:
                    AHEAD(&self.web.in_offsets[self.places[i + FAR].page])
                if i + NEAR < end:
                    AHEAD(&self.web.in_links[self.web.in_offsets[self.places[i + NEAR].page]])
                self.hand_back(&self.places[i], drawn(key, level), least)
            self.gather(0, 0, 0, 0, 0)
            level += 1
            begin = end
            end += self.n_found - LANES
            grow(<void**>&self.places, &self.room, end, sizeof(Place))
            memcpy(&self.places[begin], self.found + LANES, (end - begin) * sizeof(Place))
        self.starts[level] = begin
        self.starts[level + 1] = end
        self.levels = level
        return 0

    cdef int hand_back(self, Place* place, uint64_t key, double least) except -1 nogil:
        cdef const uint32_t* parents = self.web.in_links + self.web.in_offsets[place.page]
        cdef uint64_t count = parents_of(&self.web, place.page), chosen, j
        cdef int64_t k
        cdef double offset
        if count == 0:
            return 0
        if self.stays * SUM(place.lanes) >= LANES * least * count:
            for k in range(LANES):
                self.now[self.n_now].lanes[k] = <float>(self.stays * place.lanes[k] / count)
            for j in range(count):
                self.send(parents[j], self.n_now)
            self.n_now += 1
            return 0
        self.exact = False
        key = drawn(key, place.page)
        for k in range(LANES):
            if place.lanes[k] == 0:
                continue
            chosen = <uint64_t>floor(
                self.stays * place.lanes[k] / (LANES * least) + fraction(drawn(key, 2 * k))
            )
            offset = fraction(drawn(key, 2 * k + 1))
            for j in range(chosen):
                self.send(parents[<uint64_t>((j + offset) * count / chosen)], k)
        return 0

    cdef inline int send(self, uint32_t page, int64_t place) except -1 nogil:
        """Hand a place of the list `now` to a page."""
        return put(&self.buckets[page >> SHIFT].sent, page, <uint32_t>place)

    cdef int gather(self, int64_t begin, int64_t end, uint64_t key, double sure,
                    double most) except -1 nogil:
        """Find what was sent to each page, and what the places from `begin` to `end` have."""
        cdef int64_t block
        grow(<void**>&self.found, &self.room_found, LANES, sizeof(Place))
        self.n_found = lumps_of(self.found, most)
        for block in range(self.n_buckets):
            self.round_alone(&self.buckets[block].alone, key)
            if self.buckets[block].sent.count == 0 and (
                begin == end or self.places[begin].page >> SHIFT != block
            ):
                continue
            self.add_up(&self.buckets[block].sent)
            while begin < end and self.places[begin].page >> SHIFT == block:
                self.add_place(&self.places[begin])
                begin += 1
            self.take(block, key, sure, most)
        return 0

    cdef int round_alone(self, Heap* heap, uint64_t key) except -1 nogil:
        """Let lumps that come alone become lumps of this level, by a draw; few parents get more."""
        cdef size_t i
        cdef uint32_t page, lane
        cdef uint64_t parents
        for i in range(heap.count):
            if i + FAR < heap.count:
                AHEAD(&self.web.in_offsets[heap.sent[i + FAR].page])
            page, lane = heap.sent[i].page, heap.sent[i].place
            parents = parents_of(&self.web, page)
            if parents < self.ratio:
                self.send(page, lane)
            elif fraction(drawn(key, (<uint64_t>lane + 1) << 32 | page)) * parents < self.ratio:
                self.add_lump(page, lane)
        self.read += heap.count
        heap.count = 0
        return 0

    cdef void add_up(self, Heap* heap) noexcept nogil:
        """Add what was sent to the pages of a block."""
        cdef size_t i
        cdef Sent* sent = heap.sent
        for i in range(heap.count):
            if i + FAR < heap.count:
                AHEAD(&self.now[sent[i + FAR].place])
                AHEAD(&self.now[sent[i + FAR].place].lanes[LANES - 1])
            ADD(self.sums_of(sent[i].page), self.now[sent[i].place].lanes)
        self.read += heap.count
        heap.count = 0

    cdef void add_place(self, Place* place) noexcept nogil:
        """Add what a page has as a place, as a sum over its parents."""
        cdef float factor = <float>(self.weight(place.page) / self.stays)
        cdef float* sums = self.sums_of(place.page)
        cdef int k
        for k in range(LANES):
            sums[k] += factor * place.lanes[k]

    cdef inline float* sums_of(self, uint32_t page) noexcept nogil:
        """Where the lanes of a page of the block at hand are added up."""
        cdef uint32_t at = page & (BLOCK - 1)
        AHEAD(&self.web.in_offsets[page])
        self.met[at >> 6] |= <uint64_t>1 << (at & 63)
        return self.sums + LANES * at

    cdef inline double weight(self, uint32_t page) noexcept nogil:
        """What a sum over the parents is divided by, and multiplied by √decay, to be the page's."""
        cdef uint64_t parents = parents_of(&self.web, page)
        return parents if parents else self.stays

    cdef int take(self, int64_t block, uint64_t key, double sure, double most) except -1 nogil:
        """Move what the pages of a block have to the lists, rounded where `most` is not 0."""
        cdef int64_t i
        cdef uint64_t bits
        cdef uint32_t at
        cdef Place* place
        cdef float* sums
        grow(<void**>&self.found, &self.room_found, self.n_found + BLOCK, sizeof(Place))
        for i in range(WORDS):
            bits = self.met[i]
            self.met[i] = 0
            while bits:
                at = <uint32_t>(i * 64 + FIRST_BIT(bits))
                bits &= bits - 1
                sums = self.sums + LANES * at
                place = &self.found[self.n_found]
                place.page = <uint32_t>(block * BLOCK + at)
                if most > 0:
                    self.n_found += self.rounded(place, sums, key, sure, most)
                else:
                    memcpy(place.lanes, sums, LANES * sizeof(float))
                    self.n_found += 1
                memset(sums, 0, LANES * sizeof(float))
        return 0

    cdef inline int rounded(self, Place* place, const float* sums, uint64_t key, double sure,
                            double most) except -1 nogil:
        """Whether more is left of what a page has than one lump, and what.

        It keeps all if the mean of its lanes is at least `sure`, times the part of them that have
        much, (Σ lanes)² / (8 Σ lanes²), and that is two of them or more.  Else each lane becomes
        0 or a lump of `most`, by a draw in proportion; one draw for all: as if they lay side by
        side, and every `most` counted.
        """
        cdef double total = SUM(sums), squares = SQUARES(sums), weight = self.weight(place.page)
        cdef double at, full = weight * most
        cdef int k, lumps = 0, lane = 0
        if sure == 0 or total * total >= 2 * squares and (
            total * total * total * self.stays > LANES * LANES * sure * weight * squares
        ):
            for k in range(LANES):
                place.lanes[k] = <float>(self.stays / weight) * sums[k]
            return True
        self.exact = False
        at = fraction(drawn(key, place.page)) * full
        if at + self.stays * sizes_of(sums) < full:
            return False
        for k in range(LANES):
            place.lanes[k] = 0
            at += self.stays * fabs(sums[k])
            while at >= full:
                at -= full
                place.lanes[k] += <float>(most if sums[k] > 0 else -most)
                lumps += 1
                lane = k
        if lumps == 1 and sums[lane] > 0:
            self.add_lump(place.page, lane)
            return False
        return lumps > 0

    cdef int meet(self, uint64_t key, double least) except -1 nogil:
        """Multiply each place by the chance that two walkers from there never meet again."""
        cdef int64_t i, k, level
        cdef uint64_t parents, draws
        cdef double each
        cdef Place* place
        self.n_walks = 0
        for level in range(1, self.levels + 1):
            each = LANES * least / self.stays ** level
            for i in range(self.starts[level], self.starts[level + 1]):
                if i + FAR < self.starts[level + 1]:
                    AHEAD(&self.web.in_offsets[self.places[i + FAR].page])
                place = &self.places[i]
                parents = parents_of(&self.web, place.page)
                draws = drawn(key, i)
                for k in range(LANES if parents else 0):
                    if place.lanes[k] == 0:
                        continue
                    if parents > 1 and fraction(drawn(draws, k)) * each < place.lanes[k]:
                        self.add_walk(place, k, each)
                    place.lanes[k] *= <float>(1 - self.decay / parents)
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

    cdef int add_walk(self, Place* place, int64_t k, double each) except -1 nogil:
        """Send so many pairs for a lane that none stands for more than `each`, one at least."""
        cdef int64_t n = self.n_walks
        cdef double value = max(each, place.lanes[k])
        grow(<void**>&self.walks, &self.room_walks, n + 1, sizeof(Walk))
        grow(<void**>&self.meeting, &self.room_meeting, n + 1, sizeof(uint32_t))
        grow(<void**>&self.counts, &self.room_counts, n + 1, sizeof(int64_t))
        self.meeting[n] = place.page
        self.counts[n] = <int64_t>ceil(value / each)
        self.walks[n] = Walk(&place.lanes[k], value / self.counts[n])
        self.n_walks += 1
        return 0

    cdef int go_forward(self, uint64_t key, double sure, double most, double last) except -1 nogil:
        """Hand on what the places have, level by level, to the pages themselves."""
        cdef int64_t level
        cdef double part
        self.n_lumps = 0
        for level in range(self.levels, 0, -1):
            part = self.stays ** level
            self.gather(self.starts[level], self.starts[level + 1], drawn(key, level), sure / part,
                        LANES * most * 2.0 ** min(level - 1, COARSER) / part)
            self.hand_on(level == 1)
            # What a page with one parent gets from a lump, in lumps of its own.
            self.ratio = 2 if level <= COARSER + 1 else 1
        cdef bint exact = self.exact
        self.gather(0, 0, 0, last, 1e300)
        self.exact = exact
        return 0

    cdef int hand_on(self, bint last) except -1 nogil:
        """Send what was found over all links; lumps alone, too, where this is not the last step."""
        cdef int64_t i, n_handed = self.n_lumps
        cdef uint64_t j
        cdef uint32_t page, child
        self.now, self.found = self.found, self.now
        self.room_now, self.room_found = self.room_found, self.room_now
        self.handed, self.lumps = self.lumps, self.handed
        self.room_handed, self.room_lumps = self.room_lumps, self.room_handed
        self.n_lumps = 0
        memset(self.marks, 0, MARKS * sizeof(uint64_t))
        for i in range(LANES, self.n_found):
            if i + FAR < self.n_found:
                AHEAD(&self.web.out_offsets[self.now[i + FAR].page])
            if i + NEAR < self.n_found:
                self.ask_children(self.now[i + NEAR].page)
            page = self.now[i].page
            for j in range(self.web.out_offsets[page], self.web.out_offsets[page + 1]):
                self.send(self.web.out_links[j], i)
                self.mark(self.web.out_links[j])
        for i in range(n_handed):
            if i + FAR < n_handed:
                AHEAD(&self.web.out_offsets[self.handed[i + FAR].page])
            if i + NEAR < n_handed:
                self.ask_children(self.handed[i + NEAR].page)
            page = self.handed[i].page
            for j in range(self.web.out_offsets[page], self.web.out_offsets[page + 1]):
                child = self.web.out_links[j]
                if self.marked(child):
                    self.send(child, self.handed[i].place)
                elif not last:
                    put(&self.buckets[child >> SHIFT].alone, child, self.handed[i].place)
        return 0

    cdef inline int add_lump(self, uint32_t page, uint32_t lane) except -1 nogil:
        grow(<void**>&self.lumps, &self.room_lumps, self.n_lumps + 1, sizeof(Sent))
        self.lumps[self.n_lumps] = Sent(page, lane)
        self.n_lumps += 1
        return 0

    cdef inline void ask_children(self, uint32_t page) noexcept nogil:
        cdef uint64_t begin = self.web.out_offsets[page]
        ask_ahead(self.web.out_links + begin, self.web.out_offsets[page + 1] - begin)

    cdef inline void mark(self, uint32_t page) noexcept nogil:
        self.marks[(page >> 6) & (MARKS - 1)] |= <uint64_t>1 << (page & 63)

    cdef inline bint marked(self, uint32_t page) noexcept nogil:
        return self.marks[(page >> 6) & (MARKS - 1)] >> (page & 63) & 1


def estimate(Scratch scratch, const uint64_t[::1] in_offsets, const uint32_t[::1] in_links,
             const uint64_t[::1] out_offsets, const uint32_t[::1] out_links, uint32_t page,
             double decay, uint64_t key, double back, double meeting, double sure, double forward,
             double last):
    """The pages like `page`, the mean of the lanes and its variance; links read; if it is exact.

    `back` is the least part of a score that is handed back, `meeting` the part that a pair of
    walkers stands for.  What is less than `sure` on the way forward is rounded to `forward`; at
    the pages themselves, what is less than `last` is left out; 0: nothing.
    """
    cdef int64_t i, k, n = 0
    cdef double mean, square
    cdef Place* place
    scratch.web.in_offsets, scratch.web.out_offsets = &in_offsets[0], &out_offsets[0]
    if in_links.shape[0]:
        scratch.web.in_links, scratch.web.out_links = &in_links[0], &out_links[0]
    scratch.page, scratch.decay, scratch.stays = page, decay, decay ** 0.5
    scratch.read, scratch.exact = 0, True
    with nogil:
        scratch.open_buckets(((in_offsets.shape[0] - 2) >> SHIFT) + 1)
        memset(scratch.sums, 0, BLOCK * LANES * sizeof(float))
        memset(scratch.met, 0, sizeof(scratch.met))
        scratch.go_back(drawn(key, 0), back)
        scratch.meet(drawn(key, 1), meeting)
        scratch.go_forward(drawn(key, 2), sure, forward, last)
    pages = np.empty(scratch.n_found - LANES, np.uint32)
    means, variances = np.empty(len(pages)), np.empty(len(pages))
    cdef uint32_t[::1] page_of = pages
    cdef double[::1] mean_of = means
    cdef double[::1] variance_of = variances
    with nogil:
        for i in range(LANES, scratch.n_found):
            place = &scratch.found[i]
            if place.page == page:
                continue
            mean = SUM(place.lanes) / LANES
            square = 0
            for k in range(LANES):
                square += (place.lanes[k] - mean) ** 2
            page_of[n], mean_of[n] = place.page, mean
            variance_of[n] = square / (LANES * (LANES - 1))
            n += 1
    return pages[:n], means[:n], variances[:n], scratch.read, scratch.exact
