# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""Sweeps over all links for the ranks: every page sums the contributions of its links.

`offsets` and `links` are compressed sparse rows: the links of page q are
links[offsets[q] - base] … links[offsets[q+1] - base - 1].  `base` is 0 if `links` has the
links of all pages.  A call computes the pages `first` … `last`-1, a chunk of all pages, and
writes its totals to `sums`.

`multiply` and `pull` compute prefix sums in double precision across page boundaries, a few hundred
links at a time. The sum of a page is the difference of two of them. A loop over each page's links
would be simpler. But no branch predictor can foresee where a page's links end, and the
mispredictions would cost a sixth of the time.

`gauss_seidel` uses the simple loop: a page has to read the value just computed for the
page after it.
"""

from libc.math cimport fabs
from libc.stdint cimport int64_t, uint32_t, uint64_t

from whatsrelated.kernels.shared._memory cimport AHEAD

cdef extern from "sweep.h" nogil:
    void finish_single(
        size_t, float, float, const float*, const float*, const float*, float*, float*,
        double*)
    void finish_double(
        size_t, double, double, const double*, const double*, const double*, double*,
        double*, double*)
    enum:
        BLOCK "BLOCK_OF_PAGES"  # pages finished together

ctypedef fused real:
    float
    double

cdef enum:
    BATCH = 512              # links summed together
    PREFETCH_DISTANCE = 256  # links

cdef struct PrefixSums:
    uint64_t start   # sums[i] is the sum over the links start … start+i-1
    uint64_t stop    # the first link that is not summed yet
    uint64_t last    # the end of the chunk's links
    uint64_t end     # the end of all links
    double previous  # the prefix sum at the end of the row before
    double[BATCH + 1] sums


cdef inline void start_at(PrefixSums* prefix, uint64_t start, uint64_t last, uint64_t end) noexcept nogil:
    prefix.start = prefix.stop = start
    prefix.last = last
    prefix.end = end
    prefix.previous = prefix.sums[0] = 0


cdef void sum_batch(PrefixSums* prefix, const uint32_t* links, const real* values) noexcept nogil:
    """Compute the prefix sums of the next batch of links, four at a time."""
    cdef size_t i, count, whole, ahead
    cdef double a, b, c, d, base = 0
    cdef double* sums = prefix.sums
    prefix.start = prefix.stop
    prefix.stop = min(prefix.start + BATCH, prefix.last)
    ahead = PREFETCH_DISTANCE if prefix.stop + PREFETCH_DISTANCE <= prefix.end else 0
    links += prefix.start
    count = prefix.stop - prefix.start
    whole = count - count % 4
    for i in range(0, whole, 4):
        AHEAD(&values[links[i + ahead]])
        AHEAD(&values[links[i + ahead + 1]])
        AHEAD(&values[links[i + ahead + 2]])
        AHEAD(&values[links[i + ahead + 3]])
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


cdef inline double row_sum(
    PrefixSums* prefix, uint64_t stop, const uint32_t* links, const real* values
) noexcept nogil:
    """The sum of the values of the links from the end of the row before to `stop`."""
    cdef double total = -prefix.previous
    while stop > prefix.stop:
        total += prefix.sums[prefix.stop - prefix.start]
        sum_batch(prefix, links, values)
    prefix.previous = prefix.sums[stop - prefix.start]
    return total + prefix.previous


def multiply(
    const uint64_t[::1] offsets, const uint32_t[::1] links, const real[::1] values,
    real[::1] result, *,
    Py_ssize_t first, Py_ssize_t last, double[::1] sums, uint64_t base=0,
):
    """result[q] = Σ values[p] over the links p of q; sums: Σ result²."""
    cdef const uint32_t* link = &links[0] - base if links.shape[0] else NULL
    cdef const real* value = &values[0]
    cdef Py_ssize_t page
    cdef PrefixSums prefix
    cdef double squares = 0
    with nogil:
        start_at(&prefix, offsets[first], offsets[last], base + links.shape[0])
        for page in range(first, last):
            result[page] = <real>row_sum(&prefix, offsets[page + 1], link, value)
            squares += <double>result[page] * result[page]
    sums[0] = squares


def pull(
    const uint64_t[::1] offsets, const uint32_t[::1] links, const real[::1] contributions,
    const real[::1] degrees, real[::1] result, *,
    double damping, double jump, const real[::1] weights,
    const real[::1] previous, double[::1] total,
    Py_ssize_t first, Py_ssize_t last, double[::1] sums, uint64_t base=0,
):
    """score[q] = damping·Σ contributions[p] + jump·weights[q], over the links p of q.

    A page's contribution to each of its links is its score divided by its degree. For a dangling
    page (degree 0) it is the score itself, which no link passes on. Contributions are written to
    `result` and added to `total`. `previous` holds the contributions to compare with. `previous`
    and `total` may be None; so may `weights`, which are then 1. sums: Σ |score - previous score|,
    and Σ score over the dangling pages.
    """
    cdef const uint32_t* link = &links[0] - base if links.shape[0] else NULL
    cdef const real* value = &contributions[0]
    cdef const real* weight = &weights[0] if weights is not None else NULL
    cdef const real* before = &previous[0] if previous is not None else NULL
    cdef const real* degree = &degrees[0]
    cdef real* written = &result[0]
    cdef bint accumulate = total is not None
    cdef Py_ssize_t page = first, count, i
    cdef real[BLOCK] scores
    cdef PrefixSums prefix
    cdef double[2] both
    both[0] = both[1] = 0
    with nogil:
        start_at(&prefix, offsets[first], offsets[last], base + links.shape[0])
        while page < last:
            count = min(<Py_ssize_t>BLOCK, last - page)
            for i in range(count):
                scores[i] = <real>row_sum(&prefix, offsets[page + i + 1], link, value)
            if real is float:
                finish_single(
                    count, <float>damping, <float>jump,
                    weight + page if weight != NULL else NULL, degree + page,
                    before + page if before != NULL else NULL, &scores[0],
                    written + page, &both[0])
            else:
                finish_double(
                    count, damping, jump,
                    weight + page if weight != NULL else NULL, degree + page,
                    before + page if before != NULL else NULL, &scores[0],
                    written + page, &both[0])
            if accumulate:
                for i in range(count):
                    total[page + i] += written[page + i]
            page += count
    sums[0], sums[1] = both[0], both[1]


cdef inline double sum_backwards(
    const uint32_t* links, int64_t count, int64_t ahead, const float* values
) noexcept nogil:
    """The sum of the values of the links, from last to first."""
    cdef double total = 0
    while count > 0:
        count -= 1
        AHEAD(&values[links[count - ahead]])
        total += values[links[count]]
    return total


def gauss_seidel(
    const uint64_t[::1] offsets, const uint32_t[::1] links, const uint64_t[::1] out_offsets,
    float[::1] contributions, *, double damping, double jump, const float[::1] weights,
    const float[::1] residual, Py_ssize_t first, Py_ssize_t last, double[::1] sums,
    uint64_t base=0,
):
    """Like `pull`, but in place, from the last page to the first; adds residual[q] to score[q].

    `residual` may be None. Added to sums: Σ |score - previous score| over the pages with links; Σ
    score over the dangling pages; Σ score.
    """
    cdef const uint32_t* link = &links[0] - base if links.shape[0] else NULL
    cdef float* contribution = &contributions[0] if contributions.shape[0] else NULL
    cdef bint weighted = weights is not None, corrected = residual is not None
    cdef Py_ssize_t page
    cdef uint64_t start, degree
    cdef int64_t ahead
    cdef double score, changed = sums[0], dangling = sums[1], total = sums[2]
    with nogil:
        for page in range(last - 1, first - 1, -1):
            start = offsets[page]
            ahead = PREFETCH_DISTANCE if start >= base + PREFETCH_DISTANCE else 0
            score = damping * sum_backwards(
                link + start, offsets[page + 1] - start, ahead, contribution)
            score += jump * weights[page] if weighted else jump
            if corrected:
                score += residual[page]
            total += score
            degree = out_offsets[page + 1] - out_offsets[page]
            if degree == 0:
                dangling += score
            else:
                changed += fabs(score - contribution[page] * <double><int64_t>degree)
                score /= <int64_t>degree
            contribution[page] = <float>score
    sums[0], sums[1], sums[2] = changed, dangling, total
