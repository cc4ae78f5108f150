# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Hubs and authorities of a small graph: merging, edge weights, the iteration.

The graph comes as rows: the edges of node p are targets[starts[p]:starts[p+1]].
A weight stands where its edge stands.
"""

import numpy as np

from libc.math cimport fabs, sqrt
from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memset

from whatsrelated.kernels._memory cimport claimed, grow


def joined(
    const int64_t[::1] starts,
    const uint32_t[::1] targets,
    const uint32_t[::1] names,
    const uint32_t[::1] sites,
):
    """The edges after every node p has become names[p], a node that names itself.

    One edge is left per pair, none from a node to itself, and none within a
    site; where `sites` is None there are no sites.
    """
    cdef Rows rows = rows_of(starts, targets)
    cdef const uint32_t *own = NULL
    new_starts = np.zeros(rows.n + 1, np.int64)
    new_targets = np.empty(targets.shape[0], np.uint32)
    cdef int64_t[::1] to_starts = new_starts
    cdef uint32_t[::1] to_targets = new_targets
    if targets.shape[0] == 0:
        return new_starts, new_targets
    if sites is not None:
        own = &sites[0]
    with nogil:
        join(rows, &names[0], own, &to_starts[0], &to_targets[0])
    return new_starts, new_targets[:new_starts[rows.n]].copy()


cdef Rows rows_of(const int64_t[::1] starts, const uint32_t[::1] targets) noexcept:
    cdef Rows rows
    rows.n = starts.shape[0] - 1
    rows.starts = &starts[0]
    rows.targets = &targets[0] if targets.shape[0] else NULL
    return rows


cdef int join(
    Rows rows, const uint32_t *names, const uint32_t *sites, int64_t *starts, uint32_t *targets
) except -1 nogil:
    """Write the rows after merging; `sites` is NULL where there are none."""
    cdef size_t n = rows.n, node, name, other
    cdef int64_t at, many = 0
    # Members by name, a list in two arrays; and the last name whose edge came to each.
    cdef size_t *next_member = NULL
    cdef size_t *first_member = NULL
    cdef size_t *met = NULL
    try:
        next_member = <size_t *>claimed(n, sizeof(size_t))
        first_member = <size_t *>claimed(n, sizeof(size_t))
        met = <size_t *>claimed(n, sizeof(size_t))
        for node in range(n, 0, -1):
            next_member[node - 1] = first_member[names[node - 1]]
            first_member[names[node - 1]] = node
        starts[0] = 0
        for name in range(n):
            node = first_member[name]
            while node:
                for at in range(rows.starts[node - 1], rows.starts[node]):
                    other = names[rows.targets[at]]
                    if other == name or met[other] == name + 1:
                        continue
                    if sites != NULL and sites[other] == sites[name]:
                        continue
                    met[other] = name + 1
                    targets[many] = <uint32_t>other
                    many += 1
                node = next_member[node - 1]
            starts[name + 1] = many
    finally:
        free(next_member)
        free(first_member)
        free(met)
    return 0


def edge_weights(
    const int64_t[::1] starts, const uint32_t[::1] targets, const uint32_t[::1] sites
):
    """The authority and the hub weight of every edge (BH98).

    An edge into q from a page of site S has authority weight 1/k, k the number
    of edges from S to q; an edge from p into site T has hub weight 1/l, l the
    number of edges from p to T.  Sites are numbered from 0.
    """
    authority = np.empty(targets.shape[0])
    hub = np.empty(targets.shape[0])
    cdef double[::1] to_authority = authority
    cdef double[::1] to_hub = hub
    cdef Rows rows = rows_of(starts, targets)
    if targets.shape[0]:
        with nogil:
            weigh(rows, &sites[0], &to_authority[0], &to_hub[0])
    return authority, hub


cdef int weigh(
    Rows rows, const uint32_t *sites, double *authority, double *hub
) except -1 nogil:
    cdef size_t n = rows.n, p, s, i, most = 0
    cdef const int64_t *starts = rows.starts
    cdef const uint32_t *targets = rows.targets
    cdef int64_t at
    cdef uint32_t *count = NULL
    cdef size_t *begin = NULL
    cdef uint32_t *by_site = NULL
    try:
        for p in range(n):
            most = max(most, <size_t>sites[p] + 1)
        count = <uint32_t *>claimed(max(n, most), sizeof(uint32_t))
        begin = <size_t *>claimed(most + 2, sizeof(size_t))
        by_site = <uint32_t *>claimed(n, sizeof(uint32_t))
        for p in range(n):
            for at in range(starts[p], starts[p + 1]):
                count[sites[targets[at]]] += 1
            for at in range(starts[p], starts[p + 1]):
                hub[at] = 1.0 / count[sites[targets[at]]]
            for at in range(starts[p], starts[p + 1]):
                count[sites[targets[at]]] = 0
        # The pages of each site together, from begin[s] to begin[s + 1].
        for p in range(n):
            begin[sites[p] + 2] += 1
        for s in range(most):
            begin[s + 2] += begin[s + 1]
        for p in range(n):
            by_site[begin[sites[p] + 1]] = <uint32_t>p
            begin[sites[p] + 1] += 1
        for s in range(most):
            for i in range(begin[s], begin[s + 1]):
                for at in range(starts[by_site[i]], starts[by_site[i] + 1]):
                    count[targets[at]] += 1
            for i in range(begin[s], begin[s + 1]):
                for at in range(starts[by_site[i]], starts[by_site[i] + 1]):
                    authority[at] = 1.0 / count[targets[at]]
            for i in range(begin[s], begin[s + 1]):
                for at in range(starts[by_site[i]], starts[by_site[i] + 1]):
                    count[targets[at]] = 0
    finally:
        free(count)
        free(begin)
        free(by_site)
    return 0


def authorities(
    const int64_t[::1] starts,
    const uint32_t[::1] targets,
    const double[::1] authority_weights,
    const double[::1] hub_weights,
    double tolerance,
    int64_t max_rounds,
):
    """Authorities, hubs, rounds and the last move of the authorities (L1).

    A[q] = sum of H[p] * authority weight; H[p] = sum of A[q] * hub weight; both
    of Euclidean length 1, from all ones, until A moves by less than `tolerance`.
    Weights of None are all 1.
    """
    cdef Rows rows = rows_of(starts, targets)
    cdef bint weighted = authority_weights is not None and targets.shape[0] > 0
    cdef int64_t rounds
    cdef double moved
    authority, hub = np.zeros(rows.n), np.zeros(rows.n)
    if rows.n == 0:
        return authority, hub, 0, 0.0
    cdef double[::1] to_authority = authority
    cdef double[::1] to_hub = hub
    with nogil:
        rounds = settle(
            rows,
            &authority_weights[0] if weighted else NULL,
            &hub_weights[0] if weighted else NULL,
            tolerance,
            max_rounds,
            &to_authority[0],
            &to_hub[0],
            &moved,
        )
    return authority, hub, rounds, moved


cdef int64_t settle(
    Rows rows,
    const double *authority_weights,
    const double *hub_weights,
    double tolerance,
    int64_t max_rounds,
    double *authority,
    double *hub,
    double *moved,
) except -1 nogil:
    """Write authorities and hubs where all is 0, and the last move; how many rounds it took."""
    cdef int64_t rounds = 0
    cdef Sums into_authorities, into_hubs
    memset(&into_authorities, 0, sizeof(Sums))
    memset(&into_hubs, 0, sizeof(Sums))
    try:
        sort_nodes(&into_authorities, rows, True)
        sort_nodes(&into_hubs, rows, False)
        lay_out(&into_authorities, rows, authority_weights, True, &into_hubs)
        lay_out(&into_hubs, rows, hub_weights, False, &into_authorities)
        while rounds < max_rounds:
            rounds += 1
            moved[0] = turn(&into_authorities, into_hubs.values)
            turn(&into_hubs, into_authorities.values)
            if rounds == 1:  # the nodes without edges fell from 1 to 0
                moved[0] += rows.n - into_authorities.used
            if moved[0] < tolerance:
                break
        write(&into_authorities, authority)
        write(&into_hubs, hub)
    finally:
        give_up(&into_authorities)
        give_up(&into_hubs)
    return rounds


cdef enum:
    LANES = 4


cdef struct Sums:
    # One half of a round, laid out to be walked often.
    #
    # The nodes that have edges are sorted by how many, and taken four at a time, a
    # bundle: edge j of the four stands together, so that four sums run side by side,
    # and the loop is as long for the next four.  A node is known by its lane; the
    # values are by lane, and after the last of them stands a 0.
    size_t used, bundles
    uint32_t *degrees
    uint32_t *lanes     # of each node
    uint32_t *nodes     # of each lane
    size_t *ends        # of each bundle: where its edges end
    uint32_t *others    # the other end of each edge, by its lane in the other half
    double *weights
    double *sums
    double *values


cdef void give_up(Sums *half) noexcept nogil:
    free(half.degrees)
    free(half.lanes)
    free(half.nodes)
    free(half.ends)
    free(half.others)
    free(half.weights)
    free(half.sums)
    free(half.values)


cdef int sort_nodes(Sums *half, Rows rows, bint backwards) except -1 nogil:
    """Give the nodes that have edges their lanes, those with the most first, and the value 1."""
    cdef size_t n = rows.n, node, i, longest = 0, lane
    cdef int64_t at
    cdef size_t *begin
    half.degrees = <uint32_t *>claimed(n, sizeof(uint32_t))
    for node in range(n):
        if not backwards:
            half.degrees[node] = <uint32_t>(rows.starts[node + 1] - rows.starts[node])
            continue
        for at in range(rows.starts[node], rows.starts[node + 1]):
            half.degrees[rows.targets[at]] += 1
    for node in range(n):
        longest = max(longest, half.degrees[node])
        half.used += half.degrees[node] > 0
    half.bundles = (half.used + LANES - 1) // LANES
    half.lanes = <uint32_t *>claimed(n, sizeof(uint32_t))
    half.nodes = <uint32_t *>claimed(half.used, sizeof(uint32_t))
    half.sums = <double *>claimed(half.bundles * LANES, sizeof(double))
    half.values = <double *>claimed(half.bundles * LANES + 1, sizeof(double))
    begin = <size_t *>claimed(longest + 1, sizeof(size_t))
    for node in range(n):
        begin[longest - half.degrees[node] + 1] += 1
    for i in range(longest):
        begin[i + 1] += begin[i]
    for node in range(n):
        if half.degrees[node]:
            lane = begin[longest - half.degrees[node]]
            begin[longest - half.degrees[node]] += 1
            half.lanes[node] = <uint32_t>lane
            half.nodes[lane] = <uint32_t>node
            half.values[lane] = 1
    free(begin)
    return 0


cdef int lay_out(
    Sums *half, Rows rows, const double *weights, bint backwards, const Sums *other
) except -1 nogil:
    """Put the edges where they will be walked."""
    cdef size_t node, lane, bundle, i, room = 0, others_room = 0, weights_room = 0
    cdef uint32_t nothing = <uint32_t>(other.bundles * LANES)
    cdef int64_t at
    cdef size_t *places
    half.ends = <size_t *>claimed(half.bundles, sizeof(size_t))
    for bundle in range(half.bundles):
        room += LANES * <size_t>half.degrees[half.nodes[bundle * LANES]]
        half.ends[bundle] = room
    grow(<void **>&half.others, &others_room, room, sizeof(uint32_t))
    if weights != NULL:
        grow(<void **>&half.weights, &weights_room, room, sizeof(double))
    places = <size_t *>claimed(half.bundles * LANES, sizeof(size_t))
    for lane in range(half.bundles * LANES):
        bundle = lane // LANES
        places[lane] = (half.ends[bundle - 1] if bundle else 0) + lane % LANES
    for node in range(rows.n):
        for at in range(rows.starts[node], rows.starts[node + 1]):
            lane = half.lanes[rows.targets[at] if backwards else node]
            i = places[lane]
            places[lane] += LANES
            half.others[i] = other.lanes[node if backwards else rows.targets[at]]
            if weights != NULL:
                half.weights[i] = weights[at]
    for lane in range(half.bundles * LANES):
        i = places[lane]
        while i < half.ends[lane // LANES]:
            half.others[i] = nothing
            if weights != NULL:
                half.weights[i] = 0
            i += LANES
    free(places)
    return 0


cdef double turn(Sums *half, const double *given) noexcept nogil:
    """Every node takes the sum over its edges, all to length 1; how much that moved."""
    cdef size_t bundle, at = 0, end, i
    cdef double one, two, three, four, squares = 0, moved = 0, scale
    cdef const uint32_t *others = half.others
    cdef const double *weights = half.weights
    cdef double *sums = half.sums
    cdef double *values = half.values
    for bundle in range(half.bundles):
        one = two = three = four = 0
        end = half.ends[bundle]
        if weights != NULL:
            while at < end:
                one += given[others[at]] * weights[at]
                two += given[others[at + 1]] * weights[at + 1]
                three += given[others[at + 2]] * weights[at + 2]
                four += given[others[at + 3]] * weights[at + 3]
                at += LANES
        else:
            while at < end:
                one += given[others[at]]
                two += given[others[at + 1]]
                three += given[others[at + 2]]
                four += given[others[at + 3]]
                at += LANES
        sums[bundle * LANES] = one
        sums[bundle * LANES + 1] = two
        sums[bundle * LANES + 2] = three
        sums[bundle * LANES + 3] = four
        squares += (one * one + two * two) + (three * three + four * four)
    scale = 1 / sqrt(squares) if squares > 0 else 0
    for i in range(half.bundles * LANES):
        one = sums[i] * scale
        moved += fabs(one - values[i])
        values[i] = one
    return moved


cdef void write(Sums *half, double *into) noexcept nogil:
    cdef size_t lane
    for lane in range(half.used):
        into[half.nodes[lane]] = half.values[lane]


def best(
    const uint32_t[::1] pages,
    const double[::1] authority,
    const uint8_t[::1] roles,
    uint8_t apart,
    double least,
):
    """The pages of more than `least` times the best one's authority, and theirs.

    Who has the role `apart` is none of them.
    """
    cdef size_t n = pages.shape[0], many
    chosen, scores = np.empty(n, np.uint32), np.empty(n)
    cdef uint32_t[::1] to_chosen = chosen
    cdef double[::1] to_scores = scores
    many = choose(
        n, &pages[0], &authority[0], &roles[0], apart, least, &to_chosen[0], &to_scores[0]
    )
    return chosen[:many], scores[:many]


cdef size_t choose(
    size_t n,
    const uint32_t *pages,
    const double *authority,
    const uint8_t *roles,
    uint8_t apart,
    double least,
    uint32_t *chosen,
    double *scores,
) noexcept nogil:
    """Write what `best` gives; how many there are."""
    cdef size_t node, many = 0
    cdef double most = 0
    for node in range(n):
        if not roles[node] & apart:
            most = max(most, authority[node])
    for node in range(n):
        if not roles[node] & apart and authority[node] > least * most:
            chosen[many] = pages[node]
            scores[many] = authority[node]
            many += 1
    return many
