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
costs a sixth of the time.

`flow` takes the plain way, in groups of pages instead of chunks: a page has to
read what the one before it has got.
"""

from libc.math cimport fabs
from libc.stdint cimport int64_t, uint32_t, uint64_t

from whatsrelated.kernels._memory cimport AHEAD

cdef extern from "ranking.h" nogil:
    void finish_single(
        size_t, float, float, float, const float*, const float*, const float*, float*, float*,
        double*)
    void finish_double(
        size_t, double, double, double, const double*, const double*, const double*, double*,
        double*, double*)
    enum:
        BLOCK "BLOCK_OF_PAGES"  # pages that are finished together

ctypedef fused real:
    float
    double

cdef enum:
    LENGTH = 512    # links that are added up together
    EARLY = 256     # how many links ahead their values are asked for
    SEEN = 64       # pages that tell how much of a group stays in it

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


cdef inline double sum_until(
    Running* running, uint64_t stop, const uint32_t* links, const real* values
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
    cdef double[2] sums
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


cdef inline double sum_back(
    const uint32_t* links, int64_t count, int64_t early, const float* values
) noexcept nogil:
    """The sum of the values of some links, from the last to the first."""
    cdef double total = 0
    while count > 0:
        count -= 1
        AHEAD(&values[links[count - early]])
        total += values[links[count]]
    return total


def flow(
    const uint64_t[::1] offsets, const uint32_t[::1] links, const uint64_t[::1] out_offsets,
    const float[::1] jumps, double factor, double constant, double jump,
    const uint32_t[::1] groups, float[::1] gains, float[::1] changes, float[::1] shares,
    Py_ssize_t first, Py_ssize_t last, double[::1] tallies,
):
    """As `spread`, in place, from the last page to the first, page by page and group by group.

    Group g is the pages groups[g] … groups[g+1]-1; a call is for the groups `first` … `last`-1.
    What a group has changed by in all is put into `changes`, and it is given gains[g] times
    that at once, each page in proportion, and at most as much as it has, or less by half of it;
    where it swings, its gain is halved first.
    jumps may be None.
    tallies: Σ |score - score before| as computed, over the pages with links; Σ |what groups
    were given|; and of what there is then, Σ score over the pages without links, and Σ score.
    """
    cdef const uint32_t* link = &links[0] if links.shape[0] else NULL
    cdef float* share = &shares[0] if shares.shape[0] else NULL
    cdef bint jumping = jumps is not None
    cdef Py_ssize_t group, page
    cdef uint64_t start, degree
    cdef double score, before, growth, moved, stranded, total
    cdef double[4] sums
    sums[0] = sums[1] = sums[2] = sums[3] = 0
    with nogil:
        for group in range(last - 1, first - 1, -1):
            growth = moved = stranded = total = 0
            for page in range(<Py_ssize_t>groups[group + 1] - 1, <Py_ssize_t>groups[group] - 1, -1):
                start = offsets[page]
                score = constant + factor * sum_back(
                    link + start, offsets[page + 1] - start, EARLY if start >= EARLY else 0, share)
                if jumping:
                    score += jump * jumps[page]
                degree = out_offsets[page + 1] - out_offsets[page]
                before = share[page] * <double>max(<int64_t>degree, <int64_t>1)
                growth += score - before
                total += score
                if degree == 0:
                    stranded += score
                else:
                    moved += fabs(score - before)
                    score /= <int64_t>degree
                share[page] = <float>score
            sums[0] += moved
            if gains[group] > 0 and total > 0:
                if growth * changes[group] < 0 and 2 * fabs(growth) > fabs(changes[group]):
                    gains[group] /= 2
                changes[group] = <float>growth
                growth = min(max(gains[group] * growth / total, -0.5), 1.0)
                sums[1] += fabs(growth) * total
                stranded *= 1 + growth
                total *= 1 + growth
                for page in range(groups[group], groups[group + 1]):
                    share[page] *= <float>(1 + growth)
            sums[2] += stranded
            sums[3] += total
    for page in range(4):
        tallies[page] = sums[page]


def echoes(
    const uint64_t[::1] out_offsets, const uint32_t[::1] out_links, const float[::1] shares,
    const uint32_t[::1] groups, double damping, float[::1] gains,
    Py_ssize_t first, Py_ssize_t last,
):
    """gains[g]: what a group will get from itself, for each part that `flow` has brought it.

    Of what it holds, a part goes along links within it, and of these some go to pages that
    `flow` has done before, and bring it in the next round only.  These make a geometric series.
    Up to SEEN pages of a group are looked at, evenly spread.
    """
    cdef Py_ssize_t group, page, step
    cdef uint64_t link
    cdef uint32_t start, end, after, target
    cdef double held, own, late
    cdef int64_t staying, waiting, degree
    with nogil:
        for group in range(first, last):
            start, end = groups[group], groups[group + 1]
            step = max((end - start) // SEEN, 1)
            held = own = late = 0
            page = start
            while page < end:
                staying = waiting = 0
                after = <uint32_t>page + 1
                for link in range(out_offsets[page], out_offsets[page + 1]):
                    target = out_links[link]
                    # Without a sign, one comparison for two, and none to guess wrong.
                    staying += target - start < end - start
                    waiting += target - after < end - after
                degree = out_offsets[page + 1] - out_offsets[page]
                held += shares[page] * <double>max(degree, <int64_t>1)
                own += shares[page] * <double>staying
                late += shares[page] * <double>waiting
                page += step
            if held > 0:
                gains[group] = <float>(damping * late / (held - damping * own))


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
