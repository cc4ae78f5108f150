# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""How much names are spelt alike: cosines of their trigrams.

A name is compared by its path, between two slashes, in lower case and without
the ending of a file; a host in front is left out, with http:// or without.  A trigram weighs ln(names / names that have it) over the
slashes after its first letter; of one that comes twice, the last counts.
"""

from libc.math cimport log, sqrt
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcmp

import numpy as np

from whatsrelated.kernels._memory cimport claimed, mixed

cdef enum:
    NUMBER = 6
    PORT = 5
    LAST_SCHEME = 4
    LONGEST_ENDING = 5


cdef struct Trigram:
    uint32_t letters  # and 1 << 24 where the place is taken
    uint32_t having
    uint32_t owner  # the last name that has it, from 1
    uint32_t entry  # and where it stands among the trigrams of that name
    double asked  # its weight in the first name


cdef struct Entry:
    uint32_t place
    uint32_t after


cdef int64_t path_of(const uint8_t* key, int64_t size, uint8_t* path) noexcept nogil:
    """Write what is compared of the name with this sort key; how long it is."""
    cdef int64_t begin = 0, end = size, at, written = 1
    cdef uint8_t letter
    if size and key[0] == NUMBER:
        return 0
    if size and 1 <= key[size - 1] <= LAST_SCHEME:
        while begin < size and key[begin] != c")":
            begin += 1
        begin += 1
        end = begin
        while end < size - 1 and key[end] != PORT:
            end += 1
    else:
        begin = host_before(key, size)
    while begin < end and key[begin] == c"/":
        begin += 1
    while begin < end and key[end - 1] == c"/":
        end -= 1
    path[0] = c"/"
    for at in range(begin, end):
        letter = key[at]
        path[written] = letter + 32 if c"A" <= letter <= c"Z" else letter
        written += 1
    at = written - 1
    while at > 0 and at >= written - LONGEST_ENDING and is_word(path[at]):
        at -= 1
    if 1 < at < written - 1 and path[at] == c".":
        written = at
    path[written] = c"/"
    return written + 1


cdef int64_t host_before(const uint8_t* name, int64_t size) noexcept nogil:
    """How long the host is that a plain name begins with; 0 where it begins with none.

    Small letters, digits and hyphens between dots, letters only after the last; no page of HTML.
    """
    cdef int64_t at = 0, dot = -1, i
    while at < size and name[at] != c"/":
        if name[at] == c".":
            if at == dot + 1:
                return 0
            dot = at
        elif name[at] != c"-" and not (is_word(name[at]) and name[at] != c"_"):
            return 0
        at += 1
    if dot < 1 or at - dot < 3 or ends_with(name, at, b".htm", 4) or ends_with(name, at, b".html", 5):
        return 0
    for i in range(dot + 1, at):
        if not c"a" <= name[i] <= c"z":
            return 0
    return at


cdef inline bint ends_with(
    const uint8_t* name, int64_t size, const char* ending, int64_t length
) noexcept nogil:
    return size > length and memcmp(name + size - length, ending, length) == 0


cdef inline bint is_word(uint8_t letter) noexcept nogil:
    return c"a" <= letter <= c"z" or c"0" <= letter <= c"9" or letter == c"_"


def cosines(const uint8_t[::1] text, const uint64_t[::1] ends):
    """How much each name is spelt like the first, from 0 to 1; names are packed sort keys."""
    cdef int64_t names = ends.shape[0] - 1, room = 16, name, size, at, i
    cdef uint32_t letters, place, after, entries = 0
    cdef double weight, product, length, own = 0
    alike = np.zeros(max(names, 0))
    if names < 2 or not text.shape[0]:
        return alike
    while room < 2 * (text.shape[0] + 2 * names):
        room *= 2
    cdef double[::1] out = alike
    cdef uint8_t* path = NULL
    cdef Trigram* trigrams = NULL
    cdef Entry* listed = NULL
    cdef uint32_t* starts = NULL
    try:
        path = <uint8_t*>claimed(text.shape[0] + 2, 1)
        trigrams = <Trigram*>claimed(room, sizeof(Trigram))
        listed = <Entry*>claimed(text.shape[0] + 2 * names, sizeof(Entry))
        starts = <uint32_t*>claimed(names + 1, sizeof(uint32_t))
        with nogil:
            for name in range(names):
                starts[name] = entries
                size = path_of(&text[0] + ends[name], ends[name + 1] - ends[name], path)
                after = 0
                for i in range(size):
                    after += path[i] == c"/"
                for at in range(size - 2):
                    after -= path[at] == c"/"
                    letters = 1 << 24 | path[at] << 16 | path[at + 1] << 8 | path[at + 2]
                    place = mixed(letters) & <uint32_t>(room - 1)
                    while trigrams[place].letters and trigrams[place].letters != letters:
                        place = (place + 1) & <uint32_t>(room - 1)
                    if trigrams[place].owner != name + 1:
                        trigrams[place].letters = letters
                        trigrams[place].owner = name + 1
                        trigrams[place].having += 1
                        trigrams[place].entry = entries
                        listed[entries].place = place
                        entries += 1
                    listed[trigrams[place].entry].after = after
            starts[names] = entries
            for name in range(names):
                product = length = 0
                for i in range(starts[name], starts[name + 1]):
                    place = listed[i].place
                    weight = log(<double>names / trigrams[place].having) / listed[i].after
                    if name == 0:
                        trigrams[place].asked = weight
                    product += weight * trigrams[place].asked
                    length += weight * weight
                if name == 0:
                    own = length
                if product > 0:
                    out[name] = product / sqrt(own * length)
        return alike
    finally:
        free(path)
        free(trigrams)
        free(listed)
        free(starts)
