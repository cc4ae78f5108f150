# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""The similarity of names: cosines of their trigrams.

Only the path is compared: in lower case, between slashes, without the host or the file extension. A
trigram's weight is ln(names / names that have it) / (slashes after its first letter); if it occurs
twice, the last occurrence counts.
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
    uint32_t names  # the number of names that have it
    uint32_t owner  # the last such name; numbered from 1
    uint32_t entry  # its entry in that name
    double first_weight  # its weight in the first name


cdef struct Entry:
    uint32_t trigram
    uint32_t after


cdef struct Trigrams:  # of all names
    Numbering numbers  # by their letters
    Trigram *trigrams
    Entry *entries
    uint32_t *starts  # the entries of each name
    uint8_t *path  # of the current name


cdef int64_t path_of(const uint8_t* key, int64_t size, uint8_t* path) noexcept nogil:
    """Write the part of the name that is compared; return its length."""
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
    """The length of the host at the start of a plain name; 0 if there is none.

    A host has lower-case letters, digits and hyphens between dots, and only letters after the last
    dot; *.htm(l) is not a host.
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
    """The similarity of each name to the first, from 0 to 1; names are packed sort keys."""
    cdef int64_t names = ends.shape[0] - 1, name
    cdef size_t most = text.shape[0] + 2 * max(names, 0)
    cdef Trigrams table
    cosine = np.zeros(max(names, 0))
    if names < 2 or not text.shape[0]:
        return cosine
    cdef double[::1] out = cosine
    memset(&table, 0, sizeof(Trigrams))
    try:
        table.path = <uint8_t*>allocate(text.shape[0] + 2, 1)
        table.trigrams = <Trigram*>allocate(most, sizeof(Trigram))
        table.entries = <Entry*>allocate(most, sizeof(Entry))
        table.starts = <uint32_t*>allocate(names + 1, sizeof(uint32_t))
        reserve(&table.numbers, most)
        with nogil:
            for name in range(names):
                add_name(&table, name, &text[0] + ends[name], ends[name + 1] - ends[name])
            write_cosines(&table, names, &out[0])
        return cosine
    finally:
        free(table.path)
        free(table.trigrams)
        free(table.entries)
        free(table.starts)
        free_numbering(&table.numbers)


cdef int add_name(Trigrams* table, int64_t name, const uint8_t* key, int64_t size) except -1 nogil:
    """Count the trigrams of the next name."""
    cdef uint32_t number, letters, after = 0, entries = table.starts[name]
    cdef uint8_t* path = table.path
    cdef Trigram* trigram
    cdef int64_t at
    size = path_of(key, size, path)
    for at in range(size):
        after += path[at] == c"/"
    for at in range(size - 2):
        after -= path[at] == c"/"
        letters = path[at] << 16 | path[at + 1] << 8 | path[at + 2]
        number = <uint32_t>number_of(&table.numbers, letters)
        trigram = &table.trigrams[number]
        if trigram.owner != name + 1:
            trigram.owner = <uint32_t>name + 1
            trigram.names += 1
            trigram.entry = entries
            table.entries[entries].trigram = number
            entries += 1
        table.entries[trigram.entry].after = after
    table.starts[name + 1] = entries
    return 0


cdef void write_cosines(Trigrams* table, int64_t names, double* cosine) noexcept nogil:
    cdef int64_t name, i
    cdef double weight, product, length, own = 0
    cdef Trigram* trigram
    for name in range(names):
        product = length = 0
        for i in range(table.starts[name], table.starts[name + 1]):
            trigram = &table.trigrams[table.entries[i].trigram]
            weight = log(<double>names / trigram.names) / table.entries[i].after
            if name == 0:
                trigram.first_weight = weight
            product += weight * trigram.first_weight
            length += weight * weight
        if name == 0:
            own = length
        if product > 0:
            cosine[name] = product / sqrt(own * length)
