# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Windows around a link, and how many parents link to what stands in them.

Where a parent has more than width + 1 links, its window around its link to a
page are the width // 2 links just before and just after; else all but that one.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from whatsrelated.kernels._choosing cimport rank_pages
from whatsrelated.kernels._limits cimport Watch, begin_row, begin_watch, look
from whatsrelated.kernels._links cimport (
    Links, Pages, Span, Window,
    ask_for_rows, begin_question, links_of, prefetch_rows, span_of, take_sample, window_around,
)
from whatsrelated.kernels._memory cimport allocate, copy_of, grow
from whatsrelated.kernels._numbering cimport (
    Numbering, clear, free_numbering, insert, reserve, slot_of
)

import numpy as np

cdef enum:
    FILTER_BITS = 17      # 16 KiB: half of a first-level cache
    WORDS = 1 << (FILTER_BITS - 6)
    BUFFER = 256

cdef struct Counts:
    uint32_t near      # parents that have the page in their window
    uint32_t wide      # parents that have it elsewhere


cdef class Scratch:
    """The memory of one thread's queries: the siblings, with a bit filter in front."""

    cdef uint64_t *filter
    cdef Numbering siblings
    cdef Counts *counts
    cdef Window *windows
    cdef uint32_t *parents
    cdef double *scores
    cdef int64_t *places
    cdef size_t room, windows_room, parents_room, scores_room, places_room

    def __cinit__(self):
        self.filter = <uint64_t *>allocate(WORDS, sizeof(uint64_t))
        reserve(&self.siblings, 1 << 12)

    def __dealloc__(self):
        free(self.filter)
        free_numbering(&self.siblings)
        free(self.counts)
        free(self.windows)
        free(self.parents)
        free(self.scores)
        free(self.places)

    cdef inline uint64_t *word_of(self, uint32_t page) noexcept nogil:
        """Where the filter's bit of a page is: pages of a host differ in their low bits."""
        return &self.filter[(page & ((1 << FILTER_BITS) - 1)) >> 6]

    cdef inline uint64_t may_hold(self, uint32_t page) noexcept nogil:
        """1 where the page may be among the siblings."""
        return self.word_of(page)[0] >> (page & 63) & 1

    cdef inline int count_near(self, uint32_t page) except -1 nogil:
        """Count the page once more in a window."""
        cdef uint32_t *slot = slot_of(&self.siblings, page)
        cdef size_t number
        if slot[0]:
            self.counts[slot[0] - 1].near += 1
            return 0
        number = insert(&self.siblings, slot, page)
        grow(<void **>&self.counts, &self.room, number + 1, sizeof(Counts))
        self.counts[number] = Counts(1, 0)
        self.word_of(page)[0] |= <uint64_t>1 << (page & 63)
        return 0

    cdef void forget(self) noexcept nogil:
        """Empty it, at the cost of what it held."""
        cdef size_t i
        if 8 * self.siblings.count > WORDS:
            memset(self.filter, 0, WORDS * sizeof(uint64_t))
        else:
            for i in range(self.siblings.count):
                self.word_of(self.siblings.keys[i])[0] = 0
        clear(&self.siblings)

    cdef inline void count_wide(self, const uint32_t *row, int64_t size) noexcept nogil:
        """Count the siblings in a piece of a row.

        First what passes the filter, without a branch; then the few that did.
        """
        cdef uint32_t buffer[BUFFER]
        cdef int64_t start = 0, stop, passed, j
        cdef uint32_t number
        while start < size:
            stop = start + BUFFER if start + BUFFER < size else size
            passed = 0
            for j in range(start, stop):
                buffer[passed] = row[j]
                passed += self.may_hold(row[j])
            for j in range(passed):
                number = slot_of(&self.siblings, buffer[j])[0]
                if number:
                    self.counts[number - 1].wide += 1
            start = stop


cdef int64_t count_around(
    Scratch scratch, Links links, Span parents, uint32_t page, int64_t width, bint whole
) except -1 nogil:
    """Count what stands in the parents' windows around a page, and where else; the links read."""
    cdef Span row
    cdef size_t i, size
    cdef uint64_t j
    cdef int64_t read = 0
    cdef Window window
    cdef Watch watch = begin_watch()
    scratch.forget()
    grow(<void **>&scratch.windows, &scratch.windows_room, parents.count, sizeof(Window))
    ask_for_rows(&links.children, parents)
    for i in range(parents.count):
        prefetch_rows(&links.children, parents, i)
        row = links_of(&links.children, parents.pages[i])
        read += row.count
        look(&watch, row.count)
        window = window_around(row, page, width)
        size = window.last - window.first
        begin_row(&watch, &size, scratch.siblings.count, watch.pages)
        window.last = window.first + size
        scratch.windows[i] = window
        for j in range(window.first, window.last):
            if row.pages[j] != page:
                scratch.count_near(row.pages[j])
    for i in range(parents.count if whole else 0):
        prefetch_rows(&links.children, parents, i)
        row = links_of(&links.children, parents.pages[i])
        look(&watch, row.count)
        window = scratch.windows[i]
        scratch.count_wide(row.pages, window.first)
        scratch.count_wide(row.pages + window.last, row.count - window.last)
    return read


def count_siblings(
    Scratch scratch,
    Links links,
    Pages parents,
    uint32_t page,
    int64_t width,
    bint whole,
):
    """The pages in the parents' windows around `page`: on how many pages each stands (if `whole`;
    else in how many windows) and in how many windows; how many of the parents are among them; the
    links of the parents.

    `width` below 0 takes whole pages for windows.
    """
    cdef Span span = span_of(parents)
    cdef size_t i
    cdef int64_t among = 0, read
    with nogil:
        read = count_around(scratch, links, span, page, width, whole)
        for i in range(span.count):
            if scratch.may_hold(span.pages[i]):
                among += slot_of(&scratch.siblings, span.pages[i])[0] > 0
    return *counted(scratch), among, read


cdef counted(Scratch scratch):
    """The siblings, on how many pages each was counted, and in how many windows."""
    cdef size_t i, count = scratch.siblings.count
    pages = np.frombuffer(copy_of(scratch.siblings.keys, count, sizeof(uint32_t)), np.uint32)
    counts, windows = np.empty(count, np.uint32), np.empty(count, np.uint32)
    cdef uint32_t[::1] to_counts = counts
    cdef uint32_t[::1] to_windows = windows
    for i in range(count):
        to_counts[i] = scratch.counts[i].near + scratch.counts[i].wide
        to_windows[i] = scratch.counts[i].near
    scratch.forget()  # as long as it is in the cache
    return pages, counts, windows


def best_siblings(
    Scratch scratch,
    Links links,
    Pages pages,
    const double[::1] draws,
    int64_t parents,
    int64_t width,
    bint whole,
    uint32_t shared,
    int64_t limit,
):
    """For each page its `limit` best siblings: where its list ends, the siblings, their counts;
    and how many siblings have a count of `shared`.

    `draws` starts the sample of a page that has more than so many parents.
    """
    cdef size_t i, n = pages.shape[0], filled = 0
    cdef Span own
    ends, enough = np.empty(n, np.int64), np.empty(n, np.int64)
    found, counts = np.empty(n * limit, np.uint32), np.empty(n * limit, np.float64)
    cdef int64_t[::1] to_ends = ends
    cdef int64_t[::1] to_enough = enough
    cdef uint32_t[::1] to_found = found
    cdef double[::1] to_counts = counts
    with nogil:
        for i in range(n):
            begin_question(links)
            own = links_of(&links.parents, pages[i])
            take_sample(&own, parents, draws[i], &scratch.parents, &scratch.parents_room)
            count_around(scratch, links, own, pages[i], width, whole)
            to_enough[i] = score_siblings(scratch, shared)
            filled += write_best(scratch, links, limit, &to_found[filled], &to_counts[filled])
            to_ends[i] = <int64_t>filled
    return ends, found[:filled], counts[:filled], enough


cdef int64_t score_siblings(Scratch scratch, uint32_t shared) except -1 nogil:
    """Write the scores of the siblings; how many are `shared` at least."""
    cdef size_t i, count = scratch.siblings.count
    cdef uint32_t score
    cdef int64_t enough = 0
    grow(<void **>&scratch.scores, &scratch.scores_room, count, sizeof(double))
    for i in range(count):
        score = scratch.counts[i].near + scratch.counts[i].wide
        enough += score >= shared
        scratch.scores[i] = score
    return enough


cdef size_t write_best(
    Scratch scratch, Links links, int64_t limit, uint32_t *found, double *counts
) except? 0xFFFFFFFF nogil:
    """Write the best siblings and their scores; how many."""
    cdef size_t i, most = min(scratch.siblings.count, <size_t>limit)
    grow(<void **>&scratch.places, &scratch.places_room, most, sizeof(int64_t))
    rank_pages(
        scratch.siblings.keys,
        scratch.scores,
        <int64_t>scratch.siblings.count,
        &links.parents,
        <int64_t>most,
        scratch.places,
    )
    for i in range(most):
        found[i] = scratch.siblings.keys[scratch.places[i]]
        counts[i] = scratch.scores[scratch.places[i]]
    return most
