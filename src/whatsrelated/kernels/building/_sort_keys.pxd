# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Functions on sort keys that other kernels share."""

from libc.stdint cimport int64_t, uint8_t


cdef inline int port_of(const uint8_t* key, int64_t size) noexcept nogil:
    """The digits between byte 5 and the last byte, or -1."""
    cdef int64_t i = size - 2
    cdef int port = 0
    while i > 0 and 48 <= key[i] <= 57:
        i -= 1
    if key[i] != 5:
        return -1
    for i in range(i + 1, size - 1):
        if port < 100000:
            port = port * 10 + key[i] - 48
    return port
