# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""The scores that a PageSim source hands out over one and two links.

Pages and their links are numbered in order of appearance and kept from source to source,
since most sources of a page link to the same pages.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.stdlib cimport free

from whatsrelated.kernels.shared._links cimport (
    Span, degree_of, links_of, prefetch_degree, prefetch_links
)
from whatsrelated.kernels.shared._memory cimport FAR, LARGE_PAGES, NEAR, PREFETCH, grow
from whatsrelated.kernels.shared._number_table cimport (
    clear, free_numbering, insert, prefetch_slot, reserve, slot_of
)


cdef class Neighbours:
    """The pages met, by local numbers, and their links."""

    def __dealloc__(self):
        free_numbering(&self.pages)
        free(self.locals)
        free(self.rows)
        free(self.touched)

    cdef int forget(self, size_t expected) except -1 nogil:
        """Forget the last query; `expected` is an estimate of the number of pages to come."""
        self.n_rows = self.n_touched = 0
        clear(&self.pages)
        return reserve(&self.pages, expected)

    cdef int64_t number(self, uint32_t page) except -1 nogil:
        """The local number of a page, assigned if needed."""
        cdef uint32_t *slot = slot_of(&self.pages, page)
        cdef size_t number = <size_t>slot[0] - 1
        cdef uint32_t degree
        if not slot[0]:
            number = insert(&self.pages, slot, page)
            if number >= self.room:
                grow(<void**>&self.touched, &self.room_touched, number + 2, sizeof(uint32_t))
                grow(<void**>&self.locals, &self.room, number + 1, sizeof(Local))
                LARGE_PAGES(self.locals, self.room * sizeof(Local))
            degree = <uint32_t>degree_of(&self.children, page)
            self.locals[number] = Local(0, 0, 0, degree, -1, degree)
        return <int64_t>number

    cdef int64_t local_of(self, uint32_t page) noexcept nogil:
        """The local number of a page that is already numbered."""
        return <int64_t>slot_of(&self.pages, page)[0] - 1

    cdef int read_row(self, int64_t local) except -1 nogil:
        """Number the links of a page, unless that was done before."""
        cdef Span row
        cdef size_t j
        if self.locals[local].row >= 0:
            return 0
        row = links_of(&self.children, self.pages.keys[local])
        grow(<void**>&self.rows, &self.room_rows, self.n_rows + row.count, sizeof(uint32_t))
        self.locals[local].row = <int32_t>self.n_rows
        self.read += row.count
        for j in range(row.count):
            if j + FAR < row.count:
                prefetch_slot(&self.pages, row.pages[j + FAR])
                prefetch_degree(&self.children, row.pages[j + FAR])
            self.rows[self.n_rows] = <uint32_t>self.number(row.pages[j])
            self.n_rows += 1
        return 0

    cdef int64_t read_source(self, uint32_t page) except -1 nogil:
        """Read the links of a source and of its children; return its local number."""
        cdef int64_t j, end, source = self.number(page)
        self.read_row(source)
        end = self.locals[source].row + self.locals[source].degree
        if self.radius > 1:
            for j in range(self.locals[source].row, end):
                if j + NEAR < end:
                    prefetch_links(&self.children, self.pages.keys[self.rows[j + NEAR]])
                self.read_row(self.rows[j])
        return source

    cdef void follow_second(self, int64_t source, double first) noexcept nogil:
        """Hand shares to the pages two links from the source.

        Each link of the source gets `first`.
        """
        cdef Local* locals = self.locals
        cdef uint32_t* rows = self.rows
        cdef uint32_t* touched = self.touched
        cdef int64_t i, j, n = 0, end = locals[source].row + locals[source].degree
        cdef Local* child
        cdef Local* local
        cdef double share
        for i in range(locals[source].row, end):
            if i + FAR < end:
                PREFETCH(&locals[rows[i + FAR]])
            if i + NEAR < end:
                PREFETCH(&rows[locals[rows[i + NEAR]].row])
            child = &locals[rows[i]]
            if child.kept == 0:
                continue
            share = first / child.degree
            self.read += child.kept
            for j in range(child.row, child.row + child.kept):
                local = &locals[rows[j]]
                touched[n] = rows[j]
                n += local.near == 0
                local.near += share
        locals[source].near = 0
        self.n_touched = n

    cdef void follow_first(self, int64_t source, double first) noexcept nogil:
        cdef int64_t i, row = self.locals[source].row
        for i in range(row, row + self.locals[source].kept):
            self.touched[self.n_touched] = self.rows[i]
            self.n_touched += self.locals[self.rows[i]].near == 0
            self.locals[self.rows[i]].near += first
