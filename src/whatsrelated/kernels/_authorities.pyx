# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Hubs and authorities of a small graph: merging, edge weights, the iteration.

The graph comes as rows: the edges of node p are targets[starts[p]:starts[p+1]].
A weight stands where its edge stands.
"""

import numpy as np

from libc.math cimport fabs, sqrt
from libc.stdint cimport int64_t, uint32_t
from libc.stdlib cimport free

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
    cdef size_t n = names.shape[0], node, name, other
    cdef int64_t at, many = 0
    cdef bint sited = sites is not None
    new_starts = np.zeros(n + 1, np.int64)
    new_targets = np.empty(targets.shape[0], np.uint32)
    cdef int64_t[::1] to_starts = new_starts
    cdef uint32_t[::1] to_targets = new_targets
    # Members by name, a list in two arrays; and the last name whose edge came to each.
    cdef size_t *next_member = NULL
    cdef size_t *first_member = NULL
    cdef size_t *met = NULL
    try:
        with nogil:
            next_member = <size_t *>claimed(n, sizeof(size_t))
            first_member = <size_t *>claimed(n, sizeof(size_t))
            met = <size_t *>claimed(n, sizeof(size_t))
            for node in range(n, 0, -1):
                next_member[node - 1] = first_member[names[node - 1]]
                first_member[names[node - 1]] = node
            for name in range(n):
                node = first_member[name]
                while node:
                    for at in range(starts[node - 1], starts[node]):
                        other = names[targets[at]]
                        if other == name or met[other] == name + 1:
                            continue
                        if sited and sites[other] == sites[name]:
                            continue
                        met[other] = name + 1
                        to_targets[many] = <uint32_t>other
                        many += 1
                    node = next_member[node - 1]
                to_starts[name + 1] = many
    finally:
        free(next_member)
        free(first_member)
        free(met)
    return new_starts, new_targets[:many].copy()


def edge_weights(
    const int64_t[::1] starts, const uint32_t[::1] targets, const uint32_t[::1] sites
):
    """The authority and the hub weight of every edge (BH98).

    An edge into q from a page of site S has authority weight 1/k, k the number
    of edges from S to q; an edge from p into site T has hub weight 1/l, l the
    number of edges from p to T.  Sites are numbered from 0.
    """
    cdef size_t n = starts.shape[0] - 1, m = targets.shape[0], p, s, i, most = 0
    cdef int64_t at
    authority = np.empty(m)
    hub = np.empty(m)
    cdef double[::1] to_authority = authority
    cdef double[::1] to_hub = hub
    cdef uint32_t *count = NULL
    cdef size_t *begin = NULL
    cdef uint32_t *by_site = NULL
    try:
        with nogil:
            for p in range(n):
                most = max(most, <size_t>sites[p] + 1)
            count = <uint32_t *>claimed(max(n, most), sizeof(uint32_t))
            begin = <size_t *>claimed(most + 2, sizeof(size_t))
            by_site = <uint32_t *>claimed(n, sizeof(uint32_t))
            for p in range(n):
                for at in range(starts[p], starts[p + 1]):
                    count[sites[targets[at]]] += 1
                for at in range(starts[p], starts[p + 1]):
                    to_hub[at] = 1.0 / count[sites[targets[at]]]
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
                        to_authority[at] = 1.0 / count[targets[at]]
                for i in range(begin[s], begin[s + 1]):
                    for at in range(starts[by_site[i]], starts[by_site[i] + 1]):
                        count[targets[at]] = 0
    finally:
        free(count)
        free(begin)
        free(by_site)
    return authority, hub


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
    cdef size_t n = starts.shape[0] - 1
    cdef int64_t rounds = 0
    cdef double moved = 0
    # One place more than nodes: a 0 for the lanes that have no edge left.
    authority, hub = np.ones(n + 1), np.ones(n + 1)
    cdef double[::1] a = authority
    cdef double[::1] h = hub
    cdef Sums into_authorities = Sums(n)
    cdef Sums into_hubs = Sums(n)
    a[n] = h[n] = 0
    with nogil:
        into_authorities.lay_out(starts, targets, authority_weights, True)
        into_hubs.lay_out(starts, targets, hub_weights, False)
        while rounds < max_rounds:
            rounds += 1
            moved = into_authorities.turn(&h[0], &a[0])
            into_hubs.turn(&a[0], &h[0])
            if rounds == 1:
                # Nodes without edges fall to 0 at once, and have no sum.
                moved += into_authorities.drop_others(&a[0])
                into_hubs.drop_others(&h[0])
            if moved < tolerance:
                break
    return authority[:n], hub[:n], rounds, moved


cdef enum:
    LANES = 4


cdef class Sums:
    """One half of a round, laid out to be walked often.

    Nodes are sorted by how many edges they have, and taken four at a time: edge
    j of the four stands together, so that four sums run side by side, and the
    loop is as long for the next four.
    """

    cdef size_t n, bundles
    cdef uint32_t *degrees
    cdef size_t *ends        # of each bundle: where its edges end
    cdef uint32_t *nodes     # whose sum each lane is
    cdef uint32_t *others    # the other end of each edge
    cdef double *weights
    cdef double *sums

    def __cinit__(self, size_t n):
        self.n = n

    def __dealloc__(self):
        free(self.degrees)
        free(self.ends)
        free(self.nodes)
        free(self.others)
        free(self.weights)
        free(self.sums)

    cdef int lay_out(
        self,
        const int64_t[::1] starts,
        const uint32_t[::1] targets,
        const double[::1] weights,
        bint backwards,
    ) except -1 nogil:
        cdef size_t n = self.n, node, lane, bundle, i, room = 0
        cdef size_t others_room = 0, weights_room = 0
        cdef int64_t at
        cdef size_t *places = NULL
        self.degrees = <uint32_t *>claimed(n, sizeof(uint32_t))
        for node in range(n):
            for at in range(starts[node], starts[node + 1]):
                self.degrees[targets[at] if backwards else node] += 1
        self._sort_nodes()
        self.ends = <size_t *>claimed(self.bundles, sizeof(size_t))
        self.sums = <double *>claimed(self.bundles * LANES, sizeof(double))
        for bundle in range(self.bundles):
            room += LANES * <size_t>self.degrees[self.nodes[bundle * LANES]]
            self.ends[bundle] = room
        grow(<void **>&self.others, &others_room, room, sizeof(uint32_t))
        if weights is not None:
            grow(<void **>&self.weights, &weights_room, room, sizeof(double))
        places = <size_t *>claimed(n, sizeof(size_t))
        for bundle in range(self.bundles):
            for lane in range(LANES):
                node = self.nodes[bundle * LANES + lane]
                places[node] = (self.ends[bundle - 1] if bundle else 0) + lane
        for node in range(n):
            for at in range(starts[node], starts[node + 1]):
                i = targets[at] if backwards else node
                self.others[places[i]] = <uint32_t>node if backwards else targets[at]
                if weights is not None:
                    self.weights[places[i]] = weights[at]
                places[i] += LANES
        for bundle in range(self.bundles):
            for lane in range(LANES):
                node = self.nodes[bundle * LANES + lane]
                i = places[node]
                if node == n:
                    i = (self.ends[bundle - 1] if bundle else 0) + lane
                while i < self.ends[bundle]:
                    self.others[i] = <uint32_t>n  # where there is a 0
                    if weights is not None:
                        self.weights[i] = 0
                    i += LANES
        free(places)
        return 0

    cdef int _sort_nodes(self) except -1 nogil:
        """The nodes that have edges, the most first, filled up to whole bundles with n."""
        cdef size_t node, i, used = 0, longest = 0
        cdef size_t *begin
        for node in range(self.n):
            longest = max(longest, self.degrees[node])
            used += self.degrees[node] > 0
        begin = <size_t *>claimed(longest + 1, sizeof(size_t))
        for node in range(self.n):
            begin[longest - self.degrees[node] + 1] += 1
        for i in range(longest):
            begin[i + 1] += begin[i]
        self.bundles = (used + LANES - 1) // LANES
        self.nodes = <uint32_t *>claimed(self.bundles * LANES, sizeof(uint32_t))
        for i in range(used, self.bundles * LANES):
            self.nodes[i] = <uint32_t>self.n
        for node in range(self.n):
            if self.degrees[node]:
                self.nodes[begin[longest - self.degrees[node]]] = <uint32_t>node
                begin[longest - self.degrees[node]] += 1
        free(begin)
        return 0

    cdef double drop_others(self, double *taken) noexcept nogil:
        """Set the nodes without edges to 0; how much that moved."""
        cdef size_t node
        cdef double moved = 0
        for node in range(self.n):
            if not self.degrees[node]:
                moved += fabs(taken[node])
                taken[node] = 0
        return moved

    cdef double turn(self, const double *given, double *taken) noexcept nogil:
        """Every node takes the sum over its edges, all to length 1; how much that moved."""
        cdef size_t bundle, at = 0, end, i
        cdef double one, two, three, four, squares = 0, moved = 0, scale
        cdef const uint32_t *others = self.others
        cdef const double *weights = self.weights
        for bundle in range(self.bundles):
            one = two = three = four = 0
            end = self.ends[bundle]
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
            self.sums[bundle * LANES] = one
            self.sums[bundle * LANES + 1] = two
            self.sums[bundle * LANES + 2] = three
            self.sums[bundle * LANES + 3] = four
            squares += (one * one + two * two) + (three * three + four * four)
        scale = 1 / sqrt(squares) if squares > 0 else 0
        for i in range(self.bundles * LANES):
            one = self.sums[i] * scale
            moved += fabs(one - taken[self.nodes[i]])
            taken[self.nodes[i]] = one
        return moved
