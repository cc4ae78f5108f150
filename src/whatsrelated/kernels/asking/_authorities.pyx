# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""Hubs and authorities of a small graph by power iteration.

The edges of node p are targets[starts[p]:starts[p+1]]; their weights are in the same order.
"""

import numpy as np

from libc.math cimport fabs, sqrt
from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memset

from whatsrelated.kernels.asking._edges cimport Rows, rows_of
from whatsrelated.kernels.shared._limits cimport Watch, begin_watch, look
from whatsrelated.kernels.shared._memory cimport allocate, allocate_unset


def authorities(
    const int64_t[::1] starts,
    const uint32_t[::1] targets,
    const double[::1] authority_weights,
    const double[::1] hub_weights,
    double tolerance,
    int64_t max_rounds,
    const uint8_t[::1] roles=None,
    uint8_t apart=0,
):
    """Authorities, hubs, rounds and the last change of the authorities (L1).

    A[q] = sum of H[p] * authority weight; H[p] = sum of A[q] * hub weight. Both start as all ones
    and are scaled to Euclidean length 1 in each round, until A changes by less than `tolerance`. If
    the weights are None, every edge counts 1. A component whose only authorities have the role
    `apart` starts from 0 and draws no weight from the others.
    """
    cdef Rows rows = rows_of(starts, targets)
    cdef Weights weights = Weights(NULL, NULL)
    cdef int64_t rounds
    cdef double moved
    authority, hub = np.zeros(rows.n), np.zeros(rows.n)
    if rows.n == 0:
        return authority, hub, 0, 0.0
    if authority_weights is not None and hub_weights is not None:
        weights = Weights(&authority_weights[0], &hub_weights[0])
    cdef double[::1] to_authority = authority
    cdef double[::1] to_hub = hub
    with nogil:
        rounds = iterate(
            rows,
            weights,
            Stop(tolerance, max_rounds),
            &roles[0] if roles is not None else NULL,
            apart,
            &to_authority[0],
            &to_hub[0],
            &moved,
        )
    return authority, hub, rounds, moved


cdef int64_t iterate(
    Rows rows,
    Weights weights,
    Stop stop,
    const uint8_t *roles,
    uint8_t apart,
    double *authority,
    double *hub,
    double *moved,
) except -1 nogil:
    """Write authorities and hubs (into zeroed arrays) and the last change; return the rounds."""
    cdef int64_t rounds = 0
    cdef Half authorities, hubs
    cdef Watch watch = begin_watch()
    memset(&authorities, 0, sizeof(Half))
    memset(&hubs, 0, sizeof(Half))
    try:
        sort_nodes(&authorities, rows, True)
        sort_nodes(&hubs, rows, False)
        if roles != NULL:
            silence(&hubs, rows, roles, apart)
        lay_out(&authorities, rows, weights.authority, True, &hubs)
        lay_out(&hubs, rows, weights.hub, False, &authorities)
        while rounds < stop.max_rounds:
            rounds += 1
            look(&watch, 2 * <size_t>rows.starts[rows.n])
            moved[0] = add_up(&authorities, hubs.values)
            add_up(&hubs, authorities.values)
            if rounds == 1:  # the change of nodes without edges, from 1 to 0
                moved[0] += rows.n - authorities.used
            if moved[0] < stop.tolerance:
                break
        write(&authorities, authority)
        write(&hubs, hub)
    finally:
        free_half(&authorities)
        free_half(&hubs)
    return rounds


cdef enum:
    LANES = 4


cdef struct Half:
    # One half of a round, stored for fast repeated passes.
    #
    # Nodes with edges are sorted by degree and grouped in bundles of four. The j-th edges of a
    # bundle are adjacent, so four sums run side by side with little padding. A node's position is
    # its lane. Values are indexed by lane, with a 0 after the last.
    size_t used, bundles
    uint32_t *degrees
    uint32_t *lanes     # of each node
    uint32_t *nodes     # of each lane
    size_t *ends        # where each bundle's edges end
    uint32_t *others    # the other end of each edge: its lane in the other half
    double *weights
    double *sums
    double *values


cdef void free_half(Half *half) noexcept nogil:
    free(half.degrees)
    free(half.lanes)
    free(half.nodes)
    free(half.ends)
    free(half.others)
    free(half.weights)
    free(half.sums)
    free(half.values)


cdef int sort_nodes(Half *half, Rows rows, bint backwards) except -1 nogil:
    """Give each node with edges a lane, highest degree first, and the value 1."""
    cdef size_t n = rows.n, node, i, longest = 0, lane
    cdef int64_t at
    cdef size_t *begins
    half.degrees = <uint32_t *>allocate(n, sizeof(uint32_t))
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
    half.lanes = <uint32_t *>allocate(n, sizeof(uint32_t))
    half.nodes = <uint32_t *>allocate(half.used, sizeof(uint32_t))
    half.sums = <double *>allocate(half.bundles * LANES, sizeof(double))
    half.values = <double *>allocate(half.bundles * LANES + 1, sizeof(double))
    begins = <size_t *>allocate(longest + 1, sizeof(size_t))
    for node in range(n):
        begins[longest - half.degrees[node] + 1] += 1
    for i in range(longest):
        begins[i + 1] += begins[i]
    for node in range(n):
        if half.degrees[node]:
            lane = begins[longest - half.degrees[node]]
            begins[longest - half.degrees[node]] += 1
            half.lanes[node] = <uint32_t>lane
            half.nodes[lane] = <uint32_t>node
            half.values[lane] = 1
    free(begins)
    return 0


cdef int silence(Half *hubs, Rows rows, const uint8_t *roles, uint8_t apart) except -1 nogil:
    """Start hubs at 0 if their component's only authorities have the role `apart`."""
    cdef size_t node, alone = 0
    cdef int64_t at, shared
    cdef bint found = True
    cdef uint8_t *is_shared = <uint8_t *>allocate(rows.n, sizeof(uint8_t))
    for node in range(rows.n):
        is_shared[node] = not roles[node] & apart
        alone += not is_shared[node]
    while found and alone:  # a node that shares a hub with a shared node is shared too
        found = False
        for node in range(rows.n):
            if not alone:
                break
            shared = 0
            for at in range(rows.starts[node], rows.starts[node + 1]):
                shared += is_shared[rows.targets[at]]
            if 0 < shared < rows.starts[node + 1] - rows.starts[node]:
                found = True
                for at in range(rows.starts[node], rows.starts[node + 1]):
                    alone -= not is_shared[rows.targets[at]]
                    is_shared[rows.targets[at]] = True
    if alone:
        for node in range(rows.n):
            if rows.starts[node] < rows.starts[node + 1]:
                if not is_shared[rows.targets[rows.starts[node]]]:
                    hubs.values[hubs.lanes[node]] = 0
    free(is_shared)
    return 0


cdef int lay_out(
    Half *half, Rows rows, const double *weights, bint backwards, const Half *other
) except -1 nogil:
    """Lay out the edges for the sums."""
    cdef size_t node, lane, bundle, i, room = 0
    cdef uint32_t nothing = <uint32_t>(other.bundles * LANES)
    cdef int64_t at
    cdef size_t *places
    half.ends = <size_t *>allocate(half.bundles, sizeof(size_t))
    for bundle in range(half.bundles):
        room += LANES * <size_t>half.degrees[half.nodes[bundle * LANES]]
        half.ends[bundle] = room
    half.others = <uint32_t *>allocate_unset(room, sizeof(uint32_t))
    if weights != NULL:
        half.weights = <double *>allocate_unset(room, sizeof(double))
    places = <size_t *>allocate(half.bundles * LANES, sizeof(size_t))
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


cdef double add_up(Half *half, const double *given) noexcept nogil:
    """Set each node to the sum over its edges, scale to length 1, and return the change (L1)."""
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


cdef void write(Half *half, double *into) noexcept nogil:
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
    """The pages with more than `least` times the best page's authority, and their authorities.

    Pages with the role `apart` are left out.
    """
    cdef size_t n = pages.shape[0], many
    chosen, scores = np.empty(n, np.uint32), np.empty(n)
    cdef uint32_t[::1] to_chosen = chosen
    cdef double[::1] to_scores = scores
    many = choose(
        Nodes(n, &pages[0], &roles[0]), &authority[0], apart, least, &to_chosen[0], &to_scores[0]
    )
    return chosen[:many], scores[:many]


cdef size_t choose(
    Nodes nodes, const double *authority, uint8_t apart, double least, uint32_t *chosen,
    double *scores
) noexcept nogil:
    """Write the result of `best` to arrays; return the number of pages."""
    cdef size_t node, many = 0
    cdef double most = 0
    for node in range(nodes.n):
        if not nodes.roles[node] & apart:
            most = max(most, authority[node])
    for node in range(nodes.n):
        if not nodes.roles[node] & apart and authority[node] > least * most:
            chosen[many] = nodes.pages[node]
            scores[many] = authority[node]
            many += 1
    return many
