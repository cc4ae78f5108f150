# Shared by _link_lines.pyx, _adjacency_lines.pyx and _name_lines.pyx.

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memchr, memcmp, memcpy

import numpy as np

from whatsrelated.kernels.reading.text import EXCERPT, REASONS, SHOWN

cdef enum:
    GOOD = -1
    NOTHING = -2      # a blank line, a comment, or a row that `where` excludes
    ONE_COLUMN = 0
    MIXED_COLUMNS
    EMPTY_NAME
    NUL_BYTE
    CONTROL
    INVALID_UTF8
    TOO_LONG
    NOT_A_NUMBER
    BROKEN_QUOTES
    KINDS
    MOST_COLUMNS = 256

assert KINDS == len(REASONS)

cdef struct Field:
    const uint8_t *text
    size_t size

cdef inline bint _blank(uint8_t byte) noexcept nogil:
    return byte == 32 or byte == 9

cdef inline bint _hex(uint8_t byte) noexcept nogil:
    return 48 <= byte <= 57 or 65 <= byte <= 70 or 97 <= byte <= 102

cdef inline void _strip(Field *field) noexcept nogil:
    while field.size and _blank(field.text[0]):
        field.text += 1
        field.size -= 1
    while field.size and _blank(field.text[field.size - 1]):
        field.size -= 1

cdef inline bint _is_comment(const uint8_t *text, size_t size) noexcept nogil:
    if not size:
        return False
    if text[0] == 35:  # "#"
        return True
    return text[0] == 37 and not (size > 2 and _hex(text[1]) and _hex(text[2]))  # "%", not "%C3"

cdef inline bint _number(const Field *field, uint64_t *value) noexcept nogil:
    """Whether the field is a plain decimal; writes its value."""
    cdef size_t i
    cdef uint64_t total = 0
    if field.size == 0 or field.size > 18 or (field.text[0] == 48 and field.size > 1):
        return False
    for i in range(field.size):
        if field.text[i] < 48 or field.text[i] > 57:
            return False
        total = total * 10 + (field.text[i] - 48)
    value[0] = total
    return True

cdef inline int _fault(const Field *name) noexcept nogil:
    """GOOD, or the reason for rejecting a name."""
    cdef const uint8_t *text = name.text
    cdef size_t i = 0, more, size = name.size
    cdef uint8_t byte, low, high
    cdef bint control = False, invalid = False
    while i < size:
        byte = text[i]
        i += 1
        if byte < 0x80:
            if byte < 0x20 or byte == 0x7F:
                if byte == 0:
                    return NUL_BYTE
                control = True
            continue
        if invalid:
            continue
        low, high, more = 0x80, 0xBF, 0
        if 0xC2 <= byte <= 0xDF:
            more = 1
        elif 0xE0 <= byte <= 0xEF:
            more = 2
            if byte == 0xE0:
                low = 0xA0
            elif byte == 0xED:
                high = 0x9F
        elif 0xF0 <= byte <= 0xF4:
            more = 3
            if byte == 0xF0:
                low = 0x90
            elif byte == 0xF4:
                high = 0x8F
        if more == 0 or i >= size or text[i] < low or text[i] > high:
            invalid = True
            continue
        i += 1
        more -= 1
        while more:
            if i >= size or (text[i] & 0xC0) != 0x80:
                invalid = True
                break
            i += 1
            more -= 1
    if control:
        return CONTROL
    return INVALID_UTF8 if invalid else GOOD


cdef class _Store:
    """A growing buffer, returned as an array without a copy.

    NumPy requests huge pages for large arrays, which makes lookups in the arena faster;
    growing in place would not.
    """

    cdef uint8_t[::1] held
    cdef uint8_t *data
    cdef size_t used
    cdef size_t room
    cdef size_t before          # capacity of the last batch

    def __cinit__(self):
        self.before = 65536
        self.clear()

    cdef void clear(self):
        self.held = None
        self.data = NULL
        self.before = max(self.before, self.room)
        self.used = 0
        self.room = 0

    cdef int reserve(self, size_t more) except -1:
        cdef size_t wanted = self.used + more
        cdef uint8_t[::1] larger
        if wanted <= self.room:
            return 0
        wanted = max(wanted, self.room + self.room // 2, self.before if not self.room else 0)
        larger = np.empty(wanted, np.uint8)
        if self.used:
            memcpy(&larger[0], self.data, self.used)
        self.held = larger
        self.data = &larger[0]
        self.room = wanted
        return 0

    cdef object take(self, kind):
        """The contents as an array of `kind`; empties the store."""
        if not self.used:
            self.clear()
            return np.empty(0, kind)
        taken = np.asarray(self.held)[:self.used].view(kind)
        self.clear()
        return taken


cdef class _Lines:
    """The position in the file, and the rejected lines."""

    cdef readonly size_t longest
    cdef public size_t line
    cdef readonly dict bad

    cdef int refuse(self, int reason, size_t line, const uint8_t *text, size_t size) except -1:
        count, shown = self.bad.get(reason, (0, []))
        if len(shown) < SHOWN:
            shown.append((line, text[:min(size, <size_t>EXCERPT)]))
        self.bad[reason] = (count + 1, shown)
        return 0

    cdef int refuse_at(
        self, int reason, const uint8_t *base, size_t size, size_t *start
    ) except -1:
        """Reject the line that begins at `start`, and continue after it."""
        cdef const uint8_t *end = <const uint8_t *>memchr(base + start[0], 10, size - start[0])
        self.refuse(reason, self.line, base + start[0], end - base - start[0])
        start[0] = end + 1 - base
        return 0


cdef class _Columns(_Lines):
    """Lines of a fixed number of columns."""

    cdef readonly int delimiter
    cdef readonly int columns
    cdef readonly int where
    cdef readonly bytes value
    cdef readonly size_t excluded   # rows without the value
    cdef const uint8_t *wanted
    cdef size_t wanted_size
    cdef bint rest_is_last      # NameLines: a name may contain blanks
    cdef _Store scratch         # quoted fields without their doubled quotes
    cdef Field fields[MOST_COLUMNS]

    def _set(self, int delimiter, int columns, int where, bytes value, size_t longest, size_t line):
        if not 0 < columns <= MOST_COLUMNS:
            raise ValueError(f"columns must be 1 to {MOST_COLUMNS}, got {columns}")
        self.delimiter = delimiter
        self.columns = columns
        self.where = where
        self.value = value
        self.wanted = self.value
        self.wanted_size = len(value)
        self.excluded = 0
        self.longest = longest
        self.line = line
        self.bad = {}
        self.scratch = _Store()
        if delimiter == 44 or delimiter == 59:
            self.scratch.reserve(longest)

    cdef int split(self, const uint8_t *text, size_t size) noexcept nogil:
        """Fill `fields` from a line; return GOOD, NOTHING or a reason."""
        cdef int found
        cdef Field whole
        if size > self.longest:
            return TOO_LONG
        if size and text[size - 1] == 13:
            size -= 1
        whole.text = text
        whole.size = size
        _strip(&whole)
        if not whole.size or _is_comment(text, size):
            return NOTHING
        if self.delimiter == 32:
            found = self.split_blanks(whole.text, whole.size)
        elif self.delimiter == 44 or self.delimiter == 59:
            found = self.split_quoted(text, size)
        else:
            found = self.split_plainly(text, size)
        if found < 0:
            return BROKEN_QUOTES
        if found != self.columns:
            return ONE_COLUMN if found == 1 else MIXED_COLUMNS
        if self.where >= 0 and (
            self.fields[self.where].size != self.wanted_size
            or memcmp(self.fields[self.where].text, self.wanted, self.wanted_size) != 0
        ):
            self.excluded += 1
            return NOTHING
        return GOOD

    cdef int split_plainly(self, const uint8_t *text, size_t size) noexcept nogil:
        cdef int found = 0
        cdef const uint8_t *end = text + size
        cdef const uint8_t *mark
        while found < MOST_COLUMNS:
            mark = <const uint8_t *>memchr(text, self.delimiter, end - text)
            self.fields[found].text = text
            self.fields[found].size = (end if mark == NULL else mark) - text
            _strip(&self.fields[found])
            found += 1
            if mark == NULL:
                return found
            text = mark + 1
        return found + 1

    cdef int split_blanks(self, const uint8_t *text, size_t size) noexcept nogil:
        cdef int found = 0
        cdef const uint8_t *end = text + size
        while text < end:
            if found == MOST_COLUMNS:
                return found + 1
            self.fields[found].text = text
            if self.rest_is_last and found == 1:
                text = end
            while text < end and not _blank(text[0]):
                text += 1
            self.fields[found].size = text - self.fields[found].text
            found += 1
            while text < end and _blank(text[0]):
                text += 1
        return found

    cdef int split_quoted(self, const uint8_t *text, size_t size) noexcept nogil:
        cdef int found = 0
        cdef const uint8_t *end = text + size
        cdef const uint8_t *mark
        cdef Field *field
        cdef bint doubled
        while True:
            if found == MOST_COLUMNS:
                return found + 1
            field = &self.fields[found]
            found += 1
            while text < end and _blank(text[0]):
                text += 1
            if text < end and text[0] == 34:
                text += 1
                field.text = text
                doubled = False
                while True:
                    text = <const uint8_t *>memchr(text, 34, end - text)
                    if text == NULL:
                        return -1
                    if text + 1 < end and text[1] == 34:
                        doubled = True
                        text += 2
                        continue
                    break
                field.size = text - field.text
                if doubled:
                    self.undouble(field)
                text += 1
                while text < end and _blank(text[0]):
                    text += 1
                if text == end:
                    return found
                if text[0] != self.delimiter:
                    return -1
                text += 1
            else:
                mark = <const uint8_t *>memchr(text, self.delimiter, end - text)
                field.text = text
                field.size = (end if mark == NULL else mark) - text
                _strip(field)
                if mark == NULL:
                    return found
                text = mark + 1

    cdef void undouble(self, Field *field) noexcept nogil:
        """Copy a field, replacing doubled quotes; the scratch has room for a line."""
        cdef uint8_t *copy = self.scratch.data + self.scratch.used
        cdef size_t i = 0, size = 0
        while i < field.size:
            copy[size] = field.text[i]
            size += 1
            i += 2 if field.text[i] == 34 else 1
        field.text = copy
        field.size = size
        self.scratch.used += size


cdef inline tuple _packed(_Store arena, _Store offsets):
    offsets.reserve(8)
    (<uint64_t *>(offsets.data + offsets.used))[0] = arena.used
    offsets.used += 8
    return arena.take(np.uint8), offsets.take(np.uint64)
