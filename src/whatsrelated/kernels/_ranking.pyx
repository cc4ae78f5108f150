# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""One sweep over the links for the ranks: every page adds up what its links bring.

Pages are swept in chunks: chunk c is the pages bounds[c] … bounds[c+1]-1.  A
call sweeps the chunks `first` … `last`-1 and leaves each chunk's sums in its
own row of `tallies`, so that the totals, added up in the order of the chunks,
are the same however many threads swept.

The sum over a page's links has four accumulators, for the adder is slower than
the loads, and is carried over to 64 bits every `SEGMENT` links, for a page
with a million links would lose digits in 32.
"""

from libc.math cimport fabs
from libc.stdint cimport int64_t, uint32_t, uint64_t

ctypedef fused real:
    float
    double

cdef enum:
    BLOCK = 256
    SEGMENT = 256
    LANES = 8


cdef inline real segment_sum(const uint32_t* links, size_t count, const real* values) noexcept nogil:
    cdef real one = 0, two = 0, three = 0, four = 0
    cdef size_t i, whole = count - count % 4
    for i in range(0, whole, 4):
        one += values[links[i]]
        two += values[links[i + 1]]
        three += values[links[i + 2]]
        four += values[links[i + 3]]
    for i in range(whole, count):
        one += values[links[i]]
    return (one + two) + (three + four)


cdef inline real link_sum(const uint32_t* links, size_t count, const real* values) noexcept nogil:
    """The sum of values[links[i]] over `count` links."""
    cdef double total = 0
    if count <= SEGMENT:
        return segment_sum(links, count, values)
    while count > SEGMENT:
        total += segment_sum(links, SEGMENT, values)
        links += SEGMENT
        count -= SEGMENT
    return <real>(total + segment_sum(links, count, values))


def products(
    const uint64_t[::1] offsets, const uint32_t[::1] links, const real[::1] values,
    real[::1] result,
    const int64_t[::1] bounds, Py_ssize_t first, Py_ssize_t last, double[:, ::1] tallies,
):
    """result[q] = Σ values[p] over the links p of q; tallies: Σ result²."""
    cdef const uint32_t* link = &links[0] if links.shape[0] else NULL
    cdef const real* value = &values[0]
    cdef Py_ssize_t chunk, page
    cdef uint64_t start, stop
    cdef double squares
    with nogil:
        for chunk in range(first, last):
            squares = 0
            start = offsets[bounds[chunk]]
            for page in range(bounds[chunk], bounds[chunk + 1]):
                stop = offsets[page + 1]
                result[page] = link_sum(link + start, stop - start, value)
                squares += <double>result[page] * result[page]
                start = stop
            tallies[chunk, 0] = squares


def add_products(
    const uint64_t[::1] offsets, const uint32_t[::1] links, const float[::1] values,
    double[::1] total,
    const int64_t[::1] bounds, Py_ssize_t first, Py_ssize_t last, double[:, ::1] tallies,
):
    """total[q] += Σ values[p] over the links p of q; tallies: Σ total²."""
    cdef const uint32_t* link = &links[0] if links.shape[0] else NULL
    cdef const float* value = &values[0]
    cdef Py_ssize_t chunk, page
    cdef uint64_t start, stop
    cdef double squares
    with nogil:
        for chunk in range(first, last):
            squares = 0
            start = offsets[bounds[chunk]]
            for page in range(bounds[chunk], bounds[chunk + 1]):
                stop = offsets[page + 1]
                total[page] += link_sum(link + start, stop - start, value)
                squares += total[page] * total[page]
                start = stop
            tallies[chunk, 0] = squares


def spread(
    const uint64_t[::1] offsets, const uint32_t[::1] links, const real[::1] shares,
    const real[::1] degrees, const real[::1] jumps, double factor, double constant, double jump,
    const real[::1] before, real[::1] result, double[::1] total,
    const int64_t[::1] bounds, Py_ssize_t first, Py_ssize_t last, double[:, ::1] tallies,
):
    """A page's score is factor·Σ shares[p] + constant + jump·jumps[q]; its share, score/degree.

    A share is what one link of the page carries, and where the page has no links (degree 0)
    the score itself, which no link reads.  The shares are left in `result`, and added to
    `total`.  `before` are the shares to compare with.  jumps, before and total may be None.
    tallies: Σ |score - score before|, and Σ score over the pages of degree 0.
    """
    cdef const uint32_t* link = &links[0] if links.shape[0] else NULL
    cdef const real* share = &shares[0]
    cdef const real* old = NULL
    cdef Py_ssize_t chunk, page, count, i, lane
    cdef uint64_t start, stop
    cdef bint jumping = jumps is not None, adding = total is not None
    cdef bint comparing = before is not None
    cdef real a = <real>factor, b = <real>constant, c = <real>jump
    cdef real[BLOCK] scores
    cdef double[LANES] changes
    cdef double[LANES] stranded
    with nogil:
        for chunk in range(first, last):
            for lane in range(LANES):
                changes[lane] = 0
                stranded[lane] = 0
            page = bounds[chunk]
            start = offsets[page]
            while page < bounds[chunk + 1]:
                count = min(<Py_ssize_t>BLOCK, bounds[chunk + 1] - page)
                for i in range(count):
                    stop = offsets[page + i + 1]
                    scores[i] = a * link_sum(link + start, stop - start, share) + b
                    start = stop
                if jumping:
                    for i in range(count):
                        scores[i] += c * jumps[page + i]
                if comparing:
                    old = &before[page]
                settle(&scores[0], count, &degrees[page], old, &result[page],
                       &changes[0], &stranded[0])
                if adding:
                    for i in range(count):
                        total[page + i] += result[page + i]
                page += count
            tallies[chunk, 0] = 0
            tallies[chunk, 1] = 0
            for lane in range(LANES):
                tallies[chunk, 0] += changes[lane]
                tallies[chunk, 1] += stranded[lane]


cdef inline void settle(
    const real* scores, Py_ssize_t count, const real* degrees, const real* before, real* shares,
    double* changes, double* stranded,
) noexcept nogil:
    """Shares from scores, and the two sums in LANES parts, so that additions need not wait."""
    cdef Py_ssize_t i
    cdef real divisor, old
    for i in range(count):
        divisor = degrees[i] if degrees[i] > 0 else 1
        old = before[i] * divisor if before != NULL else 0
        shares[i] = scores[i] / divisor
        changes[i % LANES] += fabs(scores[i] - old)
        stranded[i % LANES] += 0 if degrees[i] > 0 else scores[i]


def approach(
    const double[::1] goal, double factor, double[::1] values, float[::1] steps,
    const int64_t[::1] bounds, Py_ssize_t first, Py_ssize_t last, double[:, ::1] tallies,
):
    """values = factor·goal; steps: by how much they moved, in 32 bits; tallies: Σ |step|."""
    cdef Py_ssize_t chunk, page
    cdef double change, value
    with nogil:
        for chunk in range(first, last):
            change = 0
            for page in range(bounds[chunk], bounds[chunk + 1]):
                value = factor * goal[page]
                change += fabs(value - values[page])
                steps[page] = <float>(value - values[page])
                values[page] = value
            tallies[chunk, 0] = change
