# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The links of a graph, as the kernels read them."""

from libc.math cimport floor
from libc.stdint cimport UINT64_MAX, int64_t, uint8_t, uint32_t, uint64_t

from whatsrelated.kernels.shared._memory cimport FAR, NEAR, PREFETCH, grow, prefetch_row
from whatsrelated.kernels.shared._number_table cimport Numbering, prefetch_slot
from whatsrelated.kernels.shared._packed cimport (
    PAGES_IN_BLOCK, Packed, beginning_of, block_of, line_of, packed_degree, short_degree
)

ctypedef const uint32_t[::1] Pages

cdef struct Span:            # an array of pages, without reference counting
    const uint32_t *pages
    size_t count


cdef enum:
    MOST_DECODED = 32 << 20  # bytes of decoded rows kept for later queries


cdef struct Row:
    Span span            # the first links, or all; never moved
    uint64_t degree


cdef struct Piece:
    uint32_t *links
    size_t room


cdef struct Decoded:
    # One thread's memory: the packed lists that a query has read so far.
    Numbering pages
    Row *rows            # by number
    size_t room
    Piece *pieces        # first those in use, then those to reuse
    size_t used, n_pieces, pieces_room
    uint32_t *free       # the rest of the last piece in use
    size_t left
    size_t bytes


cdef struct Adjacency:
    # One direction: page p has links[offsets[p]:offsets[p + 1]] or, if there are no offsets, a
    # packed list (`packed.h`), which is decoded once per query.
    const uint64_t *offsets
    const uint32_t *links
    size_t pages
    Packed packed
    Decoded *decoded
    bint far             # the links are not all in memory, so a step requests its rows together


cdef class Arena:
    cdef Decoded children, parents
    cdef readonly object owner


cdef class Links:
    cdef readonly object out_offsets, out_links, in_offsets, in_links
    cdef readonly Arena arena
    cdef Adjacency children, parents


cdef Span decode_row(const Adjacency *rows, uint32_t page, uint64_t wanted) noexcept nogil
cdef uint32_t decode_link(const Adjacency *rows, uint32_t page, uint64_t place) noexcept nogil
cdef void forget_rows(Decoded *decoded) noexcept nogil
cdef void request_far_rows(const Adjacency *rows, Span span, uint64_t most) noexcept nogil


cdef inline Span span_of(Pages pages) noexcept nogil:
    return Span(&pages[0], <size_t>pages.shape[0])


cdef inline Span part_of(Span span, size_t first, size_t last) noexcept nogil:
    return Span(span.pages + first, last - first)


cdef inline int take_sample(
    Span *pages, size_t most, double start, uint32_t **memory, size_t *room
) except -1 nogil:
    """If there are more than `most` pages, take an even sample, as `contract.sampling` does."""
    cdef size_t i
    if pages.count > most:
        grow(<void **>memory, room, most, sizeof(uint32_t))
        for i in range(most):
            memory[0][i] = pages.pages[
                <size_t>floor((i + start) * <double>pages.count / <double>most)
            ]
        pages[0] = Span(memory[0], most)
    return 0


cdef inline uint64_t degree_of(const Adjacency *rows, uint32_t page) noexcept nogil:
    if rows.offsets == NULL:
        return packed_degree(&rows.packed, page)
    return rows.offsets[page + 1] - rows.offsets[page]


cdef inline Span links_of(const Adjacency *rows, uint32_t page) noexcept nogil:
    """The links of a page, valid until the kernel returns."""
    if rows.offsets == NULL:
        return decode_row(rows, page, UINT64_MAX)
    return Span(rows.links + rows.offsets[page], degree_of(rows, page))


cdef inline Span first_links_of(const Adjacency *rows, uint32_t page, uint64_t most) noexcept nogil:
    """At least the first `most` links of a page, or all if it has fewer."""
    return decode_row(rows, page, most) if rows.offsets == NULL else links_of(rows, page)


cdef inline void begin_question(Links links) noexcept nogil:
    """Free decoded rows if there are many. Call between queries, when no rows are in use."""
    if links.children.offsets == NULL:
        if links.children.decoded.bytes > MOST_DECODED:
            forget_rows(links.children.decoded)
        if links.parents.decoded.bytes > MOST_DECODED:
            forget_rows(links.parents.decoded)


cdef inline uint32_t link_at(const Adjacency *rows, uint32_t page, uint64_t place) noexcept nogil:
    """One link of a page."""
    if rows.offsets == NULL:
        return decode_link(rows, page, place)
    return rows.links[rows.offsets[page] + place]


cdef inline void prefetch_degree(const Adjacency *rows, uint32_t page) noexcept nogil:
    """Prefetch a page's degree."""
    if rows.offsets == NULL:
        PREFETCH(line_of(&rows.packed, page) + 4 + page % PAGES_IN_BLOCK)
    else:
        PREFETCH(&rows.offsets[page])


cdef inline void prefetch_place(const Adjacency *rows, uint32_t page) noexcept nogil:
    """Prefetch the location of a page's links, decoded or not."""
    if rows.offsets == NULL:
        PREFETCH(rows.packed.data + block_of(&rows.packed, page) // 8)
        prefetch_slot(&rows.decoded.pages, page)
    else:
        PREFETCH(&rows.offsets[page])


cdef inline void prefetch_links(const Adjacency *rows, uint32_t page) noexcept nogil:
    """Prefetch the first links of a page."""
    if rows.offsets == NULL:
        PREFETCH(beginning_of(&rows.packed, page))
    else:
        PREFETCH(rows.links + rows.offsets[page])


cdef inline void prefetch_link(const Adjacency *rows, uint32_t page, uint64_t place) noexcept nogil:
    """Prefetch one link of a page, or the beginning of a packed list."""
    if rows.offsets == NULL:
        prefetch_links(rows, page)
    else:
        PREFETCH(rows.links + rows.offsets[page] + place)


cdef inline void prefetch_all_links(const Adjacency *rows, uint32_t page) noexcept nogil:
    """Prefetch all links of a page."""
    if rows.offsets == NULL:
        prefetch_row(
            <const uint32_t *>beginning_of(&rows.packed, page),
            short_degree(&rows.packed, page) // 2 + 17)
    else:
        prefetch_row(rows.links + rows.offsets[page], degree_of(rows, page))


cdef inline void prefetch_places(const Adjacency *rows, Span span, size_t at) noexcept nogil:
    """While page `at` of a span is read, prefetch the offsets of pages soon after it."""
    if rows.offsets == NULL and at + 2 * FAR < span.count:
        prefetch_degree(rows, span.pages[at + 2 * FAR])
    if at + FAR < span.count:
        prefetch_place(rows, span.pages[at + FAR])


cdef inline void prefetch_ahead(const Adjacency *rows, Span span, size_t at) noexcept nogil:
    """Prefetch the offsets as above, and the first links of the next pages."""
    prefetch_places(rows, span, at)
    if at + NEAR < span.count:
        prefetch_links(rows, span.pages[at + NEAR])


cdef inline void prefetch_rows(const Adjacency *rows, Span span, size_t at) noexcept nogil:
    """Prefetch the offsets as above, and all links of the next pages."""
    prefetch_places(rows, span, at)
    if at + NEAR < span.count:
        prefetch_all_links(rows, span.pages[at + NEAR])


cdef inline void request_rows(const Adjacency *rows, Span span) noexcept nogil:
    """Before reading the rows of a step, request those that are not in memory from disk."""
    if rows.far:
        request_far_rows(rows, span, UINT64_MAX)


cdef inline void request_first_links(const Adjacency *rows, Span span, int64_t most) noexcept nogil:
    """Like the function above, but only for the first `most` links of each page."""
    if rows.far and most > 0:
        request_far_rows(rows, span, <uint64_t>most)


cdef inline uint64_t degrees_of(const Adjacency *rows, Span span, uint64_t most) noexcept nogil:
    """The total number of links of some pages; counting stops above `most`."""
    cdef size_t i
    cdef uint64_t total = 0
    for i in range(span.count):
        if total > most:
            break
        if i + FAR < span.count:
            prefetch_degree(rows, span.pages[i + FAR])
        total += degree_of(rows, span.pages[i])
    return total


cdef struct Window:
    uint64_t first, last


cdef inline uint64_t place_in(Span row, uint32_t page) noexcept nogil:
    """The position of a page in a row, or the row's size; groups of 16 comparisons vectorise."""
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
    """The window of a row around its link to the page: width // 2 links on each side.

    It is the whole row if that has at most width + 1 links or no link to the page, or if `width` is
    negative.
    """
    cdef uint64_t at, side = <uint64_t>(width // 2) if width > 0 else 0
    cdef uint64_t size = row.count
    if width < 0 or size <= <uint64_t>width + 1:
        return Window(0, size)
    at = place_in(row, page)
    if at == size:
        return Window(0, size)
    return Window(at - side if at > side else 0, at + side + 1 if size - at > side + 1 else size)
