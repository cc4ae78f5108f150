# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""Merge the nodes of a small graph and weight its edges.

The edges of node p are targets[starts[p]:starts[p+1]]; their weights are in the same order.
"""

import numpy as np

from libc.stdint cimport int64_t, uint32_t
from libc.stdlib cimport free

from whatsrelated.kernels.shared._memory cimport allocate


def merge_nodes(
    const int64_t[::1] starts, const uint32_t[::1] targets, const uint32_t[::1] names
):
    """The edges after merging each node p into names[p], a node that names itself.

    Each pair keeps one edge; edges from a node to itself are dropped.
    """
    cdef Rows rows = rows_of(starts, targets)
    new_starts = np.zeros(rows.n + 1, np.int64)
    new_targets = np.empty(targets.shape[0], np.uint32)
    cdef int64_t[::1] to_starts = new_starts
    cdef uint32_t[::1] to_targets = new_targets
    if targets.shape[0] == 0:
        return new_starts, new_targets
    with nogil:
        merge(rows, &names[0], &to_starts[0], &to_targets[0])
    return new_starts, new_targets[:new_starts[rows.n]].copy()


cdef int merge(
    Rows rows, const uint32_t *names, int64_t *starts, uint32_t *targets
) except -1 nogil:
    """Write the merged rows."""
    cdef size_t n = rows.n, node, name, other
    cdef int64_t at, many = 0
    # The members of each name as a linked list, and the last name with an edge to each node.
    cdef size_t *next_member = NULL
    cdef size_t *first_member = NULL
    cdef size_t *met = NULL
    try:
        next_member = <size_t *>allocate(n, sizeof(size_t))
        first_member = <size_t *>allocate(n, sizeof(size_t))
        met = <size_t *>allocate(n, sizeof(size_t))
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

    If site S has k edges to q, each of them has authority weight 1/k. If p has l edges to site T,
    each of them has hub weight 1/l. Sites are numbered from 0.
    """
    authority = np.empty(targets.shape[0])
    hub = np.empty(targets.shape[0])
    cdef double[::1] to_authority = authority
    cdef double[::1] to_hub = hub
    cdef Rows rows = rows_of(starts, targets)
    if targets.shape[0]:
        with nogil:
            compute_weights(rows, &sites[0], &to_authority[0], &to_hub[0])
    return authority, hub


cdef int compute_weights(
    Rows rows, const uint32_t *sites, double *authority, double *hub
) except -1 nogil:
    cdef size_t n = rows.n, p, s, i, most = 0
    cdef const int64_t *starts = rows.starts
    cdef const uint32_t *targets = rows.targets
    cdef int64_t at
    cdef uint32_t *count = NULL
    cdef size_t *begins = NULL
    cdef uint32_t *by_site = NULL
    try:
        for p in range(n):
            most = max(most, <size_t>sites[p] + 1)
        count = <uint32_t *>allocate(max(n, most), sizeof(uint32_t))
        begins = <size_t *>allocate(most + 2, sizeof(size_t))
        by_site = <uint32_t *>allocate(n, sizeof(uint32_t))
        for p in range(n):
            for at in range(starts[p], starts[p + 1]):
                count[sites[targets[at]]] += 1
            for at in range(starts[p], starts[p + 1]):
                hub[at] = 1.0 / count[sites[targets[at]]]
            for at in range(starts[p], starts[p + 1]):
                count[sites[targets[at]]] = 0
        # Group the pages by site: those of site s are at begins[s] to begins[s + 1].
        for p in range(n):
            begins[sites[p] + 2] += 1
        for s in range(most):
            begins[s + 2] += begins[s + 1]
        for p in range(n):
            by_site[begins[sites[p] + 1]] = <uint32_t>p
            begins[sites[p] + 1] += 1
        for s in range(most):
            for i in range(begins[s], begins[s + 1]):
                for at in range(starts[by_site[i]], starts[by_site[i] + 1]):
                    count[targets[at]] += 1
            for i in range(begins[s], begins[s + 1]):
                for at in range(starts[by_site[i]], starts[by_site[i] + 1]):
                    authority[at] = 1.0 / count[targets[at]]
            for i in range(begins[s], begins[s + 1]):
                for at in range(starts[by_site[i]], starts[by_site[i] + 1]):
                    count[targets[at]] = 0
    finally:
        free(count)
        free(begins)
        free(by_site)
    return 0
