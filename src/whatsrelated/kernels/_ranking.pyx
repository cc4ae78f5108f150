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

from libc.math cimport fabs
from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from whatsrelated.kernels._memory cimport AHEAD

cdef extern from "ranking.h" nogil:
    float widened(uint16_t)
    uint16_t halved(float)
    void finish_single(
        size_t, float, float, float, const float*, const float*, const float*, float*, float*,
        double*)
    void finish_double(
        size_t, double, double, double, const double*, const double*, const double*, double*,
        double*, double*)
    void count_links(size_t, const uint64_t*, float*)
    void align(
        size_t, const float*, const float*, const float*, const float*, const float*, double*)
    void leap_to(
        size_t, const float*, const float*, float, float, const float*, float*, double*)
    enum:
        BLOCK "BLOCK_OF_PAGES"  # pages that are finished together

ctypedef fused real:
    float
    double

ctypedef fused short_real:
    uint16_t  # a float cut short: see `widened`
    float

ctypedef fused number:
    uint16_t
    float
    double

cdef enum:
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


cdef inline double wide(number value) noexcept nogil:
    if number is uint16_t:
        return widened(value)
    else:
        return value


cdef void advance(Running* running, const uint32_t* links, const number* values) noexcept nogil:
    """Add up the next links: sums[i] is the sum of the first i, four at a time."""
    cdef size_t i, count, whole, early
    cdef double a, b, c, d, base = 0
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
        a = wide(values[links[i]])
        b = wide(values[links[i + 1]])
        c = wide(values[links[i + 2]])
        d = wide(values[links[i + 3]])
        sums[i + 1] = base + a
        sums[i + 2] = base + (a + b)
        sums[i + 3] = base + ((a + b) + c)
        base = base + ((a + b) + (c + d))
        sums[i + 4] = base
    for i in range(whole, count):
        base += wide(values[links[i]])
        sums[i + 1] = base


cdef inline double sum_until(
    Running* running, uint64_t stop, const uint32_t* links, const number* values
) noexcept nogil:
    """The sum of the values of the links up to `stop`, from where the page before ended."""
    cdef double total = -running.told
    while stop > running.stop:
        total += running.sums[running.stop - running.start]
        advance(running, links, values)
    running.told = running.sums[stop - running.start]
    return total + running.told


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
                result[page] = <real>sum_until(&running, offsets[page + 1], link, value)
                squares += <double>result[page] * result[page]
            tallies[chunk, 0] = squares


def add_products(
    const uint64_t[::1] offsets, const uint32_t[::1] links, const float[::1] values,
    double[::1] total, float[::1] added,
    const int64_t[::1] bounds, Py_ssize_t first, Py_ssize_t last, double[:, ::1] tallies,
):
    """added[q] = Σ values[p] over the links p of q, total += added; tallies: Σ total²."""
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
                added[page] = <float>sum_until(&running, offsets[page + 1], link, value)
                total[page] += added[page]
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
    cdef const real* jumping = &jumps[0] if jumps is not None else NULL
    cdef const real* comparing = &before[0] if before is not None else NULL
    cdef const real* degree = &degrees[0]
    cdef real* written = &result[0]
    cdef bint adding = total is not None
    cdef Py_ssize_t chunk, page, count, i
    cdef real[BLOCK] scores
    cdef Running running
    cdef double[3] sums
    with nogil:
        for chunk in range(first, last):
            sums[0] = sums[1] = 0
            page = bounds[chunk]
            restart(&running, offsets[page], offsets[bounds[chunk + 1]], links.shape[0])
            while page < bounds[chunk + 1]:
                count = min(<Py_ssize_t>BLOCK, bounds[chunk + 1] - page)
                for i in range(count):
                    scores[i] = <real>sum_until(&running, offsets[page + i + 1], link, share)
                if real is float:
                    finish_single(
                        count, <float>factor, <float>constant, <float>jump,
                        jumping + page if jumping != NULL else NULL, degree + page,
                        comparing + page if comparing != NULL else NULL, &scores[0],
                        written + page, &sums[0])
                else:
                    finish_double(
                        count, factor, constant, jump,
                        jumping + page if jumping != NULL else NULL, degree + page,
                        comparing + page if comparing != NULL else NULL, &scores[0],
                        written + page, &sums[0])
                if adding:
                    for i in range(count):
                        total[page + i] += written[page + i]
                page += count
            tallies[chunk, 0] = sums[0]
            tallies[chunk, 1] = sums[1]


def flow(
    const uint64_t[::1] offsets, const uint32_t[::1] links, const uint64_t[::1] out_offsets,
    const float[::1] jumps, double factor, double constant, double jump,
    const short_real[::1] shares, short_real[::1] result, float[::1] kept,
    const int64_t[::1] bounds, Py_ssize_t first, Py_ssize_t last, double[:, ::1] tallies,
):
    """As `spread`, block after block of 256 pages; the shares before are put into `kept`.

    Where `result` is `shares` itself, a block reads what those before it have written.
    jumps and kept may be None.
    tallies: Σ |score - score before|, Σ score over the pages without links, and Σ score.
    """
    cdef const uint32_t* link = &links[0] if links.shape[0] else NULL
    cdef const short_real* share = &shares[0]
    cdef const float* jumping = &jumps[0] if jumps is not None else NULL
    cdef bint keeping = kept is not None
    cdef Py_ssize_t chunk, page, count, i
    cdef float[BLOCK] scores
    cdef float[BLOCK] degrees
    cdef float[BLOCK] before
    cdef float[BLOCK] after
    cdef Running running
    cdef double[3] sums
    with nogil:
        for chunk in range(first, last):
            sums[0] = sums[1] = sums[2] = 0
            page = bounds[chunk]
            while page < bounds[chunk + 1]:
                count = min(<Py_ssize_t>BLOCK, bounds[chunk + 1] - page)
                restart(&running, offsets[page], offsets[page + count], links.shape[0])
                for i in range(count):
                    scores[i] = <float>sum_until(&running, offsets[page + i + 1], link, share)
                    before[i] = <float>wide(share[page + i])
                count_links(count, &out_offsets[page], &degrees[0])
                finish_single(
                    count, <float>factor, <float>constant, <float>jump,
                    jumping + page if jumping != NULL else NULL, &degrees[0],
                    &before[0], &scores[0], &after[0], &sums[0])
                if keeping:
                    memcpy(&kept[page], &before[0], count * sizeof(float))
                for i in range(count):
                    if short_real is uint16_t:
                        result[page + i] = halved(after[i])
                    else:
                        result[page + i] = after[i]
                page += count
            for i in range(3):
                tallies[chunk, i] = sums[i]


def combine(
    const double[::1] goal, double one, double two, float[::1] steps,
    const int64_t[::1] bounds, Py_ssize_t first, Py_ssize_t last, double[:, ::1] tallies,
):
    """steps = one·goal + two·steps; tallies: Σ |step|."""
    cdef Py_ssize_t chunk, page
    cdef double change, step
    with nogil:
        for chunk in range(first, last):
            change = 0
            for page in range(bounds[chunk], bounds[chunk + 1]):
                step = one * goal[page] + two * steps[page]
                change += fabs(step)
                steps[page] = <float>step
            tallies[chunk, 0] = change


def alignment(
    const float[::1] first_shares, const float[::1] second, const float[::1] third,
    const float[::1] fourth, const uint64_t[::1] out_offsets,
    const int64_t[::1] bounds, Py_ssize_t first, Py_ssize_t last, double[:, ::1] tallies,
):
    """tallies: the products of the three steps between four shares, as scores, with one another.

    In the order 11, 12, 13, 22, 23, 33.
    """
    cdef Py_ssize_t chunk, page, count, i
    cdef float[BLOCK] degrees
    cdef double[6] sums
    with nogil:
        for chunk in range(first, last):
            sums[0] = sums[1] = sums[2] = sums[3] = sums[4] = sums[5] = 0
            page = bounds[chunk]
            while page < bounds[chunk + 1]:
                count = min(<Py_ssize_t>BLOCK, bounds[chunk + 1] - page)
                count_links(count, &out_offsets[page], &degrees[0])
                align(
                    count, &first_shares[page], &second[page], &third[page], &fourth[page],
                    &degrees[0], &sums[0])
                page += count
            for i in range(6):
                tallies[chunk, i] = sums[i]


def leap(
    const float[::1] second, const float[::1] third, double one, double two,
    const uint64_t[::1] out_offsets, float[::1] shares,
    const int64_t[::1] bounds, Py_ssize_t first, Py_ssize_t last, double[:, ::1] tallies,
):
    """shares += one·(second - shares) + two·(third - shares), and at least 0.

    tallies: 0, then Σ score over the pages without links, and Σ score, as `flow` has them.
    """
    cdef Py_ssize_t chunk, page, count
    cdef float[BLOCK] degrees
    cdef double[2] sums
    with nogil:
        for chunk in range(first, last):
            sums[0] = sums[1] = 0
            page = bounds[chunk]
            while page < bounds[chunk + 1]:
                count = min(<Py_ssize_t>BLOCK, bounds[chunk + 1] - page)
                count_links(count, &out_offsets[page], &degrees[0])
                leap_to(
                    count, &second[page], &third[page], <float>one, <float>two, &degrees[0],
                    &shares[page], &sums[0])
                page += count
            tallies[chunk, 0] = 0
            tallies[chunk, 1] = sums[0]
            tallies[chunk, 2] = sums[1]
