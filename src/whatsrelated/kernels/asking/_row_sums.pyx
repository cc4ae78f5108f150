# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""Sums over rows of links, or of the pages of a word: each page in a row gets that row's weight.

Pages are returned in order of first appearance.
"""

from libc.math cimport pow
from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free

from whatsrelated.kernels.shared._limits cimport Watch, begin_row, begin_watch, look
from whatsrelated.kernels.shared._links cimport (
    Adjacency, Links, Pages, Span, request_rows, links_of, prefetch_ahead, span_of
)
from whatsrelated.kernels.shared._memory cimport copy_of, grow
from whatsrelated.kernels.shared._number_table cimport (
    Numbering, clear, free_numbering, insert, number_of, reserve, slot_of
)

import numpy as np

cdef enum:
    TABULATED = 1024  # distances whose weights are computed once


cdef class Scratch:
    """One thread's memory: the pages seen, and a sum for each."""

    cdef Numbering pages
    cdef double *sums
    cdef size_t room

    def __cinit__(self):
        reserve(&self.pages, 1 << 12)

    def __dealloc__(self):
        free_numbering(&self.pages)
        free(self.sums)

    cdef inline int add(self, uint32_t page, double weight) except -1 nogil:
        cdef uint32_t *slot = slot_of(&self.pages, page)
        cdef size_t number
        if slot[0]:
            self.sums[slot[0] - 1] += weight
            return 0
        number = insert(&self.pages, slot, page)
        grow(<void **>&self.sums, &self.room, number + 1, sizeof(double))
        self.sums[number] = weight
        return 0

    cdef take_pages(self):
        """The pages. Clears the table while it is still in the cache."""
        pages = copy_of(self.pages.keys, self.pages.count, sizeof(uint32_t))
        clear(&self.pages)
        return np.frombuffer(pages, np.uint32)

    cdef take(self):
        """The pages and their sums; clears the table."""
        sums = copy_of(self.sums, self.pages.count, sizeof(double))
        return self.take_pages(), np.frombuffer(sums, np.float64)


def weighted_sums(
    Scratch scratch,
    Links links,
    Pages rows,
    const double[::1] weights,
    bint backward,
):
    """Each page in the rows, with the summed weights of the rows that contain it; number of links
    read.
    """
    cdef const Adjacency *linked = &links.parents if backward else &links.children
    cdef Span span = span_of(rows), row
    cdef size_t i, j
    cdef uint64_t read = 0
    cdef Watch watch = begin_watch()
    clear(&scratch.pages)
    with nogil:
        request_rows(linked, span)
        for i in range(span.count):
            prefetch_ahead(linked, span, i)
            row = links_of(linked, span.pages[i])
            begin_row(&watch, &row.count, scratch.pages.count, watch.pages)
            for j in range(row.count):
                scratch.add(row.pages[j], weights[i])
            read += row.count
    return *scratch.take(), read


def proximity_sums(
    Scratch scratch, Links links, Pages rows, uint32_t page, double alpha
):
    """Each other page in the rows of `page`, with the sum of 1 / distance ** alpha; number of links
    read.
    """
    cdef Span span = span_of(rows), row
    cdef size_t i
    cdef int64_t j, at, size, read = 0, ready = 1
    cdef double[TABULATED] near
    cdef Watch watch = begin_watch()
    near[0] = 0
    clear(&scratch.pages)
    with nogil:
        request_rows(&links.children, span)
        for i in range(span.count):
            prefetch_ahead(&links.children, span, i)
            row = links_of(&links.children, span.pages[i])
            begin_row(&watch, &row.count, scratch.pages.count, watch.pages)
            size = row.count
            read += size
            while ready < size and ready < TABULATED:
                near[ready] = pow(<double>ready, -alpha)
                ready += 1
            at = 0
            while at < size and row.pages[at] != page:
                at += 1
            for j in range(at):
                scratch.add(
                    row.pages[j], near[at - j] if at - j < TABULATED else pow(<double>(at - j), -alpha))
            for j in range(at + 1, size):
                scratch.add(
                    row.pages[j], near[j - at] if j - at < TABULATED else pow(<double>(j - at), -alpha))
    return *scratch.take(), read


def products(
    Scratch scratch,
    const uint64_t[::1] offsets,
    Pages pages,
    const uint16_t[::1] page_weights,
    Pages rows,
    const double[::1] weights,
    Pages known,
    uint64_t most,
):
    """Each page in the rows, with the sum of the products of its weight in a row and the row's
    weight; and the position of each `known` page among them, or -1.
    """
    cdef uint64_t i, j, low, high, size = min(pages.shape[0], page_weights.shape[0])
    cdef uint64_t n_rows = rows.shape[0], n_known = known.shape[0], n_offsets = offsets.shape[0]
    where = np.empty(n_known, np.int64)
    cdef int64_t[::1] at = where
    cdef Watch watch = begin_watch()
    clear(&scratch.pages)
    with nogil:
        for i in range(n_rows):
            if rows[i] + <uint64_t>1 >= n_offsets:
                continue
            low = offsets[rows[i]]
            high = offsets[rows[i] + 1]
            if low > high or high > size or high - low > most:
                continue
            most -= high - low
            look(&watch, high - low)
            for j in range(low, high):
                scratch.add(pages[j], weights[i] * page_weights[j])
        for i in range(n_known):
            at[i] = <int64_t>slot_of(&scratch.pages, known[i])[0] - 1
    return *scratch.take(), where


def places(Scratch scratch, Pages pages):
    """The distinct pages, and for each entry of `pages` its position among them."""
    cdef int64_t n = pages.shape[0], i
    where = np.empty(n, np.int64)
    cdef int64_t[::1] at = where
    clear(&scratch.pages)
    with nogil:
        for i in range(n):
            at[i] = number_of(&scratch.pages, pages[i])
    return scratch.take_pages(), where
