# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""Count the links in windows around a page's link on its parents.

If a parent has more than width + 1 links, its window is the width // 2 links just before and just
after its link to the page. Otherwise, the window is all its other links.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from whatsrelated.kernels.asking._best_pages cimport rank_counts
from whatsrelated.kernels.shared._limits cimport Watch, begin_row, begin_watch, look
from whatsrelated.kernels.shared._links cimport (
    Links, Pages, Span, Window,
    request_rows, begin_question, degrees_of, links_of, prefetch_rows, span_of, take_sample,
    window_around,
)
from whatsrelated.kernels.shared._memory cimport NEAR, allocate, copy_of, grow, prefetch_row
from whatsrelated.kernels.shared._tally cimport (
    Tally, begin_tally, collect, count_if_held, count_row, free_tally, is_held,
    make_room,
)

import numpy as np

cdef enum:
    FILTER_BITS = 17      # 16 KiB: half of the first-level cache
    WORDS = 1 << (FILTER_BITS - 6)
    BUFFER = 256
    MOST_EXPECTED = 1 << 15


cdef struct Read:          # a parent's links, and its window
    Span row
    Window window


cdef class Scratch:
    """One thread's memory: the siblings, with a bit filter in front."""

    cdef uint64_t *filter
    cdef Tally siblings
    cdef size_t count      # number of siblings collected
    cdef Read *rows
    cdef uint32_t *parents
    cdef size_t rows_room, parents_room

    def __cinit__(self):
        self.filter = <uint64_t *>allocate(WORDS, sizeof(uint64_t))

    def __dealloc__(self):
        free(self.filter)
        free_tally(&self.siblings)
        free(self.rows)
        free(self.parents)

    cdef inline uint64_t *word_of(self, uint32_t page) noexcept nogil:
        """The filter word of a page; pages of one host differ in their low bits."""
        return &self.filter[(page & ((1 << FILTER_BITS) - 1)) >> 6]

    cdef inline uint64_t may_hold(self, uint32_t page) noexcept nogil:
        """1 if the page may be a sibling."""
        return self.word_of(page)[0] >> (page & 63) & 1

    cdef void mark_siblings(self) noexcept nogil:
        """Add the siblings so far to the filter."""
        cdef size_t i
        cdef uint32_t page
        for i in range(self.siblings.count):
            page = self.siblings.entries[self.siblings.held[i]].page
            self.word_of(page)[0] |= <uint64_t>1 << (page & 63)

    cdef inline void count_wide(self, const uint32_t *row, int64_t size) noexcept nogil:
        """Count the siblings in part of a row: filter it without a branch, then look up the few
        links that pass.
        """
        cdef uint32_t buffer[BUFFER]
        cdef int64_t start = 0, stop, passed, j
        while start < size:
            stop = start + BUFFER if start + BUFFER < size else size
            passed = 0
            for j in range(start, stop):
                buffer[passed] = row[j]
                passed += self.may_hold(row[j])
            for j in range(passed):
                count_if_held(&self.siblings, buffer[j])
            start = stop

    cdef int finish(self) except -1 nogil:
        """Collect the siblings and clear the filter, word by word if there are few."""
        cdef size_t i
        self.count = collect(&self.siblings)
        if 8 * self.count > WORDS:
            memset(self.filter, 0, WORDS * sizeof(uint64_t))
        else:
            for i in range(self.count):
                self.word_of(self.siblings.pages[i])[0] = 0
        return 0


cdef int64_t count_around(
    Scratch scratch, Links links, Span parents, uint32_t page, int64_t width, bint whole
) except -1 nogil:
    """Count the links in the parents' windows around a page; return the number of links read.

    If `whole`, their occurrences elsewhere on the parents count too.
    """
    cdef Span row
    cdef size_t i, size
    cdef uint64_t j
    cdef int64_t read = 0, outside = 0
    cdef Window window
    cdef Watch watch = begin_watch()
    cdef size_t expected = degrees_of(&links.children, parents, MOST_EXPECTED)
    if width >= 0:
        expected = min(expected, parents.count * <size_t>(width + 1))
    scratch.finish()  # clears what an interrupted query left behind
    begin_tally(&scratch.siblings, min(expected, watch.pages))
    grow(<void **>&scratch.rows, &scratch.rows_room, parents.count, sizeof(Read))
    request_rows(&links.children, parents)
    for i in range(parents.count):
        prefetch_rows(&links.children, parents, i)
        row = links_of(&links.children, parents.pages[i])
        read += row.count
        look(&watch, row.count)
        window = window_around(row, page, width)
        size = window.last - window.first
        begin_row(&watch, &size, scratch.siblings.count, watch.pages)
        window.last = window.first + size
        scratch.rows[i] = Read(row, window)
        make_room(&scratch.siblings, size)
        count_row(&scratch.siblings, row.pages + window.first, size, page)
        outside += row.count - size
    if not whole or not outside:
        return read
    scratch.mark_siblings()
    for i in range(parents.count):
        if i + NEAR < parents.count:
            prefetch_row(scratch.rows[i + NEAR].row.pages, scratch.rows[i + NEAR].row.count)
        row, window = scratch.rows[i].row, scratch.rows[i].window
        look(&watch, row.count)
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
    """The pages in the parents' windows around `page`; the number of windows (if `whole`, parents)
    that link to each; how many of the pages are parents; the number of links on the parents.
    """
    cdef Span span = span_of(parents)
    cdef size_t i
    cdef int64_t among = 0, read
    with nogil:
        read = count_around(scratch, links, span, page, width, whole)
        for i in range(span.count):
            among += is_held(&scratch.siblings, span.pages[i])
        scratch.finish()
    return (
        np.frombuffer(copy_of(scratch.siblings.pages, scratch.count, sizeof(uint32_t)), np.uint32),
        np.frombuffer(copy_of(scratch.siblings.counts, scratch.count, sizeof(uint32_t)), np.uint32),
        among,
        read,
    )


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
    """Each page's best `limit` siblings: ends of the lists, siblings, counts; and how many siblings
    have a count of at least `shared`.
    """
    cdef size_t i, j, n = pages.shape[0], filled = 0
    cdef Span own
    ends, enough = np.empty(n, np.int64), np.zeros(n, np.int64)
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
            scratch.finish()
            for j in range(scratch.count):
                to_enough[i] += scratch.siblings.counts[j] >= shared
            filled += rank_counts(
                Span(scratch.siblings.pages, scratch.count),
                scratch.siblings.counts,
                &links.parents,
                limit,
                &to_found[filled],
                &to_counts[filled],
            )
            to_ends[i] = <int64_t>filled
    return ends, found[:filled], counts[:filled], enough
