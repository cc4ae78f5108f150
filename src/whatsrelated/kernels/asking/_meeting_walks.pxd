"""Pairs of walkers that may meet, for kernels that run without the interpreter."""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from whatsrelated.kernels.shared._links cimport Adjacency


cdef struct Walks:           # pairs[i] pairs of walkers start from ones[i] and twos[i]
    const uint32_t* ones
    const uint32_t* twos
    const int64_t* pairs
    int64_t count


cdef void send_walkers(
    const Adjacency* parents, const Walks* walks, double decay, uint64_t key, int64_t* hits
) noexcept nogil
