# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The links of a graph, as the kernels of questions read them."""

from libc.math cimport floor
from libc.stdint cimport UINT64_MAX, int64_t, uint8_t, uint32_t, uint64_t

from whatsrelated.kernels.shared._memory cimport FAR, NEAR, PREFETCH, grow, prefetch_row
from whatsrelated.kernels.shared._number_table cimport Numbering, prefetch_slot
from whatsrelated.kernels.shared._packed cimport (
    PAGES_IN_BLOCK, Packed, beginning_of, block_of, line_of, packed_degree, short_degree
)

ctypedef const uint32_t[::1] Pages

cdef struct Span:            # some pages, without the interpreter's count of who reads them
    const uint32_t *pages
    size_t count


cdef enum:
    MOST_DECODED = 32 << 20  # bytes of decoded rows that are kept for other questions


cdef struct Row:
    Span span            # the first links, or all; they stay where they are
    uint64_t degree


cdef struct Piece:
    uint32_t *links
    size_t room


cdef struct Decoded:
    # The packed lists that a question has read so far; the memory of one thread.
    Numbering pages
    Row *rows            # by number
    size_t room
    Piece *pieces        # those in use, then those to be used again
    size_t used, n_pieces, pieces_room
    uint32_t *free       # what is left of the last piece in use
    size_t left
    size_t bytes


cdef struct Adjacency:
    # One direction: page p has links[offsets[p]:offsets[p + 1]], or, where there are no offsets,
    # the packed list of `packed.h`, which is decoded once a question.
    const uint64_t *offsets
    const uint32_t *links
    size_t pages
    Packed packed
    Decoded *decoded
    bint far             # not all of it is in memory: rows of a step are asked for together


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
cdef void ask_for_far_rows(const Adjacency *rows, Span span, uint64_t most) noexcept nogil


cdef inline Span span_of(Pages pages) noexcept nogil:
    return Span(&pages[0], <size_t>pages.shape[0])


cdef inline Span part_of(Span span, size_t first, size_t last) noexcept nogil:
    return Span(span.pages + first, last - first)


cdef inline int take_sample(
    Span *pages, size_t most, double start, uint32_t **memory, size_t *room
) except -1 nogil:
    """Where there are more pages than `most`: an even sample of them, as `query.sampling` has it."""
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
    """The links of a page, or as many of the first ones as are wanted, or more."""
    return decode_row(rows, page, most) if rows.offsets == NULL else links_of(rows, page)


cdef inline void begin_question(Links links) noexcept nogil:
    """Before the next of many questions, whose kernel holds no rows: do not let them pile up."""
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
    """Prefetch what tells the degree of a page."""
    if rows.offsets == NULL:
        PREFETCH(line_of(&rows.packed, page) + 4 + page % PAGES_IN_BLOCK)
    else:
        PREFETCH(&rows.offsets[page])


cdef inline void prefetch_place(const Adjacency *rows, uint32_t page) noexcept nogil:
    """Prefetch what tells where the links of a page are, decoded or not."""
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
    """Prefetch one link of a page; of a packed list, its beginning."""
    if rows.offsets == NULL:
        prefetch_links(rows, page)
    else:
        PREFETCH(rows.links + rows.offsets[page] + place)


cdef inline void prefetch_all_links(const Adjacency *rows, uint32_t page) noexcept nogil:
    """The same, where all links of the page will be read."""
    if rows.offsets == NULL:
        prefetch_row(
            <const uint32_t *>beginning_of(&rows.packed, page),
            short_degree(&rows.packed, page) // 2 + 17)
    else:
        prefetch_row(rows.links + rows.offsets[page], degree_of(rows, page))


cdef inline void prefetch_places(const Adjacency *rows, Span span, size_t at) noexcept nogil:
    """While a page of a span is read: prefetch the offsets of those that come soon."""
    if rows.offsets == NULL and at + 2 * FAR < span.count:
        prefetch_degree(rows, span.pages[at + 2 * FAR])
    if at + FAR < span.count:
        prefetch_place(rows, span.pages[at + FAR])


cdef inline void prefetch_ahead(const Adjacency *rows, Span span, size_t at) noexcept nogil:
    """The same, and the first links of those that come next."""
    prefetch_places(rows, span, at)
    if at + NEAR < span.count:
        prefetch_links(rows, span.pages[at + NEAR])


cdef inline void prefetch_rows(const Adjacency *rows, Span span, size_t at) noexcept nogil:
    """The same, where all links of the pages will be read."""
    prefetch_places(rows, span, at)
    if at + NEAR < span.count:
        prefetch_all_links(rows, span.pages[at + NEAR])


cdef inline void ask_for_rows(const Adjacency *rows, Span span) noexcept nogil:
    """Before the rows of a step are read: have the disk fetch all that are not in memory."""
    if rows.far:
        ask_for_far_rows(rows, span, UINT64_MAX)


cdef inline void ask_for_first_links(const Adjacency *rows, Span span, int64_t most) noexcept nogil:
    """The same, where no more than the first `most` links of each page will be read."""
    if rows.far and most > 0:
        ask_for_far_rows(rows, span, <uint64_t>most)


cdef inline uint64_t degrees_of(const Adjacency *rows, Span span, uint64_t most) noexcept nogil:
    """How many links some pages have together, or more than `most` where it is more."""
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
