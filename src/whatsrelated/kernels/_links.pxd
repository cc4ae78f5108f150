"""The links of a graph, as the kernels of questions read them."""

from libc.stdint cimport uint32_t, uint64_t

from whatsrelated.kernels._memory cimport FAR, NEAR, PREFETCH, prefetch_row


cdef struct Adjacency:
    # One direction: page p has links[offsets[p]:offsets[p + 1]].
    const uint64_t *offsets
    const uint32_t *links
    size_t pages, count


cdef class Links:
    cdef readonly object out_offsets, out_links, in_offsets, in_links
    cdef Adjacency children, parents


cdef inline uint64_t degree_of(const Adjacency *rows, uint32_t page) noexcept nogil:
    return rows.offsets[page + 1] - rows.offsets[page]


cdef inline const uint32_t *row_of(const Adjacency *rows, uint32_t page) noexcept nogil:
    return rows.links + rows.offsets[page]


cdef inline void prefetch_ahead(
    const Adjacency *rows, const uint32_t *pages, size_t at, size_t count
) noexcept nogil:
    """While pages[at] is read: prefetch the offsets and first links of pages that come soon."""
    if at + FAR < count:
        PREFETCH(&rows.offsets[pages[at + FAR]])
    if at + NEAR < count:
        PREFETCH(row_of(rows, pages[at + NEAR]))


cdef inline void prefetch_rows(
    const Adjacency *rows, const uint32_t *pages, size_t at, size_t count
) noexcept nogil:
    """The same, where all links of the pages will be read."""
    if at + FAR < count:
        PREFETCH(&rows.offsets[pages[at + FAR]])
    if at + NEAR < count:
        prefetch_row(row_of(rows, pages[at + NEAR]), degree_of(rows, pages[at + NEAR]))
