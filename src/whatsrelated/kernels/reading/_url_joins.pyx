# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""Resolve plain links against their page's URL: the compiled twin of `url_joins.py`."""

from cpython.unicode cimport PyUnicode_DecodeASCII
from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy

cdef extern from "Python.h":
    const char* PyUnicode_AsUTF8AndSize(object, Py_ssize_t*) except NULL

cdef enum:
    IN_PATH = 1
    IN_QUERY = 2
    IN_FRAGMENT = 4
    IN_HOST = 8
    HERE = 512  # bytes on the stack; longer URLs are allocated

cdef uint8_t KIND[256]
for _byte in range(256):
    _kind = 0
    _char = chr(_byte)
    if _byte < 128 and (_char.isalnum() or _char in "._~!$&()*+,;=@/-:%"):
        _kind |= IN_PATH | IN_QUERY | IN_FRAGMENT
    if _char == "'":
        _kind |= IN_PATH | IN_FRAGMENT
    if _char == "?":
        _kind |= IN_QUERY | IN_FRAGMENT
    if _byte < 128 and (_char.islower() or _char.isdigit() or _char in "_-"):
        _kind |= IN_HOST
    KIND[_byte] = _kind


cdef int64_t host_end(const uint8_t* text, int64_t at, int64_t size) noexcept nogil:
    """The end of the plain host at `at`; 0 if it is not plain."""
    cdef int64_t label = at
    while True:
        if size - at >= 4 and memcmp(text + at, b"xn--", 4) == 0:
            return 0
        while at < size and KIND[text[at]] & IN_HOST:
            at += 1
        if at == label:
            return 0
        if at == size or text[at] != c".":
            break
        at += 1
        label = at
    return at if 97 <= text[label] <= 122 and (at == size or text[at] == c"/") else 0


cdef int64_t path_end(const uint8_t* text, int64_t at, int64_t size, bint relative) noexcept nogil:
    """The end of the path at `at`; -1 if it, the query or the fragment is not plain.

    The first segment of a relative path must not have a colon.
    """
    cdef int64_t end, i
    cdef bint colon_allowed = not relative
    while at < size and KIND[text[at]] & IN_PATH:
        if text[at] == c"%" and at + 2 < size and text[at + 1] == c"2" and text[at + 2] | 32 == c"e":
            return -1
        if text[at] == c"/":
            colon_allowed = True
        elif text[at] == c":" and not colon_allowed:
            return -1
        at += 1
    end = at
    if at < size and text[at] == c"?":
        while at < size and KIND[text[at]] & IN_QUERY:
            at += 1
    if at < size and text[at] == c"#":
        at += 1
        while at < size and KIND[text[at]] & IN_FRAGMENT:
            at += 1
    return end if at == size else -1


cdef int64_t append_path(uint8_t* into, int64_t at, int64_t root, const uint8_t* path,
                         int64_t size) noexcept nogil:
    """Append a path to `into[:at]`, which ends with a slash, and resolve its dot segments."""
    cdef int64_t i = 0, first
    while i < size:
        first = i
        while i < size and path[i] != c"/":
            i += 1
        if i - first == 1 and path[first] == c".":
            pass
        elif i - first == 2 and path[first] == c"." and path[first + 1] == c".":
            if at > root:
                at -= 1
                while into[at - 1] != c"/":
                    at -= 1
        else:
            memcpy(into + at, path + first, i - first)
            at += i - first
            if i < size:
                into[at] = c"/"
                at += 1
        i += 1
    return at


cdef const uint8_t* ascii_of(str text, Py_ssize_t* size):
    """The characters of a string and their number; NULL if they are not all ASCII."""
    cdef const char* found
    try:
        found = PyUnicode_AsUTF8AndSize(text, size)
    except UnicodeEncodeError:  # a lone surrogate
        return NULL
    return <const uint8_t*>found if size[0] == len(text) else NULL


cdef class Base:
    """A page's URL in WHATWG form, prepared for resolving plain links."""

    cdef bytes url
    cdef int64_t top      # length of the origin with its slash; 0: not a web page
    cdef int64_t scheme   # length of the scheme with its colon
    cdef int64_t folder   # length of the folder's URL
    cdef int64_t path     # length of the URL without query and fragment
    cdef int64_t longest

    def __init__(self, str url, int64_t longest):
        cdef int64_t at, size
        self.longest = longest
        self.url = url.encode("ascii", "replace") if url.isascii() else b""
        size = len(self.url)
        cdef const uint8_t* text = self.url
        if size > 7 and memcmp(text, b"http://", 7) == 0:
            self.scheme = 5
        elif size > 8 and memcmp(text, b"https://", 8) == 0:
            self.scheme = 6
        else:
            return
        at = self.scheme + 2
        while at < size and text[at] != c"/":
            at += 1
        if at == self.scheme + 2 or at == size:
            return
        self.top = at + 1
        while at < size and text[at] != c"?" and text[at] != c"#":
            if text[at] == c"/":
                self.folder = at + 1
            at += 1
        self.path = at

    def join(self, str href):
        """The link as an absolute URL; None if it is not plain and needs the full parser."""
        cdef Py_ssize_t size = 0
        cdef int64_t begin = 0, end, at, host
        cdef uint8_t here[HERE]
        cdef uint8_t* into = here
        cdef const uint8_t* base = self.url
        cdef const uint8_t* text
        text = ascii_of(href, &size) if self.top else NULL
        if text == NULL or size == 0 or size > self.longest:
            return None
        # 1. Find how much of the base to keep, and where the link's path begins.
        if text[0] == c"/":
            if size > 1 and text[1] == c"/":
                at = self.scheme
                host = 2
            else:
                at = self.top
                begin = 1
                host = 0
        elif size > 7 and memcmp(text, b"http", 4) == 0 and (
                memcmp(text + 4, b"://", 3) == 0 or memcmp(text + 4, b"s://", 4) == 0):
            at = 0
            host = 7 if text[4] == c":" else 8
        else:
            at = self.path if text[0] == c"?" else self.folder
            host = 0
        if host:
            begin = host_end(text, host, size)
            if begin == 0:
                return None
            end = path_end(text, begin, size, False)
        else:
            end = path_end(text, begin, size, begin == 0)
        if end < 0 or text[0] == c"#":
            return None
        # 2. Put them together.
        if at + size + 2 > HERE:
            into = <uint8_t*>malloc(at + size + 2)
            if into == NULL:
                raise MemoryError
        memcpy(into, base, at)
        if host:
            memcpy(into + at, text, begin)
            at += begin
            into[at] = c"/"
            at += 1
            begin += begin < size
            at = append_path(into, at, at, text + begin, end - begin)
        else:
            at = append_path(into, at, self.top, text + begin, end - begin)
        memcpy(into + at, text + end, size - end)
        at += size - end
        try:
            return PyUnicode_DecodeASCII(<const char*>into, at, NULL)
        finally:
            if into != here:
                free(into)
