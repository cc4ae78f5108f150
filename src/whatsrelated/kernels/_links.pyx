# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The links of a graph, taken by the kernels once instead of at every call."""

from libc.stdint cimport uint32_t, uint64_t


cdef class Links:
    """Both directions: page p links to out_links[out_offsets[p]:out_offsets[p + 1]]."""

    def __init__(
        self,
        const uint64_t[::1] out_offsets,
        const uint32_t[::1] out_links,
        const uint64_t[::1] in_offsets,
        const uint32_t[::1] in_links,
    ):
        self.out_offsets, self.out_links = out_offsets, out_links
        self.in_offsets, self.in_links = in_offsets, in_links

    def is_inward(self, const uint32_t[::1] sites, uint32_t page):
        """Whether a page has links or parents, all of them on its own site."""
        cdef uint64_t out_first = self.out_offsets[page], out_last = self.out_offsets[page + 1]
        cdef uint64_t in_first = self.in_offsets[page], in_last = self.in_offsets[page + 1]
        cdef uint64_t at
        for at in range(out_first, out_last):
            if sites[self.out_links[at]] != sites[page]:
                return False
        for at in range(in_first, in_last):
            if sites[self.in_links[at]] != sites[page]:
                return False
        return out_first < out_last or in_first < in_last
