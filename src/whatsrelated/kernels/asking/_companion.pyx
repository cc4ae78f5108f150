# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""A whole companion query in one call, so the thread waits for the interpreter only once."""

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


cdef struct Query:
    Span queries, parents, stop
    const int64_t *parent_ends
    const uint8_t *roles


cdef struct Settings:
    # The limits of the vicinity, the rule for merging pages, and the end of the iteration.
    int64_t siblings, children, coparents
    Rule rule
    bint merges, sited, weighted
    double tolerance, least
    int64_t max_rounds


cdef struct Answer:
    uint32_t *names
    int64_t *starts      # the vicinity's own rows if nothing was merged
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
    **bounds,
):
    """The vicinity of the queries after merging, and its authorities."""
    cdef Settings settings = settings_of(bounds, sites is not None)
    cdef Query query = Query(
        span_of(queries), span_of(parents), span_of(stop), &parent_ends[0], roles
    )
    cdef Answer answer = Answer(NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0)
    try:
        with nogil:
            leave_interpreter()
            answer_one(&answer, vicinity, links, sites, &query, &settings)
            wait_for_interpreter()
        return arrays(&answer, vicinity, settings.sited)
    finally:
        free_answer(&answer, vicinity)


def companion_each(
    Vicinity vicinity,
    Links links,
    *,
    Pages pages,
    const double[::1] draws,
    int64_t parents,
    Pages sites,
    bytes roles,
    int64_t limit,
    **bounds,
):
    """The best `limit` authorities for each page on its own: ends of the lists, pages,
    authorities.
    """
    cdef Settings settings = settings_of(bounds, sites is not None)
    cdef size_t i, n = pages.shape[0], filled = 0, room = 0
    cdef int64_t end
    cdef Query query = Query(Span(NULL, 1), Span(NULL, 0), Span(NULL, 0), &end, roles)
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
                query.queries.pages = &pages[i]
                begin_question(links)
                query.parents = links_of(&links.parents, pages[i])
                take_sample(&query.parents, parents, draws[i], &sampled, &room)
                end = <int64_t>query.parents.count
                answer_one(&answer, vicinity, links, sites, &query, &settings)
                filled += write_best(
                    &answer, links, limit, &places[0], &to_found[filled], &to_scores[filled]
                )
                to_ends[i] = <int64_t>filled
                free_answer(&answer, vicinity)
    finally:
        free_answer(&answer, vicinity)
        free(sampled)
    return ends, found[:filled], scores[:filled]


cdef Settings settings_of(dict bounds, bint sited) except *:
    """The bounds as a struct."""
    rule = bounds["near_duplicate"]
    return Settings(
        bounds["siblings"],
        bounds["children"],
        bounds["coparents"],
        rule_of((0, 0, 1) if rule is None else rule),
        rule is not None,
        sited,
        bounds["weighted"],
        bounds["tolerance"],
        bounds["least"],
        bounds["max_rounds"],
    )


cdef size_t write_best(
    const Answer *answer,
    Links links,
    int64_t limit,
    int64_t *places,
    uint32_t *found,
    double *scores,
) except? 0xFFFFFFFF nogil:
    """Write the best pages and their authorities, best first; return their number."""
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
    const Query *query,
    const Settings *settings,
) except -1 nogil:
    gather(vicinity, links, query, settings)
    if settings.sited:
        vicinity.number_sites(sites)
    vicinity.find_links(links, settings.sited)
    find_names(answer, vicinity, links, query.roles[0], settings)
    return find_authorities(answer, vicinity, query.roles[0], settings)


cdef void free_answer(Answer *answer, Vicinity vicinity) noexcept nogil:
    """Free the answer's arrays."""
    free(answer.names)
    free(answer.authority)
    free(answer.hub)
    free(answer.best)
    free(answer.scores)
    if answer.starts != vicinity.starts:
        free(answer.starts)
        free(answer.targets)
    answer[0] = Answer(NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0)


cdef int gather(Vicinity vicinity, Links links, const Query *query, const Settings *settings) except -1 nogil:
    """Put the pages around the queries into the vicinity."""
    cdef const uint8_t *roles = query.roles
    cdef size_t i, first
    cdef uint32_t page
    cdef Span own
    vicinity.forget(
        (1 + max(settings.siblings, 0)) * query.parents.count
        + query.queries.count * (1 + settings.children)
    )
    vicinity.put_all(query.queries, roles[0], query.stop)
    for i in range(query.queries.count):
        page = query.queries.pages[i]
        first = query.parent_ends[i - 1] if i else 0
        own = part_of(query.parents, first, query.parent_ends[i])
        vicinity.put_all(own, roles[1], query.stop)
        vicinity.put_windows(links, page, own, settings.siblings, roles[2], query.stop)
        own = links_of(&links.children, page)
        own.count = min(own.count, <size_t>settings.children)
        vicinity.put_all(own, roles[3], query.stop)
        vicinity.put_best_parents(
            links, own, settings.coparents, roles[4], query.stop, query.queries
        )
    return 0


cdef int find_names(
    Answer *answer, Vicinity vicinity, Links links, uint8_t query, const Settings *settings
) except -1 nogil:
    """Merge each group of near-duplicates into one page, which gets the links of all."""
    cdef size_t place, count = vicinity.places.count
    cdef Rows rows = Rows(count, vicinity.starts, vicinity.targets)
    answer.starts, answer.targets = vicinity.starts, vicinity.targets
    answer.names = <uint32_t *>allocate(count, sizeof(uint32_t))
    if settings.merges:
        answer.merged = group(links, vicinity.places.keys, count, settings.rule, answer.names)
    if not answer.merged:
        for place in range(count):
            answer.names[place] = <uint32_t>place
        return 0
    choose_names(answer.names, vicinity, links, query)
    answer.starts, answer.targets = NULL, NULL
    answer.starts = <int64_t *>allocate(count + 1, sizeof(int64_t))
    answer.targets = <uint32_t *>allocate(rows.starts[count], sizeof(uint32_t))
    return merge(rows, answer.names, answer.starts, answer.targets)


cdef int choose_names(uint32_t *groups, Vicinity vicinity, Links links, uint8_t query) except -1 nogil:
    """Replace each group's first position with that of the page that names the group."""
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
    """Whether a is the better name: query pages come first, then more linked pages, then lower
    numbers.
    """
    cdef uint32_t one = vicinity.places.keys[a], other = vicinity.places.keys[b]
    cdef uint64_t linked = degree_of(&links.parents, one), less = degree_of(&links.parents, other)
    if (vicinity.roles[a] & query) != (vicinity.roles[b] & query):
        return vicinity.roles[a] & query
    return one < other if linked == less else linked > less


cdef int find_authorities(
    Answer *answer, Vicinity vicinity, uint8_t query, const Settings *settings
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
        if settings.weighted and settings.sited:
            authority_weights = <double *>allocate(rows.starts[count], sizeof(double))
            hub_weights = <double *>allocate(rows.starts[count], sizeof(double))
            compute_weights(rows, vicinity.site_numbers, authority_weights, hub_weights)
        answer.rounds = iterate(
            rows,
            Weights(authority_weights, hub_weights),
            Stop(settings.tolerance, settings.max_rounds),
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
        settings.least,
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
