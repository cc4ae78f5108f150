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
from libc.stdint cimport int64_t, uint32_t, uint64_t

from whatsrelated.kernels._memory cimport AHEAD

cdef extern from "ranking.h" nogil:
    void finish_single(
        size_t, float, float, float, const float*, const float*, const float*, float*, float*,
        double*, double*)
    void finish_double(
        size_t, double, double, double, const double*, const double*, const double*, double*,
        double*, double*, double*)
    void align(
        size_t, const float*, const float*, const float*, const float*, const float*, double*)
    enum:
        BLOCK "BLOCK_OF_PAGES"  # pages that are finished together

ctypedef fused real:
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
    const real[::1] before, real[::1] result, double[::1] total, Py_ssize_t origin,
    const int64_t[::1] bounds, Py_ssize_t first, Py_ssize_t last, double[:, ::1] tallies,
):
    """A page's score is factor·Σ shares[p] + constant + jump·jumps[q]; its share, score/degree.

    A share is what one link of the page carries, and where the page has no links (degree 0)
    the score itself, which no link reads.  The shares are left in `result`, which begins with
    the page `origin`, and added to `total`.  `before` are the shares to compare with.  jumps,
    before and total may be None.
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
                if real is float:
                    finish_single(
                        count, <float>factor, <float>constant, <float>jump,
                        jumping + page if jumping != NULL else NULL, degree + page,
                        comparing + page if comparing != NULL else NULL, &scores[0],
                        written + (page - origin), &change, &stranded)
                else:
                    finish_double(
                        count, factor, constant, jump,
                        jumping + page if jumping != NULL else NULL, degree + page,
                        comparing + page if comparing != NULL else NULL, &scores[0],
                        written + (page - origin), &change, &stranded)
                if adding:
                    for i in range(count):
                        total[page + i] += written[page - origin + i]
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


def alignment(
    const float[::1] first_shares, const float[::1] second, const float[::1] third,
    const float[::1] fourth, const float[::1] degrees,
    const int64_t[::1] bounds, Py_ssize_t first, Py_ssize_t last, double[:, ::1] tallies,
):
    """tallies: the products of the three steps between four shares, as scores, with one another.

    In the order 11, 12, 13, 22, 23, 33.
    """
    cdef Py_ssize_t chunk, page, count, i
    cdef double[6] sums
    with nogil:
        for chunk in range(first, last):
            sums[0] = sums[1] = sums[2] = sums[3] = sums[4] = sums[5] = 0
            page = bounds[chunk]
            while page < bounds[chunk + 1]:
                count = min(<Py_ssize_t>BLOCK, bounds[chunk + 1] - page)
                align(
                    count, &first_shares[page], &second[page], &third[page], &fourth[page],
                    &degrees[page], &sums[0])
                page += count
            for i in range(6):
                tallies[chunk, i] = sums[i]


def leap(
    const float[::1] second, const float[::1] third, double one, double two,
    const float[::1] degrees, float[::1] shares,
    const int64_t[::1] bounds, Py_ssize_t first, Py_ssize_t last, double[:, ::1] tallies,
):
    """shares += one·(second - shares) + two·(third - shares), and at least 0.

    tallies: Σ score, and Σ score over the pages of degree 0.
    """
    cdef Py_ssize_t chunk, page
    cdef float share, a = <float>one, b = <float>two
    cdef double total, stranded
    with nogil:
        for chunk in range(first, last):
            total = stranded = 0
            for page in range(bounds[chunk], bounds[chunk + 1]):
                share = shares[page]
                share = share + (a * (second[page] - share) + b * (third[page] - share))
                share = share if share > 0 else 0
                shares[page] = share
                if degrees[page] == 0:
                    stranded += share
                    total += share
                else:
                    total += <double>share * degrees[page]
            tallies[chunk, 0] = total
            tallies[chunk, 1] = stranded
