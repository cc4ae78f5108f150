# cython: cdivision=True
"""A deadline that loops check after every BETWEEN links."""

from libc.stdint cimport int64_t

from whatsrelated.kernels.shared._limits cimport BETWEEN, is_over, monotonic


cdef struct Clock:
    double deadline    # on the clock of time.monotonic()
    int64_t next_look
    bint late


cdef inline void set_clock(Clock *clock, double deadline) noexcept nogil:
    clock.deadline, clock.next_look, clock.late = deadline, BETWEEN, False


cdef inline bint is_late(Clock *clock, int64_t read) noexcept nogil:
    if read >= clock.next_look and not clock.late:
        clock.next_look = read + BETWEEN
        clock.late = monotonic() > clock.deadline or is_over()
    return clock.late
