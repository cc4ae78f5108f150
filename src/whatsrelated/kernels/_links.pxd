# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The links of a graph, as the kernels of questions read them."""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from whatsrelated.kernels._memory cimport FAR, NEAR, PREFETCH, prefetch_row

ctypedef const uint32_t[::1] Pages

cdef struct Span:            # some pages, without the interpreter's count of who reads them
    const uint32_t *pages
    size_t count


cdef struct Adjacency:
    # One direction: page p has links[offsets[p]:offsets[p + 1]].
    const uint64_t *offsets
    const uint32_t *links
    size_t pages


cdef class Links:
    cdef readonly object out_offsets, out_links, in_offsets, in_links
    cdef Adjacency children, parents


cdef inline Span span_of(Pages pages) noexcept nogil:
    return Span(&pages[0], <size_t>pages.shape[0])


cdef inline Span part_of(Span span, size_t first, size_t last) noexcept nogil:
    return Span(span.pages + first, last - first)


cdef inline Span links_of(const Adjacency *rows, uint32_t page) noexcept nogil:
    return Span(row_of(rows, page), degree_of(rows, page))


cdef inline uint64_t degree_of(const Adjacency *rows, uint32_t page) noexcept nogil:
    return rows.offsets[page + 1] - rows.offsets[page]


cdef inline const uint32_t *row_of(const Adjacency *rows, uint32_t page) noexcept nogil:
    return rows.links + rows.offsets[page]


cdef inline void prefetch_ahead(const Adjacency *rows, Span span, size_t at) noexcept nogil:
    """While a page of a span is read: prefetch the offsets and links of those that come soon."""
    if at + FAR < span.count:
        PREFETCH(&rows.offsets[span.pages[at + FAR]])
    if at + NEAR < span.count:
        PREFETCH(row_of(rows, span.pages[at + NEAR]))


cdef inline void prefetch_rows(const Adjacency *rows, Span span, size_t at) noexcept nogil:
    """The same, where all links of the pages will be read."""
    if at + FAR < span.count:
        PREFETCH(&rows.offsets[span.pages[at + FAR]])
    if at + NEAR < span.count:
        prefetch_row(row_of(rows, span.pages[at + NEAR]), degree_of(rows, span.pages[at + NEAR]))


cdef struct Window:
    uint64_t first, last


cdef inline uint64_t place_in(Span row, uint32_t page) noexcept nogil:
    """Where a row has the page, or its size: sixteen comparisons at a time, to be vectorised."""
    cdef uint64_t at = 0
    cdef uint32_t hit
    cdef int i
    while at + 16 <= row.count:
        hit = 0
        for i in range(16):
            hit |= row.pages[at + i] == page
        if hit:
            break
        at += 16
    while at < row.count and row.pages[at] != page:
        at += 1
    return at


cdef inline Window window_around(Span row, uint32_t page, int64_t width) noexcept nogil:
    """The window of a row around its link to the page: width // 2 links on each side of it.

    The whole row where it has no more than width + 1 links or no link to the page, or where
    `width` is negative.
    """
    cdef uint64_t at, side = <uint64_t>(width // 2) if width > 0 else 0
    cdef uint64_t size = row.count
    if width < 0 or size <= <uint64_t>width + 1:
        return Window(0, size)
    at = place_in(row, page)
    if at == size:
        return Window(0, size)
    return Window(at - side if at > side else 0, at + side + 1 if size - at > side + 1 else size)
