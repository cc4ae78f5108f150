# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""One page and its links per line, all numbers: the compiled twin of `adjacency_lines.py`."""

include "text.pxi"


cdef class RowLines(_Lines):
    """One page and its links per line: `id: t1 t2 … -1`, or bare rows, numbered in order."""

    cdef readonly bint bare
    cdef readonly size_t memory
    cdef readonly size_t rows
    cdef readonly bint full
    cdef readonly size_t links
    cdef _Store sources
    cdef _Store targets

    def __init__(
        self,
        bint bare,
        size_t longest=1 << 28,
        size_t memory=1 << 30,
        size_t line=0,
        size_t rows=0,
    ):
        self.bare = bare
        self.longest = longest
        self.memory = memory
        self.line = line
        self.rows = rows
        self.bad = {}
        self.full = False
        self.links = 0
        self.sources, self.targets = _Store(), _Store()

    def feed(self, const uint8_t[::1] data, size_t start):
        """Read from `start`.

        Return the position reached: the end, or less if out of room (`full`).
        """
        cdef const uint8_t *base = &data[0] if data.shape[0] else NULL
        cdef const uint8_t *end
        cdef size_t size = data.shape[0], most
        cdef int reason
        while start < size:
            if self.links and 16 * self.links >= self.memory:
                self.full = True
                break
            end = <const uint8_t *>memchr(base + start, 10, size - start)
            most = (end - base - start) // 2 + 1
            self.sources.reserve(8 * most)
            self.targets.reserve(8 * most)
            with nogil:
                reason = self.read_rows(base, size, &start)
            if reason != GOOD:
                self.refuse_at(reason, base, size, &start)
        return start

    cdef int read_rows(self, const uint8_t *base, size_t size, size_t *start) noexcept nogil:
        """Read rows while there is room; return GOOD or the reason the next row is bad."""
        cdef const uint8_t *text = base + start[0]
        cdef const uint8_t *end = base + size
        cdef const uint8_t *stop
        cdef int reason = GOOD
        cdef size_t before
        while text < end:
            stop = <const uint8_t *>memchr(text, 10, end - text)
            if (
                self.sources.used + 8 * (<size_t>(stop - text) // 2 + 1) > self.sources.room
                or self.links and 16 * self.links >= self.memory
            ):
                break
            self.line += 1
            before = self.links
            reason = self.row(text, stop - text)
            if reason != GOOD:
                self.links = before
                break
            self.sources.used = 8 * self.links
            self.targets.used = 8 * self.links
            text = stop + 1
        start[0] = text - base
        return reason

    cdef int row(self, const uint8_t *text, size_t size) noexcept nogil:
        cdef uint64_t *sources = <uint64_t *>self.sources.data
        cdef uint64_t *targets = <uint64_t *>self.targets.data
        cdef uint64_t page = self.rows, link = 0
        cdef const uint8_t *end
        cdef size_t before = self.links
        cdef Field field
        if size and (text[0] == 35 or text[0] == 37):
            return GOOD
        self.rows += self.bare
        if size > self.longest:
            return TOO_LONG
        if size and text[size - 1] == 13:
            size -= 1
        field.text = text
        field.size = size
        _strip(&field)
        text = field.text
        end = text + field.size
        if not self.bare:
            if text == end:
                return GOOD
            if field.size > 4 and memcmp(text, <const char *>b"row ", 4) == 0:
                text += 4
                while text < end and _blank(text[0]):
                    text += 1
            field.text = text
            while text < end and text[0] != 58:
                text += 1
            field.size = text - field.text
            if text == end or not _number(&field, &page):
                return NOT_A_NUMBER
            text += 1
        while True:
            while text < end and _blank(text[0]):
                text += 1
            if text == end:
                break
            field.text = text
            while text < end and not _blank(text[0]):
                text += 1
            field.size = text - field.text
            if not _number(&field, &link):
                if field.size == 2 and text == end and memcmp(
                    field.text, <const char *>b"-1", 2
                ) == 0:
                    break
                return NOT_A_NUMBER
            sources[self.links] = page
            targets[self.links] = link
            self.links += 1
        if not self.bare:
            if page == self.rows:
                self.rows += 1
            elif self.links == before:
                sources[self.links] = page
                targets[self.links] = page
                self.links += 1
        return GOOD

    def take(self):
        """The links read since the last call: sources and targets."""
        self.full = False
        self.links = 0
        return self.sources.take(np.uint64), self.targets.take(np.uint64)
