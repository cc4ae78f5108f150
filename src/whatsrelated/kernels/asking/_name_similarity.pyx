# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""How much names are spelt alike: cosines of their trigrams.

A name is compared by its path, between two slashes, in lower case and without
the ending of a file; a host in front is left out, with http:// or without.  A trigram weighs
ln(names / names that have it) over the slashes after its first letter; of one
that comes twice, the last counts.
"""

from libc.math cimport log, sqrt
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memset

import numpy as np

from whatsrelated.kernels.shared._memory cimport allocate
from whatsrelated.kernels.shared._number_table cimport Numbering, free_numbering, number_of, reserve

cdef enum:
    NUMBER = 6
    PORT = 5
    LAST_SCHEME = 4
    LONGEST_ENDING = 5


cdef struct Trigram:
    uint32_t having  # so many names
    uint32_t owner  # the last of them, from 1
    uint32_t entry  # and where it stands among the trigrams of that name
    double asked  # its weight in the first name


cdef struct Entry:
    uint32_t trigram
    uint32_t after


cdef struct Trigrams:  # of all names
    Numbering numbers  # by their letters
    Trigram *trigrams
    Entry *entries
    uint32_t *starts  # the entries of each name
    uint8_t *path  # of the name at hand


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
    cdef int64_t names = ends.shape[0] - 1, name
    cdef size_t most = text.shape[0] + 2 * max(names, 0)
    cdef Trigrams held
    alike = np.zeros(max(names, 0))
    if names < 2 or not text.shape[0]:
        return alike
    cdef double[::1] out = alike
    memset(&held, 0, sizeof(Trigrams))
    try:
        held.path = <uint8_t*>allocate(text.shape[0] + 2, 1)
        held.trigrams = <Trigram*>allocate(most, sizeof(Trigram))
        held.entries = <Entry*>allocate(most, sizeof(Entry))
        held.starts = <uint32_t*>allocate(names + 1, sizeof(uint32_t))
        reserve(&held.numbers, most)
        with nogil:
            for name in range(names):
                add_name(&held, name, &text[0] + ends[name], ends[name + 1] - ends[name])
            write_cosines(&held, names, &out[0])
        return alike
    finally:
        free(held.path)
        free(held.trigrams)
        free(held.entries)
        free(held.starts)
        free_numbering(&held.numbers)


cdef int add_name(Trigrams* held, int64_t name, const uint8_t* key, int64_t size) except -1 nogil:
    """Count the trigrams of the next name."""
    cdef uint32_t number, letters, after = 0, entries = held.starts[name]
    cdef uint8_t* path = held.path
    cdef Trigram* trigram
    cdef int64_t at
    size = path_of(key, size, path)
    for at in range(size):
        after += path[at] == c"/"
    for at in range(size - 2):
        after -= path[at] == c"/"
        letters = path[at] << 16 | path[at + 1] << 8 | path[at + 2]
        number = <uint32_t>number_of(&held.numbers, letters)
        trigram = &held.trigrams[number]
        if trigram.owner != name + 1:
            trigram.owner = <uint32_t>name + 1
            trigram.having += 1
            trigram.entry = entries
            held.entries[entries].trigram = number
            entries += 1
        held.entries[trigram.entry].after = after
    held.starts[name + 1] = entries
    return 0


cdef void write_cosines(Trigrams* held, int64_t names, double* alike) noexcept nogil:
    cdef int64_t name, i
    cdef double weight, product, length, own = 0
    cdef Trigram* trigram
    for name in range(names):
        product = length = 0
        for i in range(held.starts[name], held.starts[name + 1]):
            trigram = &held.trigrams[held.entries[i].trigram]
            weight = log(<double>names / trigram.having) / held.entries[i].after
            if name == 0:
                trigram.asked = weight
            product += weight * trigram.asked
            length += weight * weight
        if name == 0:
            own = length
        if product > 0:
            alike[name] = product / sqrt(own * length)
