# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""The sums behind the checksums, computed only by additions, several at a time."""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

cdef enum:
    LANES = 8  # words added side by side


def sums(const uint8_t[::1] data):
    """The sum of all complete words, and the sum of each word times its index, mod 2⁶⁴.

    Adding up a lane's running sums counts the word in row r of R rows R - r times.
    """
    cdef int64_t count = data.shape[0] // 8, rows = count // LANES, row, lane
    cdef uint64_t words[LANES]
    cdef uint64_t running[LANES]
    cdef uint64_t doubly[LANES]
    cdef uint64_t total = 0, weighted = 0, left
    cdef const uint8_t* at = &data[0] if count else NULL
    with nogil:
        for lane in range(LANES):
            running[lane] = doubly[lane] = 0
        for row in range(rows):
            memcpy(words, at, sizeof(words))  # the words may not be aligned
            for lane in range(LANES):
                running[lane] += words[lane]
                doubly[lane] += running[lane]
            at += sizeof(words)
        for lane in range(LANES):
            left = <uint64_t>rows * running[lane] - doubly[lane]
            total += running[lane]
            weighted += LANES * left + <uint64_t>lane * running[lane]
        memcpy(words, at, 8 * (count - LANES * rows))
        for lane in range(count - LANES * rows):
            total += words[lane]
            weighted += <uint64_t>(LANES * rows + lane) * words[lane]
    return total, weighted
