# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""SimRank of one page with all others: eight unbiased estimates at once.

Two walkers start from two pages and follow links backwards, each to a random parent;
before each step, each stops with probability 1 - √decay.  SimRank is the probability
that they meet, which is the sum over every place (w, l), page w after l steps, of

    P(the first is at w after l steps) · P(the second is) · P(from w, two never meet again).

1. Go back from the page, level by level: the first factor. If a page has too little to hand on to
   every parent, a random few of them get larger shares.
2. Send pairs of walkers from the places: the third factor.
3. Go forward over links from the last level to the pages themselves: the second. Values too small
   to hand on are randomly rounded to 0 or one quantum. A page with a single quantum is drawn
   separately. A page gets the mean over its parents. If only quanta lead to it, that mean is too
   small to list, and the page is dropped.

The eight estimates, called lanes, use separate draws but share the work: each link is read once for
all of them. Their spread shows how accurate the mean is. Values sent over links are collected in
one batch per block of pages, so a block stays in the cache while it is summed. Memory is
proportional to the pages visited.

Draws depend on the key, the level and the page, never on the order of work.

The pairs of walkers are in `_meeting_walks.pyx`.  More than 400 lines: the three steps share
one memory and are best read together.
"""

from libc.math cimport ceil, fabs, fabsf, floor
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from whatsrelated.kernels.shared._lanes cimport (
    LANES, Batch, Places, Sent, free_places, put, reserve
)
from whatsrelated.kernels.shared._links cimport (
    Adjacency, Links, Span, degree_of, link_at, links_of, prefetch_all_links, prefetch_degree,
    prefetch_links
)
from whatsrelated.kernels.shared._memory cimport FAR, NEAR, PREFETCH, grow
from whatsrelated.kernels.shared._random cimport draw, fraction
from whatsrelated.kernels.asking._meeting_walks cimport Walks, send_walkers

import numpy as np

cdef extern from "lanes.h" nogil:
    int FIRST_BIT(uint64_t) noexcept
    void ADD(float*, const float*) noexcept
    float SUM(const float*) noexcept
    float SQUARES(const float*) noexcept
    void TIMES(float*, const float*, float) noexcept

cdef enum:
    SHIFT = 13               # low bits of a page number that do not select its block
    BLOCK = 1 << SHIFT
    WORDS = BLOCK >> 6
    MOST_LEVELS = 4094
    COARSEST = 5             # the quantum stops growing at this level


cdef inline double coarseness(int64_t level) noexcept nogil:
    """The quantum relative to the first level's: 1, 3, 5, 7, 9."""
    return 2 * min(level, COARSEST) - 1


cdef struct Walk:            # pairs of walkers, for one lane of one place
    float* lane
    double weight            # the weight of each pair


cdef inline double total_size(const float* v) noexcept nogil:
    return ((fabsf(v[0]) + fabsf(v[4])) + (fabsf(v[2]) + fabsf(v[6]))) + (
        (fabsf(v[1]) + fabsf(v[5])) + (fabsf(v[3]) + fabsf(v[7]))
    )


cdef inline bint is_significant(double total, double squares, double least) noexcept nogil:
    """Whether the effective number of lanes, (Σ lanes)² / Σ lanes², is at least 2, and its product
    with the sum is more than `least`.
    """
    return total * total >= 2 * squares and total * total * total > least * squares


cdef class Scratch:
    """One thread's memory for the pages that one query visits."""

    cdef Adjacency children, parents
    cdef uint32_t page
    cdef double decay, root_decay
    cdef int64_t read
    cdef bint exact          # nothing was drawn at random
    cdef Places places       # where a walker from the page may be, level by level
    cdef Places now          # values that the current level hands on
    cdef Places found        # values that the next level receives
    cdef Batch quanta        # pages with a single quantum, in one lane
    cdef Batch quanta_before # the same, for the current level
    cdef float quantum
    cdef double ratio        # what a quantum is worth to a page with one parent, in the level's quanta
    cdef Batch* sent         # for each block of pages, the places handed to them
    cdef Batch* quanta_sent  # for each block of pages, the quanta
    cdef Walk* walks
    cdef uint32_t* meeting   # where each walk begins
    cdef int64_t* counts     # number of pairs
    cdef int64_t* hits       # number of pairs that meet
    cdef Places sums         # of a block
    cdef uint64_t[WORDS] met # one bit per page of a block, set if it has a value
    cdef int64_t[MOST_LEVELS + 2] starts
    cdef int64_t levels, n_blocks, n_walks
    cdef size_t room_walks, room_meeting, room_counts, room_hits

    def __cinit__(self):
        reserve(&self.sums, BLOCK)

    def __dealloc__(self):
        cdef int64_t i
        for i in range(self.n_blocks):
            free(self.sent[i].sent)
            free(self.quanta_sent[i].sent)
        free_places(&self.places)
        free_places(&self.now)
        free_places(&self.found)
        free_places(&self.sums)
        free(self.quanta.sent)
        free(self.quanta_before.sent)
        free(self.sent)
        free(self.quanta_sent)
        free(self.walks)
        free(self.meeting)
        free(self.counts)
        free(self.hits)

    cdef int clear(self, int64_t blocks) except -1 nogil:
        """Forget the last query; make batches for at least `blocks` blocks."""
        cdef int64_t i
        cdef size_t room = self.n_blocks, other = self.n_blocks
        memset(self.sums.lanes, 0, BLOCK * LANES * sizeof(float))
        memset(self.met, 0, sizeof(self.met))
        self.places.count = self.now.count = self.quanta.count = self.quanta_before.count = 0
        for i in range(self.n_blocks):
            self.sent[i].count = self.quanta_sent[i].count = 0
        if blocks > self.n_blocks:
            grow(<void**>&self.sent, &room, blocks, sizeof(Batch))
            memset(&self.sent[self.n_blocks], 0, (room - self.n_blocks) * sizeof(Batch))
            grow(<void**>&self.quanta_sent, &other, blocks, sizeof(Batch))
            memset(&self.quanta_sent[self.n_blocks], 0, (other - self.n_blocks) * sizeof(Batch))
            self.n_blocks = room
        return 0

    cdef int go_back(self, uint64_t key, double least) except -1 nogil:
        """Find where a walker from the page may be after 1, 2, ... steps."""
        cdef size_t i, k, begin = 0, end = 1
        cdef int64_t level = 0
        reserve(&self.places, 1)
        self.places.pages[0] = self.page
        for k in range(LANES):
            self.places.lanes[k] = 1
        self.ratio = 1e300
        while end > begin and level < MOST_LEVELS:
            self.starts[level] = begin
            least /= self.root_decay
            self.quantum = <float>(LANES * least)
            self.now.count = 0
            reserve(&self.now, end - begin)
            for i in range(begin, end):
                if i + FAR < end:
                    prefetch_degree(&self.parents, self.places.pages[i + FAR])
                if i + NEAR < end:
                    prefetch_links(&self.parents, self.places.pages[i + NEAR])
                self.push_back(i, draw(key, level), least)
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

    cdef int push_back(self, size_t place, uint64_t key, double least) except -1 nogil:
        cdef uint32_t page = self.places.pages[place]
        cdef const float* lanes = self.places.lanes + LANES * place
        cdef uint64_t count = degree_of(&self.parents, page), chosen, j
        cdef size_t n = self.now.count
        cdef int64_t k
        cdef double offset
        cdef uint32_t parent
        cdef Span parents
        if count == 0:
            return 0
        if self.root_decay * SUM(lanes) >= LANES * least * count:
            for k in range(LANES):
                self.now.lanes[LANES * n + k] = <float>(self.root_decay * lanes[k] / count)
            parents = links_of(&self.parents, page)
            for j in range(parents.count):
                put(&self.sent[parents.pages[j] >> SHIFT], parents.pages[j], <uint32_t>n)
            self.now.count += 1
            return 0
        self.exact = False
        key = draw(key, page)
        for k in range(LANES):
            if lanes[k] == 0:
                continue
            chosen = <uint64_t>floor(
                self.root_decay * lanes[k] / (LANES * least) + fraction(draw(key, 2 * k))
            )
            offset = fraction(draw(key, 2 * k + 1))
            for j in range(chosen):
                parent = link_at(
                    &self.parents, page, <uint64_t>((j + offset) * count / chosen))
                put(&self.quanta_sent[parent >> SHIFT], parent, <uint32_t>k)
        return 0

    cdef int gather(self, size_t begin, size_t end, uint64_t key, double significant,
                    double most) except -1 nogil:
        """Sum the values sent to each page and the values of the places from `begin` to `end`."""
        cdef int64_t block
        self.found.count = 0
        for block in range(self.n_blocks):
            if self.sent[block].count + self.quanta_sent[block].count == 0 and (
                begin == end or self.places.pages[begin] >> SHIFT != block
            ):
                continue
            self.add_up(&self.sent[block])
            self.add_quanta(&self.quanta_sent[block], key)
            while begin < end and self.places.pages[begin] >> SHIFT == block:
                self.add_place(begin)
                begin += 1
            self.take(block, key, significant, most)
        return 0

    cdef void add_up(self, Batch* batch) noexcept nogil:
        """Add the values sent to the pages of a block."""
        cdef size_t i
        cdef const Sent* sent = batch.sent
        for i in range(batch.count):
            if i + 2 * FAR < batch.count:
                PREFETCH(self.now.lanes + LANES * <size_t>sent[i + 2 * FAR].what)
            ADD(self.sums_of(sent[i].page), self.now.lanes + LANES * <size_t>sent[i].what)
        self.read += batch.count
        batch.count = 0

    cdef int add_quanta(self, Batch* batch, uint64_t key) except -1 nogil:
        """Add quanta to pages that have a value; a draw turns the other quanta into quanta of this
        level.

        A quantum is also added if the page has so few parents that it is worth more than one.
        """
        cdef size_t i, alone = 0
        cdef uint32_t page, lane
        cdef uint64_t parents
        cdef bint met
        for i in range(batch.count):
            page, lane = batch.sent[i].page, batch.sent[i].what
            met = self.has_something(page)
            prefetch_degree(&self.parents, page)
            self.sums_at(page)[lane] += met * self.quantum
            batch.sent[alone] = batch.sent[i]
            alone += 1 - met
        self.read += batch.count
        batch.count = 0
        for i in range(alone if self.ratio > 0 else 0):
            page, lane = batch.sent[i].page, batch.sent[i].what
            parents = degree_of(&self.parents, page)
            if parents < self.ratio:
                self.sums_of(page)[lane] += self.quantum
            elif fraction(draw(key, (<uint64_t>lane + 1) << 32 | page)) * parents < self.ratio:
                put(&self.quanta, page, lane)
        return 0

    cdef void add_place(self, size_t place) noexcept nogil:
        """Add a page's value as a place, expressed as a sum over its parents."""
        cdef uint32_t page = self.places.pages[place]
        cdef float factor = <float>(self.weight(page) / self.root_decay)
        cdef float* sums = self.sums_of(page)
        cdef int k
        for k in range(LANES):
            sums[k] += factor * self.places.lanes[LANES * place + k]

    cdef inline float* sums_at(self, uint32_t page) noexcept nogil:
        """The sums of a page's lanes in the current block."""
        return self.sums.lanes + LANES * (page & (BLOCK - 1))

    cdef inline float* sums_of(self, uint32_t page) noexcept nogil:
        """The sums of a page's lanes in the current block, for a page that gets its first value."""
        prefetch_degree(&self.parents, page)
        self.met[(page & (BLOCK - 1)) >> 6] |= <uint64_t>1 << (page & 63)
        return self.sums_at(page)

    cdef inline bint has_something(self, uint32_t page) noexcept nogil:
        return self.met[(page & (BLOCK - 1)) >> 6] >> (page & 63) & 1

    cdef inline double weight(self, uint32_t page) noexcept nogil:
        """A page's value is √decay times the sum over its parents, divided by this number.
        """
        cdef uint64_t parents = degree_of(&self.parents, page)
        return parents if parents else self.root_decay

    cdef int take(self, int64_t block, uint64_t key, double significant, double most) except -1 nogil:
        """Move the sums of a block to the lists, rounded unless `most` is 0."""
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
                    n += self.round_lanes(self.found.pages[n], sums, lanes, key, significant, most)
                else:
                    memcpy(lanes, sums, LANES * sizeof(float))
                    n += 1
                memset(sums, 0, LANES * sizeof(float))
        self.found.count = n
        return 0

    cdef inline int round_lanes(self, uint32_t page, const float* sums, float* lanes, uint64_t key,
                            double significant, double most) except -1 nogil:
        """Round a page's lanes; return whether more than one quantum is left.

        The lanes are kept if at least two are effective, and if their mean times the effective
        part, (Σ lanes)² / (8 Σ lanes²), is more than `significant`. Otherwise each lane becomes a
        multiple of `most`, by systematic sampling with one draw for all.
        """
        cdef double total = SUM(sums), weight = self.weight(page), full, at
        cdef int k, quanta = 0, lane = 0
        # The first condition follows from the second but is cheaper to test.
        if significant == 0 or self.root_decay * total >= LANES * significant * weight and is_significant(
            total, SQUARES(sums), LANES * LANES * significant * weight / self.root_decay
        ):
            TIMES(lanes, sums, <float>(self.root_decay / weight))
            return True
        self.exact = False
        full = weight * most
        at = fraction(draw(key, page)) * full
        if at + self.root_decay * total_size(sums) < full:
            return False
        for k in range(LANES):
            lanes[k] = 0
            at += self.root_decay * fabs(sums[k])
            while at >= full:
                at -= full
                lanes[k] += <float>(most if sums[k] > 0 else -most)
                quanta += 1
                lane = k
        if quanta == 1 and sums[lane] > 0:
            put(&self.quanta, page, lane)
            return False
        return quanta > 0

    cdef int meet(self, uint64_t key, double least) except -1 nogil:
        """Multiply each place by the probability that two walkers from there never meet again."""
        cdef int64_t i, k, level
        cdef uint64_t parents, draws
        cdef double each
        cdef float* lanes
        self.n_walks = 0
        for level in range(1, self.levels + 1):
            each = LANES * least / self.root_decay ** level
            for i in range(self.starts[level], self.starts[level + 1]):
                if i + FAR < self.starts[level + 1]:
                    prefetch_degree(&self.parents, self.places.pages[i + FAR])
                lanes = self.places.lanes + LANES * i
                parents = degree_of(&self.parents, self.places.pages[i])
                draws = draw(key, i)
                for k in range(LANES if parents else 0):
                    if lanes[k] == 0:
                        continue
                    if parents > 1 and fraction(draw(draws, k)) * each < lanes[k]:
                        self.add_walk(self.places.pages[i], &lanes[k], each)
                    lanes[k] *= <float>(1 - self.decay / parents)
                self.exact = self.exact and parents < 2
        grow(<void**>&self.hits, &self.room_hits, self.n_walks + 1, sizeof(int64_t))
        memset(self.hits, 0, self.n_walks * sizeof(int64_t))
        cdef Walks walks = Walks(self.meeting, self.meeting, self.counts, self.n_walks)
        send_walkers(&self.parents, &walks, self.decay,
                     draw(key, self.starts[self.levels + 1]), self.hits)
        for i in range(self.n_walks):
            if self.hits[i]:
                parents = degree_of(&self.parents, self.meeting[i])
                self.walks[i].lane[0] -= <float>(
                    self.walks[i].weight * self.hits[i] * self.decay * (1 - 1.0 / parents)
                )
        return 0

    cdef int add_walk(self, uint32_t page, float* lane, double each) except -1 nogil:
        """Send at least one pair for a lane, and enough pairs that none has a weight above
        `each`.
        """
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

    cdef int go_forward(self, uint64_t key, double significant, double most, double last) except -1 nogil:
        """Hand on the places' values, level by level, to the pages themselves."""
        cdef int64_t level
        cdef double part, quantum
        for level in range(self.levels, 0, -1):
            part = self.root_decay ** level
            quantum = LANES * most * coarseness(level) / part
            self.ratio = coarseness(level + 1) / coarseness(level)
            self.gather(self.starts[level], self.starts[level + 1], draw(key, level), significant / part,
                        quantum)
            self.quantum = <float>quantum
            self.push_forward()
        cdef bint exact = self.exact
        self.ratio = 0
        self.gather(0, 0, 0, last, 1e300)
        self.exact = exact
        return 0

    cdef int push_forward(self) except -1 nogil:
        """Send places and quanta over all links."""
        cdef size_t i
        self.now, self.found = self.found, self.now
        self.quanta_before, self.quanta = self.quanta, self.quanta_before
        self.quanta.count = 0
        for i in range(self.now.count):
            if i + FAR < self.now.count:
                prefetch_degree(&self.children, self.now.pages[i + FAR])
            if i + NEAR < self.now.count:
                prefetch_all_links(&self.children, self.now.pages[i + NEAR])
            self.send_to_children(self.sent, self.now.pages[i], <uint32_t>i)
        for i in range(self.quanta_before.count):
            if i + FAR < self.quanta_before.count:
                prefetch_degree(&self.children, self.quanta_before.sent[i + FAR].page)
            if i + NEAR < self.quanta_before.count:
                prefetch_all_links(&self.children, self.quanta_before.sent[i + NEAR].page)
            self.send_to_children(self.quanta_sent, self.quanta_before.sent[i].page, self.quanta_before.sent[i].what)
        return 0

    cdef inline int send_to_children(self, Batch* batches, uint32_t page, uint32_t what) except -1 nogil:
        """Add an entry to the batches of all children of a page."""
        cdef Span row = links_of(&self.children, page)
        cdef size_t j
        for j in range(row.count):
            put(&batches[row.pages[j] >> SHIFT], row.pages[j], what)
        return 0


def estimate(
    Scratch scratch,
    Links links,
    uint32_t page,
    *,
    double decay,
    uint64_t key,
    double back,
    double meeting,
    double significant,
    double forward,
    double last,
):
    """The pages similar to `page`; mean and variance of the lanes; links read; whether the
    result is exact; the lanes.
    """
    cdef Places* found = &scratch.found
    cdef int64_t n
    scratch.children, scratch.parents = links.children, links.parents
    scratch.page, scratch.decay, scratch.root_decay = page, decay, decay ** 0.5
    scratch.read, scratch.exact = 0, True
    with nogil:
        scratch.clear(((<int64_t>links.parents.pages - 1) >> SHIFT) + 1)
        scratch.go_back(draw(key, 0), back)
        scratch.meet(draw(key, 1), meeting)
        scratch.go_forward(draw(key, 2), significant, forward, last)
    pages = np.empty(found.count, np.uint32)
    means, variances = np.empty(found.count), np.empty(found.count)
    lanes = np.empty((found.count, LANES), np.float32)
    n = write_estimates(found, page, pages, means, variances, lanes)
    return pages[:n], means[:n], variances[:n], scratch.read, scratch.exact, lanes[:n]


cdef int64_t write_estimates(
    const Places* found,
    uint32_t apart,
    uint32_t[::1] pages,
    double[::1] means,
    double[::1] variances,
    float[:, ::1] all_lanes,
) noexcept:
    """Write all pages except one, with the mean and variance of their lanes.

    Return their number.
    """
    cdef size_t i
    cdef int64_t k, n = 0
    cdef double mean, square
    cdef const float* lanes
    with nogil:
        for i in range(found.count):
            if found.pages[i] == apart:
                continue
            lanes = found.lanes + LANES * i
            mean = SUM(lanes) / LANES
            square = 0
            for k in range(LANES):
                square += (lanes[k] - mean) ** 2
            pages[n], means[n] = found.pages[i], mean
            variances[n] = square / (LANES * (LANES - 1))
            memcpy(&all_lanes[n, 0], lanes, LANES * sizeof(float))
            n += 1
    return n
