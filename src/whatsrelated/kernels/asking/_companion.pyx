# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""A whole question to companion at once, so that the interpreter waits once, not at every step."""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free

from whatsrelated.kernels.asking._authorities cimport Nodes, Stop, Weights, choose, iterate
from whatsrelated.kernels.asking._best_pages cimport rank_pages
from whatsrelated.kernels.asking._duplicates cimport group, rule_of
from whatsrelated.kernels.asking._edges cimport Rows, compute_weights, merge
from whatsrelated.kernels.asking._duplicate_rows cimport Rule
from whatsrelated.kernels.shared._links cimport (
    Links, Pages, Span, begin_question, degree_of, links_of, part_of, span_of, take_sample
)
from whatsrelated.kernels.shared._memory cimport allocate, copy_of
from whatsrelated.kernels.asking._vicinity cimport Vicinity


cdef extern from "turns.h" nogil:
    void leave_interpreter() noexcept
    void wait_for_interpreter() noexcept


cdef struct Asked:
    Span queries, parents, stop
    const int64_t *parent_ends
    const uint8_t *roles


cdef struct Wanted:
    # How wide the vicinity is, how its pages are merged, and when the iteration stops.
    int64_t siblings, children, coparents
    Rule rule
    bint merges, sited, weighted
    double tolerance, least
    int64_t max_rounds


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
    Vicinity vicinity,
    Links links,
    *,
    Pages queries,
    Pages parents,
    const int64_t[::1] parent_ends,
    Pages sites,
    Pages stop,
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
    cdef bint merges = near_duplicate is not None, sited = sites is not None
    cdef Rule rule = rule_of(near_duplicate if merges else (0, 0, 1))
    cdef Wanted wanted = Wanted(
        siblings, children, coparents, rule, merges, sited, weighted, tolerance, least, max_rounds
    )
    cdef Asked asked = Asked(
        span_of(queries), span_of(parents), span_of(stop), &parent_ends[0], roles
    )
    cdef Answer answer = Answer(NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0)
    try:
        with nogil:
            leave_interpreter()
            answer_one(&answer, vicinity, links, sites, &asked, &wanted)
            wait_for_interpreter()
        return arrays(&answer, vicinity, sited)
    finally:
        forget(&answer, vicinity)


def companion_each(
    Vicinity vicinity,
    Links links,
    *,
    Pages pages,
    const double[::1] draws,
    int64_t parents,
    Pages sites,
    bytes roles,
    int64_t siblings,
    int64_t children,
    int64_t coparents,
    near_duplicate,
    bint weighted,
    double tolerance,
    int64_t max_rounds,
    double least,
    int64_t limit,
):
    """For each page by itself the `limit` best authorities: where its list ends, the pages, theirs.

    `draws` starts the sample of a page that has more than so many parents.
    """
    cdef bint merges = near_duplicate is not None, sited = sites is not None
    cdef Rule rule = rule_of(near_duplicate if merges else (0, 0, 1))
    cdef Wanted wanted = Wanted(
        siblings, children, coparents, rule, merges, sited, weighted, tolerance, least, max_rounds
    )
    cdef size_t i, n = pages.shape[0], filled = 0, room = 0
    cdef int64_t end
    cdef Asked asked = Asked(Span(NULL, 1), Span(NULL, 0), Span(NULL, 0), &end, roles)
    cdef Answer answer = Answer(NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0)
    cdef uint32_t *sampled = NULL
    cdef int64_t[::1] places = np.empty(limit, np.int64)
    ends = np.empty(n, np.int64)
    found, scores = np.empty(n * limit, np.uint32), np.empty(n * limit, np.float64)
    cdef int64_t[::1] to_ends = ends
    cdef uint32_t[::1] to_found = found
    cdef double[::1] to_scores = scores
    try:
        with nogil:
            for i in range(n):
                asked.queries.pages = &pages[i]
                begin_question(links)
                asked.parents = links_of(&links.parents, pages[i])
                take_sample(&asked.parents, parents, draws[i], &sampled, &room)
                end = <int64_t>asked.parents.count
                answer_one(&answer, vicinity, links, sites, &asked, &wanted)
                filled += write_best(
                    &answer, links, limit, &places[0], &to_found[filled], &to_scores[filled]
                )
                to_ends[i] = <int64_t>filled
                forget(&answer, vicinity)
    finally:
        forget(&answer, vicinity)
        free(sampled)
    return ends, found[:filled], scores[:filled]


cdef size_t write_best(
    const Answer *answer,
    Links links,
    int64_t limit,
    int64_t *places,
    uint32_t *found,
    double *scores,
) except? 0xFFFFFFFF nogil:
    """Write the best pages and their authorities, best first; how many."""
    cdef size_t i, most = min(answer.n_best, <size_t>limit)
    rank_pages(
        answer.best, answer.scores, <int64_t>answer.n_best, &links.parents, <int64_t>most, places
    )
    for i in range(most):
        found[i], scores[i] = answer.best[places[i]], answer.scores[places[i]]
    return most


cdef int answer_one(
    Answer *answer,
    Vicinity vicinity,
    Links links,
    Pages sites,
    const Asked *asked,
    const Wanted *wanted,
) except -1 nogil:
    """Answer one question."""
    gather(vicinity, links, asked, wanted)
    if wanted.sited:
        vicinity.number_sites(sites)
    vicinity.find_links(links, wanted.sited)
    find_names(answer, vicinity, links, asked.roles[0], wanted)
    return find_authorities(answer, vicinity, asked.roles[0], wanted)


cdef void forget(Answer *answer, Vicinity vicinity) noexcept nogil:
    """Free what an answer holds."""
    free(answer.names)
    free(answer.authority)
    free(answer.hub)
    free(answer.best)
    free(answer.scores)
    if answer.starts != vicinity.starts:
        free(answer.starts)
        free(answer.targets)
    answer[0] = Answer(NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0)


cdef int gather(Vicinity vicinity, Links links, const Asked *asked, const Wanted *wanted) except -1 nogil:
    """Put the pages around the queries into the vicinity."""
    cdef const uint8_t *roles = asked.roles
    cdef size_t i, first
    cdef uint32_t page
    cdef Span own
    vicinity.forget(
        (1 + max(wanted.siblings, 0)) * asked.parents.count
        + asked.queries.count * (1 + wanted.children)
    )
    vicinity.put_all(asked.queries, roles[0], asked.stop)
    for i in range(asked.queries.count):
        page = asked.queries.pages[i]
        first = asked.parent_ends[i - 1] if i else 0
        own = part_of(asked.parents, first, asked.parent_ends[i])
        vicinity.put_all(own, roles[1], asked.stop)
        vicinity.put_windows(links, page, own, wanted.siblings, roles[2], asked.stop)
        own = links_of(&links.children, page)
        own.count = min(own.count, <size_t>wanted.children)
        vicinity.put_all(own, roles[3], asked.stop)
        vicinity.put_best_parents(
            links, own, wanted.coparents, roles[4], asked.stop, asked.queries
        )
    return 0


cdef int find_names(
    Answer *answer, Vicinity vicinity, Links links, uint8_t query, const Wanted *wanted
) except -1 nogil:
    """Give near-duplicates one name, and the links of all to it."""
    cdef size_t place, count = vicinity.places.count
    cdef Rows rows = Rows(count, vicinity.starts, vicinity.targets)
    cdef const uint32_t *sites = vicinity.site_numbers if wanted.sited else NULL
    answer.starts, answer.targets = vicinity.starts, vicinity.targets
    answer.names = <uint32_t *>allocate(count, sizeof(uint32_t))
    if wanted.merges:
        answer.merged = group(links, vicinity.places.keys, count, wanted.rule, answer.names)
    if not answer.merged:
        for place in range(count):
            answer.names[place] = <uint32_t>place
        return 0
    choose_names(answer.names, vicinity, links, query)
    answer.starts, answer.targets = NULL, NULL
    answer.starts = <int64_t *>allocate(count + 1, sizeof(int64_t))
    answer.targets = <uint32_t *>allocate(rows.starts[count], sizeof(uint32_t))
    return merge(rows, answer.names, sites, answer.starts, answer.targets)


cdef int choose_names(uint32_t *groups, Vicinity vicinity, Links links, uint8_t query) except -1 nogil:
    """Turn the first place of each group into the place that names it."""
    cdef size_t place, count = vicinity.places.count
    cdef uint32_t *best = <uint32_t *>allocate(count, sizeof(uint32_t))
    for place in range(count):  # the first of a group comes before the others
        if groups[place] == place or names_better(
            vicinity, links, query, place, best[groups[place]]
        ):
            best[groups[place]] = <uint32_t>place
    for place in range(count):
        groups[place] = best[groups[place]]
    free(best)
    return 0


cdef inline bint names_better(
    Vicinity vicinity, Links links, uint8_t query, size_t a, size_t b
) noexcept nogil:
    """Whether a names the group, not b: a query page, else the most linked to, else the first."""
    cdef uint32_t one = vicinity.places.keys[a], other = vicinity.places.keys[b]
    cdef uint64_t linked = degree_of(&links.parents, one), less = degree_of(&links.parents, other)
    if (vicinity.roles[a] & query) != (vicinity.roles[b] & query):
        return vicinity.roles[a] & query
    return one < other if linked == less else linked > less


cdef int find_authorities(
    Answer *answer, Vicinity vicinity, uint8_t query, const Wanted *wanted
) except -1 nogil:
    """Write authorities and hubs, and the best pages."""
    cdef size_t count = vicinity.places.count
    cdef Rows rows = Rows(count, answer.starts, answer.targets)
    cdef double *authority_weights = NULL
    cdef double *hub_weights = NULL
    answer.authority = <double *>allocate(count, sizeof(double))
    answer.hub = <double *>allocate(count, sizeof(double))
    answer.best = <uint32_t *>allocate(count, sizeof(uint32_t))
    answer.scores = <double *>allocate(count, sizeof(double))
    try:
        if wanted.weighted and wanted.sited:
            authority_weights = <double *>allocate(rows.starts[count], sizeof(double))
            hub_weights = <double *>allocate(rows.starts[count], sizeof(double))
            compute_weights(rows, vicinity.site_numbers, authority_weights, hub_weights)
        answer.rounds = iterate(
            rows,
            Weights(authority_weights, hub_weights),
            Stop(wanted.tolerance, wanted.max_rounds),
            vicinity.roles,
            query,
            answer.authority,
            answer.hub,
            &answer.moved,
        )
    finally:
        free(authority_weights)
        free(hub_weights)
    answer.n_best = choose(
        Nodes(count, vicinity.places.keys, vicinity.roles),
        answer.authority,
        query,
        wanted.least,
        answer.best,
        answer.scores,
    )
    return 0


cdef tuple arrays(const Answer *answer, Vicinity vicinity, bint sited):
    """What `companion` returns."""
    cdef size_t count = vicinity.places.count, n_edges = answer.starts[count]
    around = (
        *vicinity.members(),
        np.frombuffer(copy_of(vicinity.site_numbers, count, sizeof(uint32_t)), np.uint32)
        if sited
        else None,
        np.frombuffer(copy_of(answer.names, count, sizeof(uint32_t)), np.uint32),
        np.frombuffer(copy_of(answer.starts, count + 1, sizeof(int64_t)), np.int64),
        np.frombuffer(copy_of(answer.targets, n_edges, sizeof(uint32_t)), np.uint32),
    )
    best = (
        np.frombuffer(copy_of(answer.best, answer.n_best, sizeof(uint32_t)), np.uint32),
        np.frombuffer(copy_of(answer.scores, answer.n_best, sizeof(double)), np.float64),
    )
    authority = np.frombuffer(copy_of(answer.authority, count, sizeof(double)), np.float64)
    hub = np.frombuffer(copy_of(answer.hub, count, sizeof(double)), np.float64)
    return around, authority, hub, best, answer.merged, answer.rounds, answer.moved
