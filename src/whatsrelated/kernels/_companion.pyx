# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""A whole question to companion at once, so that the interpreter waits once, not at every step."""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free

from whatsrelated.kernels._authorities cimport Rows, choose, join, settle, weigh
from whatsrelated.kernels._duplicates cimport group
from whatsrelated.kernels._links cimport Links
from whatsrelated.kernels._memory cimport claimed, copied
from whatsrelated.kernels._vicinity cimport Vicinity


cdef extern from "turns.h" nogil:
    void leave_interpreter() noexcept
    void wait_for_interpreter() noexcept


cdef struct Answer:
    uint32_t *names
    int64_t *starts      # the vicinity's own where nothing was merged
    uint32_t *targets
    double *authority
    double *hub
    uint32_t *best
    double *scores
    size_t n_best
    size_t merged
    int64_t rounds
    double moved


def companion(
    Vicinity held,
    Links links,
    const uint32_t[::1] sites,
    const uint32_t[::1] queries,
    const uint32_t[::1] parents,
    const int64_t[::1] parent_ends,
    const uint32_t[::1] stop,
    bytes roles,
    int64_t siblings,
    int64_t children,
    int64_t coparents,
    near_duplicate,
    bint weighted,
    double tolerance,
    int64_t max_rounds,
    double least,
):
    """The vicinity of the queries, merged, and its authorities.

    The parents of query i end at parent_ends[i].  `roles` are those of a query, a
    parent, a sibling, a child and a co-parent.  `near_duplicate` is the rule, None
    where nothing is merged.  Pages, their roles, sites and names; row starts and
    rows; authorities and hubs; the best pages, whose authority is more than `least` of
    the best one's, and theirs; how many pages have another name; rounds, last move.
    """
    cdef bint sited = sites is not None
    cdef uint64_t few = 0, part = 0, whole = 0
    cdef size_t i, n = queries.shape[0], first, last
    cdef const uint8_t *role = roles
    cdef Answer answer = Answer(NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0)
    if near_duplicate is not None:
        few, part, whole = near_duplicate
    try:
        with nogil:
            leave_interpreter()
            held.forget((1 + max(siblings, 0)) * parents.shape[0] + n * (1 + children))
            held.take(queries, role[0], stop)
            for i in range(n):
                first, last = parent_ends[i - 1] if i else 0, parent_ends[i]
                held.take(parents[first:last], role[1], stop)
                held.take_windows(
                    links.out_offsets,
                    links.out_links,
                    queries[i],
                    parents[first:last],
                    siblings,
                    role[2],
                    stop,
                )
                first = links.out_offsets[queries[i]]
                last = min(links.out_offsets[queries[i] + 1], first + <size_t>children)
                held.take(links.out_links[first:last], role[3], stop)
                held.take_best_parents(
                    links.in_offsets,
                    links.in_links,
                    links.out_links[first:last],
                    coparents,
                    role[4],
                    stop,
                    queries,
                )
            if sited:
                held.number_sites(sites)
            held.find_links(links.out_offsets, links.out_links, sited)
            answer.starts, answer.targets = held.starts, held.targets
            answer.names = <uint32_t *>claimed(held.count, sizeof(uint32_t))
            if whole:
                merge(&answer, held, links, role[0], few, part, whole, sited)
            else:
                for i in range(held.count):
                    answer.names[i] = <uint32_t>i
            find_authorities(&answer, held, sited and weighted, tolerance, max_rounds)
            answer.best = <uint32_t *>claimed(held.count, sizeof(uint32_t))
            answer.scores = <double *>claimed(held.count, sizeof(double))
            answer.n_best = choose(
                held.count,
                held.pages,
                answer.authority,
                held.roles,
                role[0],
                least,
                answer.best,
                answer.scores,
            )
            wait_for_interpreter()
        return (
            *held.members(),
            np.frombuffer(copied(held.numbers, held.count, sizeof(uint32_t)), np.uint32)
            if sited
            else None,
            np.frombuffer(copied(answer.names, held.count, sizeof(uint32_t)), np.uint32),
            np.frombuffer(copied(answer.starts, held.count + 1, sizeof(int64_t)), np.int64),
            np.frombuffer(
                copied(answer.targets, answer.starts[held.count], sizeof(uint32_t)), np.uint32
            ),
            np.frombuffer(copied(answer.authority, held.count, sizeof(double)), np.float64),
            np.frombuffer(copied(answer.hub, held.count, sizeof(double)), np.float64),
            np.frombuffer(copied(answer.best, answer.n_best, sizeof(uint32_t)), np.uint32),
            np.frombuffer(copied(answer.scores, answer.n_best, sizeof(double)), np.float64),
            answer.merged,
            answer.rounds,
            answer.moved,
        )
    finally:
        free(answer.names)
        free(answer.authority)
        free(answer.hub)
        free(answer.best)
        free(answer.scores)
        if answer.starts != held.starts:
            free(answer.starts)
            free(answer.targets)


cdef int merge(
    Answer *answer,
    Vicinity held,
    Links links,
    uint8_t query,
    uint64_t few,
    uint64_t part,
    uint64_t whole,
    bint sited,
) except -1 nogil:
    """Give near-duplicates one name, and the links of all to it."""
    cdef Rows rows = Rows(held.count, held.starts, held.targets)
    cdef size_t place
    cdef uint32_t *groups = answer.names
    cdef uint32_t *best = NULL
    answer.merged = group(
        links.out_offsets, links.out_links, held.pages, held.count, few, part, whole, groups
    )
    if not answer.merged:
        return 0
    try:
        best = <uint32_t *>claimed(held.count, sizeof(uint32_t))
        for place in range(held.count):  # the first of a group comes before the others
            if groups[place] == place or names_better(
                held, links.in_offsets, query, place, best[groups[place]]
            ):
                best[groups[place]] = <uint32_t>place
        for place in range(held.count):
            answer.names[place] = best[groups[place]]
    finally:
        free(best)
    answer.starts, answer.targets = NULL, NULL
    answer.starts = <int64_t *>claimed(held.count + 1, sizeof(int64_t))
    answer.targets = <uint32_t *>claimed(held.starts[held.count], sizeof(uint32_t))
    return join(
        rows, answer.names, held.numbers if sited else NULL, answer.starts, answer.targets
    )


cdef inline bint names_better(
    Vicinity held, const uint64_t[::1] in_offsets, uint8_t query, size_t a, size_t b
) noexcept nogil:
    """Whether a names the group, not b: a query page, else the most linked to, else the first."""
    cdef uint32_t one = held.pages[a], other = held.pages[b]
    cdef uint64_t linked = in_offsets[one + 1] - in_offsets[one]
    cdef uint64_t less = in_offsets[other + 1] - in_offsets[other]
    if (held.roles[a] & query) != (held.roles[b] & query):
        return held.roles[a] & query
    return one < other if linked == less else linked > less


cdef int find_authorities(
    Answer *answer, Vicinity held, bint weighted, double tolerance, int64_t max_rounds
) except -1 nogil:
    cdef Rows rows = Rows(held.count, answer.starts, answer.targets)
    cdef double *authority_weights = NULL
    cdef double *hub_weights = NULL
    answer.authority = <double *>claimed(held.count, sizeof(double))
    answer.hub = <double *>claimed(held.count, sizeof(double))
    try:
        if weighted:
            authority_weights = <double *>claimed(rows.starts[rows.n], sizeof(double))
            hub_weights = <double *>claimed(rows.starts[rows.n], sizeof(double))
            weigh(rows, held.numbers, authority_weights, hub_weights)
        answer.rounds = settle(
            rows,
            authority_weights,
            hub_weights,
            tolerance,
            max_rounds,
            answer.authority,
            answer.hub,
            &answer.moved,
        )
    finally:
        free(authority_weights)
        free(hub_weights)
    return 0
