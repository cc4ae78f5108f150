# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""What several pages share with one page: the compiled twin of `sharing.py`."""

import numpy as np

from libc.stdint cimport int64_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memset

from whatsrelated.kernels.shared._limits cimport Watch, begin_watch, look
from whatsrelated.kernels.shared._links cimport (
    Links, Pages, Span, degree_of, links_of, place_in, prefetch_ahead, request_rows, span_of
)
from whatsrelated.kernels.shared._memory cimport grow
from whatsrelated.kernels.shared._number_table cimport (
    Numbering, clear, free_numbering, number_of, reserve, slot_of
)


cdef class _Lists:
    """For each page, how many items it has, and the first ones by rank and page."""

    cdef readonly object counts, listed, ranks, values
    cdef int64_t[::1] count
    cdef uint32_t[:, ::1] pages
    cdef int64_t[:, ::1] value
    cdef int64_t[:, ::1] rank
    cdef int64_t limit

    def __init__(self, int64_t n, int64_t limit):
        self.counts, self.listed = np.zeros(n, np.int64), np.zeros((n, limit), np.uint32)
        self.ranks, self.values = np.zeros((n, limit), np.int64), np.zeros((n, limit), np.int64)
        self.count, self.pages = self.counts, self.listed
        self.rank, self.value = self.ranks, self.values
        self.limit = limit

    cdef void add(self, size_t at, int64_t rank, uint32_t page, int64_t value) noexcept nogil:
        cdef int64_t place = min(self.count[at], self.limit)
        self.count[at] += 1
        if place == self.limit:
            if place == 0 or not self.is_before(rank, page, at, place - 1):
                return
            place -= 1
        while place > 0 and self.is_before(rank, page, at, place - 1):
            self.rank[at, place] = self.rank[at, place - 1]
            self.pages[at, place] = self.pages[at, place - 1]
            self.value[at, place] = self.value[at, place - 1]
            place -= 1
        self.rank[at, place], self.pages[at, place], self.value[at, place] = rank, page, value

    cdef bint is_before(self, int64_t rank, uint32_t page, size_t at, int64_t place) noexcept nogil:
        cdef int64_t other = self.rank[at, place]
        return rank < other or rank == other and page < self.pages[at, place]


cdef class Scratch:
    """One thread's memory: a table of pages, and a mark for each."""

    cdef Numbering pages
    cdef uint32_t *marks
    cdef size_t room

    def __cinit__(self):
        reserve(&self.pages, 0)

    def __dealloc__(self):
        free_numbering(&self.pages)
        free(self.marks)

    cdef int hold(self, Span pages) except -1 nogil:
        """Replace the pages in the table with these."""
        clear(&self.pages)
        return self.add(pages)

    cdef int add(self, Span pages) except -1 nogil:
        cdef size_t i
        for i in range(pages.count):
            number_of(&self.pages, pages.pages[i])
        return 0


def shared_parents(
    Scratch scratch, Links links, Pages parents, uint32_t page, Pages others, int64_t limit
):
    """For each of the distinct `others`, how many of the parents link to it, and the first of them.
    """
    cdef _Lists lists = _Lists(others.shape[0], limit)
    cdef Span span = span_of(parents), row
    cdef Watch watch = begin_watch()
    cdef size_t i, j, at
    cdef uint32_t slot
    with nogil:
        scratch.hold(span_of(others))
        request_rows(&links.children, span)
        for i in range(span.count):
            prefetch_ahead(&links.children, span, i)
            row = links_of(&links.children, span.pages[i])
            look(&watch, row.count)
            at = row.count  # unknown until a link to one of the others is found
            for j in range(row.count):
                slot = slot_of(&scratch.pages, row.pages[j])[0]
                if slot == 0:
                    continue
                if at == row.count:
                    at = place_in(row, page) % row.count
                lists.add(slot - 1, row.count, span.pages[i], <int64_t>j - <int64_t>at)
    return lists.counts, lists.listed, lists.ranks, lists.values


def shared_children(Scratch scratch, Links links, Pages children, Pages others, int64_t limit):
    """For each of the others, how many of the distinct children it links to, and up to `limit` of
    these in their order.
    """
    cdef _Lists lists = _Lists(others.shape[0], limit)
    cdef Span span = span_of(others), row
    cdef Watch watch = begin_watch()
    cdef size_t i, j
    cdef uint32_t slot
    with nogil:
        scratch.hold(span_of(children))
        request_rows(&links.children, span)
        for i in range(span.count):
            prefetch_ahead(&links.children, span, i)
            row = links_of(&links.children, span.pages[i])
            look(&watch, row.count)
            for j in range(row.count):
                slot = slot_of(&scratch.pages, row.pages[j])[0]
                if slot:
                    lists.add(i, slot, row.pages[j], 0)
    return lists.counts, lists.listed


def pages_between(Scratch scratch, Links links, uint32_t page, Pages others, int64_t limit):
    """For each of the others, how many pages are next to both it and `page`, up to `limit` of these
    in one row, and the links between the two.
    """
    cdef _Lists lists = _Lists(others.shape[0], limit)
    cdef Span span = span_of(others), row
    cdef Watch watch = begin_watch()
    cdef size_t i, j, children
    cdef int backward
    cdef uint32_t slot, near
    cdef int64_t degree
    ties = np.zeros(others.shape[0], np.int64)
    cdef int64_t[::1] tie = ties
    with nogil:
        row = links_of(&links.children, page)
        look(&watch, row.count)
        scratch.hold(row)
        children = row.count
        row = links_of(&links.parents, page)
        look(&watch, row.count)
        scratch.add(row)
        grow(<void **>&scratch.marks, &scratch.room, scratch.pages.count, sizeof(uint32_t))
        memset(scratch.marks, 0, scratch.pages.count * sizeof(uint32_t))
        request_rows(&links.children, span)
        request_rows(&links.parents, span)
        for i in range(span.count):
            slot = slot_of(&scratch.pages, span.pages[i])[0]
            tie[i] = slot != 0 and slot <= children
            for backward in range(2):
                row = links_of(&links.parents if backward else &links.children, span.pages[i])
                look(&watch, row.count)
                for j in range(row.count):
                    near = row.pages[j]
                    if near == page and not backward:
                        tie[i] += 2
                    slot = slot_of(&scratch.pages, near)[0]
                    if slot and scratch.marks[slot - 1] != i + 1:
                        scratch.marks[slot - 1] = <uint32_t>i + 1
                        degree = degree_of(&links.children, near) + degree_of(&links.parents, near)
                        lists.add(i, degree, near, 0)
    return lists.counts, lists.listed, ties
