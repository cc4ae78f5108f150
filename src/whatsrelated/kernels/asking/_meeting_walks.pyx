# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""Count how many pairs of walkers meet while following links backwards.

Each walker moves to a random parent; before each step, the pair continues with probability
`decay`.  Several pairs walk at once to hide memory latency.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from whatsrelated.kernels.shared._links cimport (
    Links, Pages, degree_of, link_at, prefetch_degree, prefetch_link
)
from whatsrelated.kernels.shared._random cimport choose, draw, low_fraction

import numpy as np

cdef enum:
    ABREAST = 16             # number of pairs that walk at once

cdef struct Pair:            # two walkers
    int64_t owner
    uint64_t key             # of their draws
    uint64_t step
    uint32_t one, two
    uint64_t one_link, two_link


cdef inline bint choose_step(const Adjacency* parents, Pair* pair, double decay) noexcept nogil:
    """Choose the next links of two walkers; False if the pair stops.

    Walkers on the same page always continue, to different parents.
    """
    cdef uint64_t bits = draw(pair.key, 2 * pair.step), other = draw(pair.key, 2 * pair.step + 1)
    cdef uint64_t ones = degree_of(parents, pair.one), twos = degree_of(parents, pair.two)
    cdef bint together = pair.one == pair.two
    if ones == 0 or twos == 0 or (together and ones == 1):
        return False
    # High bits choose the parents; the low bits of `other` decide whether to continue.
    if not together and low_fraction(other) >= decay:
        return False
    pair.one_link = choose(bits, ones)
    pair.two_link = choose(other, twos - together)
    if together and pair.two_link >= pair.one_link:
        pair.two_link += 1
    pair.step += 1
    return True


cdef void send_walkers(
    const Adjacency* parents, const Walks* walks, double decay, uint64_t key, int64_t* hits
) noexcept nogil:
    """Count for each start how many of its pairs meet."""
    cdef int64_t next_owner = 0, next_pair = 0, active = 0
    cdef Pair[ABREAST] pairs
    cdef Pair* pair
    while True:
        while active < ABREAST and next_owner < walks.count:
            if next_pair >= walks.pairs[next_owner]:
                next_owner += 1
                next_pair = 0
                continue
            pair = &pairs[active]
            pair.owner = next_owner
            pair.one, pair.two = walks.ones[next_owner], walks.twos[next_owner]
            pair.key = draw(draw(key, next_owner), next_pair)
            pair.step = 0
            next_pair += 1
            active += 1
        if active == 0:
            return
        active = choose_links(parents, pairs, active, decay)
        active = follow_links(parents, pairs, active, hits)


cdef inline int64_t choose_links(
    const Adjacency* parents, Pair* pairs, int64_t active, double decay
) noexcept nogil:
    """Choose every pair's next links; return the number of pairs that continue."""
    cdef int64_t i = 0
    while i < active:
        if not choose_step(parents, &pairs[i], decay):
            active -= 1
            pairs[i] = pairs[active]
            continue
        prefetch_link(parents, pairs[i].one, pairs[i].one_link)
        prefetch_link(parents, pairs[i].two, pairs[i].two_link)
        i += 1
    return active


cdef inline int64_t follow_links(
    const Adjacency* parents, Pair* pairs, int64_t active, int64_t* hits
) noexcept nogil:
    """Move every pair along its links; return the number that have not met."""
    cdef int64_t i = 0
    cdef Pair* pair
    while i < active:
        pair = &pairs[i]
        pair.one = link_at(parents, pair.one, pair.one_link)
        pair.two = link_at(parents, pair.two, pair.two_link)
        if pair.one == pair.two:
            hits[pair.owner] += 1
            active -= 1
            pairs[i] = pairs[active]
            continue
        prefetch_degree(parents, pair.one)
        prefetch_degree(parents, pair.two)
        i += 1
    return active


def meetings(
    Links links, Pages ones, Pages twos, const int64_t[::1] pairs, double decay, uint64_t key
):
    """For each i, how many of pairs[i] pairs of walkers meet if they start at ones[i] and twos[i].

    The two pages must differ.
    """
    cdef Walks walks = Walks(&ones[0], &twos[0], &pairs[0], ones.shape[0])
    hits = np.zeros(ones.shape[0], np.int64)
    cdef int64_t[::1] to_hits = hits
    with nogil:
        send_walkers(&links.parents, &walks, decay, key, &to_hits[0])
    return hits
