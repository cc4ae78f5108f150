# distutils: language=c++
# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""Links, templates and headings in wikitext: the compiled twin of `wikitext.py`."""

import numpy as np

from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memchr, memcmp, memcpy
from libcpp.vector cimport vector

from whatsrelated.kernels.reading.wikitext import OPAQUE

cdef enum:
    LINK = 0
    TEMPLATE = 1
    HEADING = 2
    OPEN = 0
    CLOSE = 1
    LINK_OPEN = 2
    LINK_CLOSE = 3
    HEAD = 4
    LONGEST_TARGET = 1024
    MARK = 0x7F
    MOST_NAMES = 32

cdef struct Event:
    int64_t kind, at, more

cdef struct Row:
    int64_t kind, start, end, label, stop, template, nested

cdef struct Opened:
    int64_t event, braces

cdef struct Level:
    int64_t template, base


cdef uint8_t ENDS_NAME[256]
"""Bit 1: ends a target; bit 2: ends the name of a template; bit 4: starts a token."""


cdef void _fill() noexcept:
    cdef int code
    for code in range(256):
        ENDS_NAME[code] = 0
    for code in b"|][{}<>\x7f":
        ENDS_NAME[code] = 3
    ENDS_NAME[10] = 1
    for code in b"[]{}=":
        ENDS_NAME[code] |= 4


_fill()


cdef inline uint8_t lower(uint8_t byte) noexcept nogil:
    return byte + 32 if 65 <= byte <= 90 else byte


cdef inline bint is_space(uint8_t byte) noexcept nogil:
    return byte == 32 or 9 <= byte <= 13


cdef bint starts(const uint8_t* text, int64_t size, const uint8_t* name, int64_t length) noexcept nogil:
    """Whether the text starts with this name, ignoring case."""
    cdef int64_t i
    if size < length:
        return False
    for i in range(length):
        if lower(text[i]) != name[i]:
            return False
    return True


cdef int64_t after_closing(
    const uint8_t* text, int64_t at, int64_t size, const uint8_t* name, int64_t length
) noexcept nogil:
    """The end of the next `</name>`; -1 if there is none."""
    cdef const uint8_t* found
    cdef int64_t i
    while at < size:
        found = <const uint8_t*>memchr(text + at, 60, size - at)
        if found == NULL:
            return -1
        at = found - text + 1
        if at < size and text[at] == 47 and starts(text + at + 1, size - at - 1, name, length):
            i = at + 1 + length
            while i < size and is_space(text[i]):
                i += 1
            if i < size and text[i] == 62:
                return i + 1
    return -1


cdef int64_t after_comment(const uint8_t* text, int64_t at, int64_t size) noexcept nogil:
    """The end of the comment whose text begins here."""
    cdef const uint8_t* found
    while at + 2 < size:
        found = <const uint8_t*>memchr(text + at, 45, size - at - 2)
        if found == NULL:
            return size
        at = found - text
        if text[at + 1] == 45 and text[at + 2] == 62:
            return at + 3
        at += 1
    return size


cdef int64_t after_element(
    const uint8_t* text, int64_t at, int64_t size, const uint8_t* name, int64_t length
) noexcept nogil:
    """The end of the element whose start tag continues here, after its name; -1 if it is never
    closed.
    """
    cdef const uint8_t* found = <const uint8_t*>memchr(text + at, 62, size - at)
    if found == NULL:
        return -1
    if (found - 1)[0] == 47:
        return found - text + 1
    return after_closing(text, found - text, size, name, length)


def clean(bytes text, bytes hidden):
    """The text without comments and without the contents of opaque tags."""
    cdef list names = [hidden, *(name.encode() for name in OPAQUE)]
    cdef const uint8_t* tags[MOST_NAMES]
    cdef int64_t lengths[MOST_NAMES]
    cdef bint unclosed[MOST_NAMES]
    cdef int64_t count = len(names), size = len(text), at = 0, done = 0, used = 0, end, name
    cdef const uint8_t* raw = text
    cdef const uint8_t* found
    cdef uint8_t byte
    if count > MOST_NAMES:
        raise ValueError("too many tags")
    for name in range(count):
        tags[name] = <bytes>names[name]
        lengths[name] = len(names[name])
        unclosed[name] = False
    room = np.empty(size + 1, np.uint8)
    cdef uint8_t[::1] into = room
    with nogil:
        while at < size:
            found = <const uint8_t*>memchr(raw + at, 60, size - at)
            if found == NULL:
                break
            at = found - raw + 1
            if size - at >= 3 and memcmp(raw + at, b"!--", 3) == 0:
                memcpy(&into[used], raw + done, at - 1 - done)
                used += at - 1 - done
                done = at = after_comment(raw, at + 3, size)
                continue
            for name in range(count):
                if not starts(raw + at, size - at, tags[name], lengths[name]):
                    continue
                if at + lengths[name] >= size:
                    continue
                byte = raw[at + lengths[name]]
                if not (is_space(byte) or byte == 47 or byte == 62):
                    continue
                if unclosed[name]:
                    break
                end = after_element(raw, at + lengths[name], size, tags[name], lengths[name])
                if end < 0:
                    unclosed[name] = True
                    break
                memcpy(&into[used], raw + done, at - 1 - done)
                used += at - 1 - done
                into[used] = MARK
                used += 1
                done = at = end
                break
        memcpy(&into[used], raw + done, size - done)
        used += size - done
    return room[:used].tobytes()


cdef int64_t target_end(const uint8_t* text, int64_t at, int64_t size) noexcept nogil:
    """The end of the target that begins here; -1 if there is none."""
    cdef int64_t end = at, limit = size if size - at < LONGEST_TARGET else at + LONGEST_TARGET
    while end < limit and not ENDS_NAME[text[end]] & 1:
        end += 1
    if end == at or end >= size:
        return -1
    if text[end] == 124 or (end + 1 < size and text[end] == 93 and text[end + 1] == 93):
        return end
    return -1


cdef int64_t heading(const uint8_t* text, int64_t at, int64_t size, int64_t* end) noexcept nogil:
    """The level of the heading on the line that begins here, and the end of its text; 0 if it is
    not a heading.
    """
    cdef const uint8_t* found = <const uint8_t*>memchr(text + at, 10, size - at)
    cdef int64_t stop = found - text if found != NULL else size, before = 0, after = 0, level
    while stop > at and (
        text[stop - 1] == 32 or text[stop - 1] == 9 or text[stop - 1] == 13 or text[stop - 1] == MARK
    ):
        stop -= 1
    while at + before < stop and text[at + before] == 61:
        before += 1
    while stop - after > at and text[stop - after - 1] == 61:
        after += 1
    level = min(before, after)
    if at + before == stop:
        level = (before - 1) // 2
    level = min(level, 6)
    end[0] = stop - level
    return level


cdef int find_events(const uint8_t* text, int64_t size, vector[Event]& events) except -1 nogil:
    """Find where braces, links and headings open and close, in order; see the twin."""
    cdef vector[Opened] opened
    cdef int64_t at = 0, first, run, level, end = 0, place, braces, taken, twos
    cdef uint8_t byte
    while at < size:
        byte = text[at]
        if not ENDS_NAME[byte] & 4:
            at += 1
            continue
        first = at
        if byte == 61:
            if at == 0 or text[at - 1] == 10:
                level = heading(text, at, size, &end)
                if level > 0:
                    events.push_back(Event(HEAD, at + level, end << 3 | level))
            at += 1
            continue
        while at < size and text[at] == byte:
            at += 1
        run = at - first
        if run < 2:
            continue
        place = first
        if byte == 91:
            events.push_back(Event(LINK_OPEN, at, 0))
        elif byte == 93:
            while run >= 2:
                events.push_back(Event(LINK_CLOSE, place, 0))
                place += 2
                run -= 2
        elif byte == 123:
            twos = (3 - run % 3) % 3
            while run > 0:
                braces = 2 if twos > 0 else 3
                twos -= 1
                place += braces
                run -= braces
                opened.push_back(Opened(events.size(), braces))
                events.push_back(Event(OPEN, place, 0))
        else:
            while run >= 2 and opened.size():
                braces = opened.back().braces
                events[opened.back().event].more = place if braces == 2 else -1
                opened.pop_back()
                events.push_back(Event(CLOSE, place, 0))
                taken = min(braces, run)
                place += taken
                run -= taken
    return 0


cdef int find_rows(
    const uint8_t* text, int64_t size, const vector[Event]& events, vector[Row]& rows,
    vector[bint]& closed,
) except -1 nogil:
    """Find the rows of links, templates and headings, and which of them are closed."""
    cdef vector[Level] levels
    cdef vector[int64_t] links
    cdef int64_t template = -1, base = 0, end, label, row
    cdef size_t i
    cdef Event event
    for i in range(events.size()):
        event = events[i]
        if event.kind == OPEN:
            if event.more == 0:
                continue
            levels.push_back(Level(template, base))
            base = links.size()
            if event.more > 0:
                end = event.at
                while end < size and not ENDS_NAME[text[end]] & 2:
                    end += 1
                rows.push_back(Row(TEMPLATE, event.at, end, end, event.more, template, 0))
                closed.push_back(True)
                template = rows.size() - 1
        elif event.kind == CLOSE:
            links.resize(base)
            template = levels.back().template
            base = levels.back().base
            levels.pop_back()
        elif event.kind == LINK_OPEN:
            end = target_end(text, event.at, size)
            if end < 0:
                links.push_back(-1)
                continue
            if <int64_t>links.size() > base and links.back() >= 0:
                rows[links.back()].nested = 1
            label = end + 1 if text[end] == 124 else end
            rows.push_back(Row(LINK, event.at, end, label, label, template, 0))
            closed.push_back(False)
            links.push_back(rows.size() - 1)
        elif event.kind == LINK_CLOSE:
            if <int64_t>links.size() > base:
                row = links.back()
                links.pop_back()
                if row >= 0:
                    closed[row] = True
                    rows[row].stop = max(event.at, rows[row].label)
        else:
            rows.push_back(
                Row(HEADING, event.at, event.more >> 3, event.more & 7, event.more & 7, template, 0)
            )
            closed.push_back(True)
    return 0


def scan(bytes text):
    """The rows of a cleaned text, in order; see `LINK`."""
    cdef const uint8_t* raw = text
    cdef int64_t size = len(text), kept = 0
    cdef vector[Event] events
    cdef vector[Row] rows
    cdef vector[bint] closed
    cdef vector[int64_t] places
    cdef size_t i
    with nogil:
        find_events(raw, size, events)
        find_rows(raw, size, events, rows, closed)
        places.resize(rows.size())
        for i in range(rows.size()):
            places[i] = kept
            kept += closed[i]
    found = np.empty((kept, 7), np.int64)
    cdef int64_t[:, ::1] into = found
    for i in range(rows.size()):
        if closed[i]:
            if rows[i].template >= 0:
                rows[i].template = places[rows[i].template]
            memcpy(&into[places[i], 0], &rows[i], 7 * sizeof(int64_t))
    return found
