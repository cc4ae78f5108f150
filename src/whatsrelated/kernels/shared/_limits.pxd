# cython: cdivision=True
"""What a question may take, as the kernels look at it: time, pages, links and bytes.

A kernel begins a `Watch`, and tells it of every row before it is read.
"""

from libc.stdint cimport int64_t


cdef enum:
    BETWEEN = 1 << 15  # links between two looks at the clock


cdef struct Bounds:
    double deadline    # as time.monotonic counts
    int *cancelled     # that of the outermost limits
    int64_t pages, links, reads, bytes
    int64_t grown      # bytes that scratch memory grew by
    bint reached
    bint failed        # memory was refused where no error could be raised


cdef struct Watch:
    Bounds *bounds     # NULL where nothing is bounded
    int64_t left       # links until the next look at the clock
    size_t pages, links, reads


cdef double monotonic() noexcept nogil  # that of time
cdef Watch begin_watch() noexcept nogil
cdef bint is_over() noexcept nogil
cdef int look_again(Watch *watch) except -1 nogil
cdef int take_bytes(size_t bytes, bint kept) except -1 nogil
cdef void give_back(size_t bytes) noexcept nogil
cdef void fail_for_memory() noexcept


cdef inline int look(Watch *watch, size_t read) except -1 nogil:
    """Raise where time is over; so many links are read next."""
    watch.left -= <int64_t>read + 1
    return look_again(watch) if watch.left < 0 else 0


cdef inline int begin_row(Watch *watch, size_t *size, size_t held, size_t most) except -1 nogil:
    """Before a row is read, each link of which may add one to what is held: cut it to `most`."""
    if held + size[0] > most:
        size[0] = most - held if most > held else 0
        watch.bounds.reached = True
    return look(watch, size[0])
