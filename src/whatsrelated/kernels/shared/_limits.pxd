# cython: cdivision=True
"""A query's limits for the kernels: time, pages, links and bytes.

A kernel starts a `Watch` and reports each row to it before reading the row.
"""

from libc.stdint cimport int64_t


cdef enum:
    BETWEEN = 1 << 15  # links between two checks of the clock


cdef struct Bounds:
    double deadline    # on the clock of time.monotonic()
    int *cancelled     # the flag of the outermost limits
    int64_t pages, links, reads, bytes
    int64_t grown      # growth of the scratch memory, in bytes
    bint reached
    bint failed        # out of memory in code that cannot raise


cdef struct Watch:
    Bounds *bounds     # NULL: no limits
    int64_t left       # links until the next check of the clock
    size_t pages, links, reads


cdef double monotonic() noexcept nogil  # on the clock of time.monotonic()
cdef Watch begin_watch() noexcept nogil
cdef bint is_over() noexcept nogil
cdef int look_again(Watch *watch) except -1 nogil
cdef int take_bytes(size_t bytes, bint kept) except -1 nogil
cdef void give_back(size_t bytes) noexcept nogil
cdef void fail_for_memory() noexcept


cdef inline int look(Watch *watch, size_t read) except -1 nogil:
    """Raise OutOfTime if time is up; `read` is the number of links to read next."""
    watch.left -= <int64_t>read + 1
    return look_again(watch) if watch.left < 0 else 0


cdef inline int begin_row(Watch *watch, size_t *size, size_t held, size_t most) except -1 nogil:
    """Call before reading a row: cut its size to keep `held` plus its links within `most`."""
    if held + size[0] > most:
        size[0] = most - held if most > held else 0
        watch.bounds.reached = True
    return look(watch, size[0])
