# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The random walk, for kernels that continue from the pages it reached."""

from libc.stdint cimport int64_t, uint32_t

from whatsrelated.kernels.shared._limits cimport Watch
from whatsrelated.kernels.shared._links cimport Adjacency, Links
from whatsrelated.kernels.shared._number_table cimport Numbering

cdef struct Visited:
    double reserve
    double residue
    double degree
    bint queued


cdef class Scratch:
    cdef Numbering pages
    cdef Visited *visited     # by number
    cdef uint32_t *queue      # page numbers, in a ring of `ring` entries (a power of two)
    cdef size_t room, ring, head, tail

    cdef int64_t walk(
        self,
        Links links,
        const uint32_t *pages,
        const double *shares,
        size_t count,
        double restart,
        double error,
    ) except -1 nogil
    cdef double probability(self, size_t number, double restart) noexcept nogil
    cdef int add_residue(
        self, Links links, uint32_t page, double share, double error
    ) except -1 nogil
    cdef int enqueue(self, uint32_t number) except -1 nogil
    cdef int widen_queue(self) except -1 nogil
    cdef int64_t push_next(
        self, Links links, double restart, double error, Watch *watch
    ) except -1 nogil
    cdef void prefetch_next(self, Links links) noexcept nogil
    cdef int send(
        self,
        Links links,
        const Adjacency *rows,
        uint32_t page,
        double share,
        double error,
        Watch *watch,
    ) except -1 nogil
