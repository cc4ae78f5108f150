# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""The links of a graph, unwrapped once for the kernels instead of at every call."""

import numpy as np

from libc.stdint cimport UINT64_MAX, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport free
from libc.string cimport memset

from whatsrelated.kernels.shared._limits cimport fail_for_memory, give_back, take_bytes
from whatsrelated.kernels.shared._memory cimport allocate_unset, grow
from whatsrelated.kernels.shared._number_table cimport (
    clear, free_numbering, insert, reserve, slot_of
)
from whatsrelated.kernels.shared._packed cimport (
    CHUNK, LONG, PAGES_IN_BLOCK, Packed, beginning_of, decode_part, line_of, load_32, long_of,
    packed_of, short_degree,
)

cdef extern from "advice.h" nogil:
    void request_bytes(const void *, size_t) noexcept

cdef enum:
    PIECE_OF_FILE = 12  # address bits within one unit of disk reads
    MOST_REQUESTED = 1024  # links of a packed list
    REMEMBERED = 4096  # file pieces that a step does not request again
    PIECE = 1 << 18  # links of decoded rows allocated at once
    MOST_KEPT = MOST_DECODED // (4 * PIECE)  # pieces kept for reuse

cdef uint32_t[1] NO_LINKS = [0]


cdef class Arena:
    """The packed lists of the graph of `owner` that a thread has decoded."""

    def __cinit__(self):
        memset(&self.children, 0, sizeof(Decoded))
        memset(&self.parents, 0, sizeof(Decoded))
        reserve(&self.children.pages, 0)
        reserve(&self.parents.pages, 0)

    def __init__(self):
        self.owner = None

    def __dealloc__(self):
        free_decoded(&self.children)
        free_decoded(&self.parents)

    def serve(self, owner):
        """Switch to the graph of `owner`; drop lists of other graphs, or all lists if there are too
        many.

        No kernel may be running.
        """
        if self.owner is not owner or self.children.bytes + self.parents.bytes > 2 * MOST_DECODED:
            forget_rows(&self.children)
            forget_rows(&self.parents)
            self.owner = owner


cdef void forget_rows(Decoded *decoded) noexcept nogil:
    """Forget all rows; keep some standard pieces of memory for reuse."""
    cdef size_t i, kept = 0
    for i in range(decoded.n_pieces):
        if decoded.pieces[i].room == PIECE and kept < MOST_KEPT:
            decoded.pieces[kept] = decoded.pieces[i]
            kept += 1
        else:
            free(decoded.pieces[i].links)
    clear(&decoded.pages)
    give_back(decoded.bytes)
    decoded.free = NULL
    decoded.n_pieces = kept
    decoded.used = decoded.left = decoded.bytes = 0


cdef void free_decoded(Decoded *decoded) noexcept:
    cdef size_t i
    for i in range(decoded.n_pieces):
        free(decoded.pieces[i].links)
    give_back(decoded.bytes)
    free_numbering(&decoded.pages)
    free(decoded.rows)
    free(decoded.pieces)


cdef int add_room(Decoded *decoded, size_t wanted) except -1:
    """Make room for one more row of `wanted` links."""
    cdef Piece piece
    grow(<void **>&decoded.rows, &decoded.room, decoded.pages.count + 1, sizeof(Row))
    if 2 * (decoded.pages.count + 2) > decoded.pages.size:
        reserve(&decoded.pages, 2 * (decoded.pages.count + 2))
    if decoded.left < wanted:
        grow(<void **>&decoded.pieces, &decoded.pieces_room, decoded.n_pieces + 1, sizeof(Piece))
        piece.room = max(wanted, <size_t>PIECE)
        take_bytes(piece.room * sizeof(uint32_t), kept=True)
        if piece.room > PIECE or decoded.used == decoded.n_pieces:
            piece.links = <uint32_t *>allocate_unset(piece.room, sizeof(uint32_t))
            decoded.pieces[decoded.n_pieces] = decoded.pieces[decoded.used]
            decoded.pieces[decoded.used] = piece
            decoded.n_pieces += 1
        decoded.free = decoded.pieces[decoded.used].links
        decoded.left = piece.room
        decoded.used += 1
        decoded.bytes += piece.room * sizeof(uint32_t)
    return 0


cdef bint make_room(Decoded *decoded, size_t wanted) noexcept with gil:
    """Make room as above; if memory runs out, record that and return False."""
    try:
        add_room(decoded, wanted)
    except MemoryError:
        fail_for_memory()
        return False
    return True


cdef Span decode_row(const Adjacency *rows, uint32_t page, uint64_t wanted) noexcept nogil:
    """At least the first `wanted` links of a page, decoded if needed."""
    cdef Decoded *decoded = rows.decoded
    cdef uint32_t *slot = slot_of(&decoded.pages, page)
    cdef uint32_t[CHUNK] aside
    cdef size_t number = decoded.pages.count
    cdef uint64_t degree
    if slot[0]:
        number = slot[0] - 1
        degree = decoded.rows[number].degree
    else:
        degree = degree_of(rows, page)
    if wanted > degree:
        wanted = degree
    if slot[0] and decoded.rows[number].span.count >= wanted:
        return decoded.rows[number].span
    if wanted == 0:
        return Span(NO_LINKS, 0)
    if decoded.left < wanted or 2 * (number + 2) > decoded.pages.size or number >= decoded.room:
        if not make_room(decoded, wanted):
            return Span(NO_LINKS, 0)
        slot = slot_of(&decoded.pages, page)
    if not slot[0]:
        insert(&decoded.pages, slot, page)
    decode_part(&rows.packed, page, 0, wanted, decoded.free, aside)
    decoded.rows[number] = Row(Span(decoded.free, wanted), degree)
    decoded.free += wanted
    decoded.left -= wanted
    return decoded.rows[number].span


cdef uint32_t decode_link(const Adjacency *rows, uint32_t page, uint64_t place) noexcept nogil:
    """One link: decodes the whole list if it is short, otherwise only the link's chunk."""
    cdef uint32_t[CHUNK] aside
    cdef uint32_t *slot = slot_of(&rows.decoded.pages, page)
    cdef uint32_t link
    cdef Span row
    if slot[0] and place < rows.decoded.rows[slot[0] - 1].span.count:
        return rows.decoded.rows[slot[0] - 1].span.pages[place]
    if short_degree(&rows.packed, page) != LONG:
        row = decode_row(rows, page, UINT64_MAX)
        return row.pages[place] if place < row.count else page
    decode_part(&rows.packed, page, place, 1, &link, aside)
    return link


cdef inline void request(const void *place, size_t bytes, uintptr_t *requested) noexcept nogil:
    """Request some bytes from disk, except leading pieces that were requested before."""
    cdef uintptr_t first = <uintptr_t>place >> PIECE_OF_FILE, piece
    cdef uintptr_t last = (<uintptr_t>place + bytes) >> PIECE_OF_FILE
    while first <= last and requested[first % REMEMBERED] == first:
        first += 1
    if first <= last:
        for piece in range(first, last + 1):
            requested[piece % REMEMBERED] = piece
        request_bytes(<const void *>(first << PIECE_OF_FILE), (last - first + 1) << PIECE_OF_FILE)


cdef void request_far_rows(const Adjacency *rows, Span span, uint64_t most) noexcept nogil:
    """Request all offsets first, since the links are found through them."""
    cdef size_t i
    cdef uint64_t degree
    cdef uintptr_t[REMEMBERED] requested
    memset(requested, 0, sizeof(requested))
    if rows.offsets == NULL:
        request_packed_rows(rows, span, most, requested)
        return
    for i in range(span.count):
        request(&rows.offsets[span.pages[i]], 15, requested)
    for i in range(span.count):
        degree = min(degree_of(rows, span.pages[i]), most)
        if degree:
            request(rows.links + rows.offsets[span.pages[i]], 4 * degree - 1, requested)


cdef void request_packed_rows(
    const Adjacency *rows, Span span, uint64_t most, uintptr_t *requested
) noexcept nogil:
    """Request the blocks up to where the lists may end, unless they are decoded.

    The index is in memory.
    """
    cdef size_t i
    cdef uint32_t page, place
    cdef uint64_t links
    cdef const uint8_t *line
    cdef const Packed *packed = &rows.packed
    for i in range(span.count):
        page = span.pages[i]
        if slot_of(&rows.decoded.pages, page)[0]:
            continue
        line = line_of(packed, page)
        links = line[4 + page % PAGES_IN_BLOCK]
        if links == LONG:
            links = min(<uint64_t>long_of(packed, page)[0], most, <uint64_t>MOST_REQUESTED)
            request(beginning_of(packed, page), links * (3 + packed.wide) // 8, requested)
        elif links:
            for place in range(page % PAGES_IN_BLOCK):
                links += line[4 + place] % LONG
            request(
                packed.data + load_32(line) * <size_t>8, links * (3 + packed.wide) // 8, requested)


cdef Adjacency adjacency(const uint64_t[::1] offsets, const uint32_t[::1] links, bint far) except *:
    if offsets.shape[0] == 0:
        raise ValueError("offsets must have one entry more than there are pages, got none")
    cdef Adjacency rows
    memset(&rows, 0, sizeof(Adjacency))
    rows.offsets, rows.links = &offsets[0], &links[0]
    rows.pages, rows.far = <size_t>offsets.shape[0] - 1, far
    return rows


cdef Adjacency packed_adjacency(Packed packed, size_t pages, Decoded *decoded, bint far):
    return Adjacency(NULL, NULL, pages, packed, decoded, far)


cdef class Links:
    """Both directions: page p links to out_links[out_offsets[p]:out_offsets[p + 1]].

    `far` means that they do not fit in memory.
    """

    def __init__(self, out_offsets, out_links, in_offsets, in_links, far=False):
        self.children = adjacency(out_offsets, out_links, far)
        self.parents = adjacency(in_offsets, in_links, far)
        self.out_offsets, self.out_links = out_offsets, out_links
        self.in_offsets, self.in_links = in_offsets, in_links

    def row(self, uint32_t page, bint backward):
        """The links of a page; if `backward`, its parents."""
        cdef const Adjacency *rows = &self.parents if backward else &self.children
        cdef uint64_t degree = degree_of(rows, page)
        cdef uint32_t[CHUNK] aside
        found = np.empty(degree, np.uint32)
        cdef uint32_t[::1] into = found
        if rows.offsets != NULL:
            links = self.in_links if backward else self.out_links
            return links[rows.offsets[page] : rows.offsets[page + 1]]
        if degree:
            decode_part(&rows.packed, page, 0, degree, &into[0], aside)
        return found

    def degrees(self, pages, bint backward):
        """The number of links per page; if `backward`, the number of parents."""
        cdef const Adjacency *rows = &self.parents if backward else &self.children
        cdef const uint32_t[::1] wanted = np.ascontiguousarray(pages, np.uint32)
        found = np.empty(wanted.shape[0], np.int64)
        cdef long long[::1] into = found
        cdef Py_ssize_t i
        for i in range(wanted.shape[0]):
            into[i] = degree_of(rows, wanted[i])
        return found

    def is_inward(self, const uint32_t[::1] sites, uint32_t page):
        """Whether a page has links or parents, all on its own site."""
        cdef Span row
        cdef size_t at, seen = 0
        cdef int backward
        for backward in range(2):
            row = links_of(&self.parents if backward else &self.children, page)
            seen += row.count
            for at in range(row.count):
                if sites[row.pages[at]] != sites[page]:
                    return False
        return seen > 0


cdef class PackedLinks(Links):
    """Both directions of a packed graph, and the lists that this thread has decoded.

    Each direction consists of an index, long entries and words (`packed.h`).
    """

    cdef readonly object held

    def __init__(self, outward, inward, pages, wide, Arena arena, far=False):
        self.children = packed_adjacency(packed_of(outward[0], outward[1], outward[2], wide), pages, &arena.children, far)
        self.parents = packed_adjacency(packed_of(inward[0], inward[1], inward[2], wide), pages, &arena.parents, far)
        self.arena = arena
        self.held = outward, inward
