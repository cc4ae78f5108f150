# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""A query's limits on time and memory, which apply to its thread."""

import math
import sys
import time

from libc.stddef cimport size_t
from libc.stdint cimport SIZE_MAX, int64_t

from whatsrelated.errors import OutOfMemory, OutOfTime

cdef extern from *:
    """
    #if defined(_MSC_VER)
    static __declspec(thread) void *in_force;
    static __declspec(thread) double stopping;
    #else
    static __thread void *in_force;
    static __thread double stopping;
    #endif
    """
    void *in_force
    double stopping  # when methods should stop, if they can; undefined without limits

cdef extern from "Python.h":
    void Py_FatalError(const char *) noexcept

cdef extern from "clock.h" nogil:
    double ticking_seconds() noexcept

cdef double AHEAD = time.monotonic() - ticking_seconds()


cdef double monotonic() noexcept nogil:
    return ticking_seconds() + AHEAD


cdef class Limits:
    """One query's limits, which apply to one thread inside a `with` block.

    `deadline` is on the clock of time.monotonic(), `memory` is in bytes. Nested limits, unless
    `alone`, keep the outer deadline and cancellation, and at most the outer memory. Their own
    deadline is only a hint: methods that support it should then stop and return what they have
    (`time_to_stop`).
    """

    cdef Bounds bounds
    cdef int own
    cdef Bounds *outer
    cdef double outer_stopping
    cdef readonly double deadline
    cdef readonly int64_t memory
    cdef bint alone

    def __init__(self, deadline=math.inf, memory=sys.maxsize, alone=False):
        self.deadline, self.memory, self.alone = deadline, memory, alone

    def __enter__(self):
        self.outer = <Bounds *>in_force
        self.outer_stopping = stopping
        self.bounds.cancelled = &self.own
        cdef double stop = self.deadline
        if self.outer != NULL and not self.alone:
            stop = min(stop, stopping)
            self.deadline, self.bounds.cancelled = self.outer.deadline, self.outer.cancelled
            self.memory = min(self.memory, self.outer.bytes)
        self.bounds.deadline, self.bounds.bytes = self.deadline, self.memory
        self.bounds.pages, self.bounds.links = self.memory // 512, self.memory // 192
        self.bounds.reads = self.memory // 16
        self.bounds.failed = False
        set_in_force(&self.bounds, stop)
        return self

    def __exit__(self, *error):
        set_in_force(self.outer, self.outer_stopping)
        if self.bounds.failed and error[0] is None:
            raise out_of_memory(&self.bounds)

    def cancel(self):
        """Cancel the query; may be called from another thread."""
        self.own = 1

    @property
    def reached(self):
        """Whether something was left out to stay within the memory limit."""
        return bool(self.bounds.reached)

    @property
    def grown(self):
        """The growth of the thread's scratch memory, in bytes."""
        return self.bounds.grown


cdef void set_in_force(Bounds *bounds, double stop) noexcept:
    global in_force, stopping
    in_force, stopping = <void *>bounds, stop


def check(double seconds=0):
    """Raise OutOfTime if this thread's query has less than `seconds` left or was cancelled."""
    cdef Bounds *bounds = <Bounds *>in_force
    if is_over() or (bounds != NULL and seconds > 0 and monotonic() + seconds > bounds.deadline):
        raise_out_of_time()


def time_to_stop():
    """The time.monotonic() value at which methods should stop, if they can, and return what they
    have.
    """
    return stopping if in_force != NULL else math.inf


def rows_within(int64_t width):
    """The number of rows of `width` bytes that this thread's query may hold."""
    cdef Bounds *bounds = <Bounds *>in_force
    if bounds == NULL:
        return SIZE_MAX >> 1
    return bounds.bytes // max(width, 1)


def mark_reached():
    """Record that something was left out."""
    cdef Bounds *bounds = <Bounds *>in_force
    if bounds != NULL:
        bounds.reached = True


cdef Watch begin_watch() noexcept nogil:
    cdef Bounds *bounds = <Bounds *>in_force
    if bounds == NULL:
        return Watch(NULL, BETWEEN, SIZE_MAX >> 1, SIZE_MAX >> 1, SIZE_MAX >> 1)
    return Watch(bounds, BETWEEN, bounds.pages, bounds.links, bounds.reads)


cdef bint is_over() noexcept nogil:
    cdef Bounds *bounds = <Bounds *>in_force
    return bounds != NULL and (bounds.cancelled[0] or monotonic() > bounds.deadline)


cdef void give_back(size_t bytes) noexcept nogil:
    """Record that scratch memory was freed."""
    cdef Bounds *bounds = <Bounds *>in_force
    if bounds != NULL:
        bounds.grown = max(bounds.grown - <int64_t>bytes, <int64_t>0)


cdef void fail_for_memory() noexcept:
    """Record that memory ran out; the query fails as soon as it can."""
    cdef Bounds *bounds = <Bounds *>in_force
    if bounds == NULL:
        Py_FatalError("no memory is left for the links of a page")
    bounds.failed = True


cdef object out_of_memory(const Bounds *bounds):
    return OutOfMemory(
        f"The query needs more than the {bounds.bytes >> 20:,} MB that it may take; "
        "ask for less, or allow more memory."
    )


cdef int look_again(Watch *watch) except -1 nogil:
    watch.left = BETWEEN
    if watch.bounds != NULL and watch.bounds.failed:
        with gil:
            raise out_of_memory(watch.bounds)
    if watch.bounds != NULL and is_over():
        raise_out_of_time()
    return 0


cdef int raise_out_of_time() except -1 nogil:
    with gil:
        raise OutOfTime("The query did not finish in time; ask for less, or allow more time.")


cdef int take_bytes(size_t bytes, bint kept) except -1 nogil:
    """Call before allocating: raises OutOfMemory if the query would exceed its limit."""
    cdef Bounds *bounds = <Bounds *>in_force
    if bounds == NULL:
        return 0
    if kept:
        bounds.grown += bytes
    if <int64_t>bytes > bounds.bytes or bounds.grown > bounds.bytes:
        with gil:
            raise out_of_memory(bounds)
    return 0
