# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""One name per line: the compiled twin of `name_lines.py`."""

include "text.pxi"

cdef enum:
    BLOCK = 64  # lines processed at a time


cdef class NameLines(_Columns):
    """One name per line; other columns may hold its number and title (-1 if there is no such
    column).
    """

    cdef readonly int number
    cdef readonly int name
    cdef readonly int title
    cdef _Store arena
    cdef _Store offsets
    cdef _Store titles
    cdef _Store title_offsets
    cdef _Store numbers

    def __init__(
        self,
        int delimiter,
        int columns,
        int number,
        int name,
        int title=-1,
        size_t longest=1 << 20,
        size_t line=0,
    ):
        self._set(delimiter, columns, -1, b"", longest, line)
        self.number = number
        self.name = name
        self.title = title
        self.rest_is_last = columns == 2
        self.arena, self.offsets, self.numbers = _Store(), _Store(), _Store()
        self.titles, self.title_offsets = _Store(), _Store()

    def feed(self, const uint8_t[::1] data, size_t start):
        """Read from `start` to the end."""
        cdef const uint8_t *base = &data[0] if data.shape[0] else NULL
        cdef size_t size = data.shape[0]
        cdef int reason
        self.arena.reserve(size - start)
        self.titles.reserve(size - start)
        while start < size:
            self.offsets.reserve(8 * BLOCK)
            self.title_offsets.reserve(8 * BLOCK)
            self.numbers.reserve(8 * BLOCK)
            with nogil:
                reason = self.read_names(base, size, &start)
            if reason != GOOD:
                self.refuse_at(reason, base, size, &start)
        return start

    cdef int read_names(self, const uint8_t *base, size_t size, size_t *start) noexcept nogil:
        """Read up to a block of names; return GOOD or the reason the next line is bad."""
        cdef const uint8_t *text = base + start[0]
        cdef const uint8_t *end = base + size
        cdef const uint8_t *stop
        cdef int reason = GOOD, count = 0
        while text < end and count < BLOCK:
            stop = <const uint8_t *>memchr(text, 10, end - text)
            self.line += 1
            count += 1
            self.scratch.used = 0
            reason = self.add(text, stop - text)
            if reason != GOOD:
                if self.number < 0:
                    (<uint64_t *>(self.offsets.data + self.offsets.used))[0] = self.arena.used
                    self.offsets.used += 8
                break
            text = stop + 1
        start[0] = text - base
        return reason

    cdef int add(self, const uint8_t *text, size_t size) noexcept nogil:
        cdef int reason = GOOD
        cdef uint64_t number = 0
        cdef Field *name
        if self.number < 0:
            if size > self.longest:
                return TOO_LONG
            if size and text[size - 1] == 13:
                size -= 1
            name = &self.fields[0]
            name.text = text
            name.size = size
            _strip(name)
        else:
            reason = self.split(text, size)
            if reason != GOOD:
                return GOOD if reason == NOTHING else reason
            name = &self.fields[self.name]
            if not _number(&self.fields[self.number], &number):
                return NOT_A_NUMBER
            if not name.size:
                return EMPTY_NAME
        reason = _fault(name)
        if reason != GOOD:
            return reason
        self.put(name, self.arena, self.offsets)
        if self.number >= 0:
            (<uint64_t *>(self.numbers.data + self.numbers.used))[0] = number
            self.numbers.used += 8
        if self.title >= 0:
            name = &self.fields[self.title]
            if _fault(name) != GOOD:
                name.size = 0
            self.put(name, self.titles, self.title_offsets)
        return GOOD

    cdef void put(self, const Field *field, _Store arena, _Store offsets) noexcept nogil:
        (<uint64_t *>(offsets.data + offsets.used))[0] = arena.used
        offsets.used += 8
        memcpy(arena.data + arena.used, field.text, field.size)
        arena.used += field.size

    def take(self):
        """The bytes and offsets of the names and of the titles, and the numbers."""
        return (
            *_packed(self.arena, self.offsets),
            *_packed(self.titles, self.title_offsets),
            self.numbers.take(np.uint64),
        )


cdef inline bint _ends_with_www(const uint8_t *first, const uint8_t *last) noexcept nogil:
    """Whether a reversed host ends with `.www` and has two more labels."""
    if last - first < 4 or memcmp(last - 4, <const char *>b".www", 4) != 0:
        return False
    return memchr(first, 46, last - 4 - first) != NULL


def restore_hosts(const uint8_t[::1] blob, const uint64_t[::1] offsets, bint fold_www):
    """Reversed hosts (`com.example.www`) as URLs (`http://www.example.com/`).

    With `fold_www` the last label is dropped if it is `www` and leaves two others.
    """
    cdef size_t count = offsets.shape[0] - 1, i
    cdef _Store arena = _Store(), ends = _Store()
    cdef const uint8_t *base = &blob[0] if blob.shape[0] else NULL
    cdef const uint8_t *first
    cdef const uint8_t *last
    cdef const uint8_t *label
    cdef uint8_t *out
    arena.reserve(blob.shape[0] + 8 * count + 1)
    ends.reserve(8 * (count + 1))
    with nogil:
        for i in range(count):
            (<uint64_t *>ends.data)[i] = arena.used
            if offsets[i] == offsets[i + 1]:
                continue
            first = base + offsets[i]
            last = base + offsets[i + 1]
            if fold_www and _ends_with_www(first, last):
                last -= 4
            out = arena.data + arena.used
            memcpy(out, <const char *>b"http://", 7)
            out += 7
            while True:
                label = last
                while label > first and (label - 1)[0] != 46:
                    label -= 1
                memcpy(out, label, last - label)
                out += last - label
                if label == first:
                    break
                out[0] = 46
                out += 1
                last = label - 1
            out[0] = 47
            arena.used = out + 1 - arena.data
    ends.used = 8 * count
    return _packed(arena, ends)
