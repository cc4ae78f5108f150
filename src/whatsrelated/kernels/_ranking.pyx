# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""One sweep over the links for the ranks: every page adds up what its links bring.

Pages are swept in chunks: chunk c is the pages bounds[c] … bounds[c+1]-1.  A
call sweeps the chunks `first` … `last`-1 and leaves each chunk's sums in its
own row of `tallies`, so that the totals, added up in the order of the chunks,
are the same however many threads swept.

Links are added up without regard to the pages they belong to, some hundreds at
a time, into running sums of 64 bits; the sum of a page is the difference of
two of them.  A loop over the links of each page would be the plain way, but
nobody can foresee where a page's links end, and to guess wrong for each page
costs more than to add up its links.
"""

from libc.math cimport fabs, fabsf
from libc.stdint cimport int64_t, uint32_t, uint64_t

from whatsrelated.kernels._memory cimport AHEAD

ctypedef fused real:
    float
    double

cdef enum:
    BLOCK = 256     # pages that are finished together
    LENGTH = 512    # links that are added up together
    EARLY = 64      # how many links ahead their values are asked for

cdef struct Running:
    uint64_t start  # the links start … stop-1 are added up:
    uint64_t stop
    uint64_t last   # where the chunk's links end
    uint64_t end    # where all links end
    double told     # what of it has been given to pages
    double[LENGTH + 1] sums


cdef inline void restart(Running* running, uint64_t start, uint64_t last, uint64_t end) noexcept nogil:
    running.start = running.stop = start
    running.last = last
    running.end = end
    running.told = running.sums[0] = 0


cdef void advance(Running* running, const uint32_t* links, const real* values) noexcept nogil:
    """Add up the next links: sums[i] is the sum of the first i, four at a time."""
    cdef size_t i, count, whole, early
    cdef double base = 0
    cdef real a, b, c, d
    cdef double* sums = running.sums
    running.start = running.stop
    running.stop = min(running.start + LENGTH, running.last)
    early = EARLY if running.stop + EARLY <= running.end else 0
    links += running.start
    count = running.stop - running.start
    whole = count - count % 4
    for i in range(0, whole, 4):
        AHEAD(&values[links[i + early]])
        AHEAD(&values[links[i + early + 1]])
        AHEAD(&values[links[i + early + 2]])
        AHEAD(&values[links[i + early + 3]])
        a = values[links[i]]
        b = values[links[i + 1]]
        c = values[links[i + 2]]
        d = values[links[i + 3]]
        sums[i + 1] = base + a
        sums[i + 2] = base + (a + b)
        sums[i + 3] = base + ((a + b) + c)
        base = base + ((a + b) + (c + d))
        sums[i + 4] = base
    for i in range(whole, count):
        base += values[links[i]]
        sums[i + 1] = base


cdef inline real sum_until(
    Running* running, uint64_t stop, const uint32_t* links, const real* values
) noexcept nogil:
    """The sum of the values of the links up to `stop`, from where the page before ended."""
    cdef double total = -running.told
    while stop > running.stop:
        total += running.sums[running.stop - running.start]
        advance(running, links, values)
    running.told = running.sums[stop - running.start]
    return <real>(total + running.told)


cdef inline real size_of(real value) noexcept nogil:
    return fabsf(value) if real is float else fabs(value)


cdef inline double block_sum(const real* values, Py_ssize_t count) noexcept nogil:
    cdef real one = 0, two = 0, three = 0, four = 0
    cdef Py_ssize_t i, whole = count - count % 4
    for i in range(0, whole, 4):
        one += values[i]
        two += values[i + 1]
        three += values[i + 2]
        four += values[i + 3]
    for i in range(whole, count):
        one += values[i]
    return <double>(one + two) + (three + four)


def products(
    const uint64_t[::1] offsets, const uint32_t[::1] links, const real[::1] values,
    real[::1] result,
    const int64_t[::1] bounds, Py_ssize_t first, Py_ssize_t last, double[:, ::1] tallies,
):
    """result[q] = Σ values[p] over the links p of q; tallies: Σ result²."""
    cdef const uint32_t* link = &links[0] if links.shape[0] else NULL
    cdef const real* value = &values[0]
    cdef Py_ssize_t chunk, page
    cdef Running running
    cdef double squares
    with nogil:
        for chunk in range(first, last):
            squares = 0
            restart(&running, offsets[bounds[chunk]], offsets[bounds[chunk + 1]], links.shape[0])
            for page in range(bounds[chunk], bounds[chunk + 1]):
                result[page] = sum_until(&running, offsets[page + 1], link, value)
                squares += <double>result[page] * result[page]
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
    cdef Running running
    cdef double squares
    with nogil:
        for chunk in range(first, last):
            squares = 0
            restart(&running, offsets[bounds[chunk]], offsets[bounds[chunk + 1]], links.shape[0])
            for page in range(bounds[chunk], bounds[chunk + 1]):
                total[page] += sum_until(&running, offsets[page + 1], link, value)
                squares += total[page] * total[page]
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
    cdef Py_ssize_t chunk, page, count, i
    cdef bint jumping = jumps is not None, adding = total is not None
    cdef bint comparing = before is not None
    cdef real a = <real>factor, b = <real>constant, c = <real>jump
    cdef real[BLOCK] scores, divisors, moved, held
    cdef Running running
    cdef double change, stranded
    with nogil:
        for chunk in range(first, last):
            change = stranded = 0
            page = bounds[chunk]
            restart(&running, offsets[page], offsets[bounds[chunk + 1]], links.shape[0])
            while page < bounds[chunk + 1]:
                count = min(<Py_ssize_t>BLOCK, bounds[chunk + 1] - page)
                for i in range(count):
                    scores[i] = sum_until(&running, offsets[page + i + 1], link, share)
                for i in range(count):
                    scores[i] = a * scores[i] + b
                if jumping:
                    for i in range(count):
                        scores[i] += c * jumps[page + i]
                for i in range(count):
                    divisors[i] = degrees[page + i] if degrees[page + i] > 1 else 1
                    held[i] = scores[i] if degrees[page + i] == 0 else 0
                    moved[i] = size_of(scores[i])
                for i in range(count):
                    result[page + i] = scores[i] / divisors[i]
                if comparing:
                    for i in range(count):
                        moved[i] = size_of(scores[i] - before[page + i] * divisors[i])
                if adding:
                    for i in range(count):
                        total[page + i] += result[page + i]
                change += block_sum(&moved[0], count)
                stranded += block_sum(&held[0], count)
                page += count
            tallies[chunk, 0] = change
            tallies[chunk, 1] = stranded


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
