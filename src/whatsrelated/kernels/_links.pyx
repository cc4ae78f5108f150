# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The links of a graph, taken by the kernels once instead of at every call."""

from libc.stdint cimport uint32_t, uint64_t


cdef Adjacency adjacency(const uint64_t[::1] offsets, const uint32_t[::1] links) except *:
    if offsets.shape[0] == 0:
        raise ValueError("offsets must have one entry more than there are pages, got none")
    return Adjacency(&offsets[0], &links[0], <size_t>offsets.shape[0] - 1)


cdef class Links:
    """Both directions: page p links to out_links[out_offsets[p]:out_offsets[p + 1]]."""

    def __init__(self, out_offsets, out_links, in_offsets, in_links):
        self.children = adjacency(out_offsets, out_links)
        self.parents = adjacency(in_offsets, in_links)
        self.out_offsets, self.out_links = out_offsets, out_links
        self.in_offsets, self.in_links = in_offsets, in_links

    def is_inward(self, const uint32_t[::1] sites, uint32_t page):
        """Whether a page has links or parents, all of them on its own site."""
        cdef uint64_t at, children = degree_of(&self.children, page)
        cdef uint64_t parents = degree_of(&self.parents, page)
        for at in range(children):
            if sites[row_of(&self.children, page)[at]] != sites[page]:
                return False
        for at in range(parents):
            if sites[row_of(&self.parents, page)[at]] != sites[page]:
                return False
        return children + parents > 0
