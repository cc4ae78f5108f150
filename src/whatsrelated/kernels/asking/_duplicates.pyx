# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""Near-duplicates among a set of pages, grouped transitively.

Two pages are near-duplicates if both have more than `least` links and share part / whole of the
longer list (DH99, sec. 2.1.2: more than 10, and 95%). A page of n links may therefore differ in t =
n - ceil(n * part / whole) of them. If more than t of its links are on no other page of the set, it
has no near-duplicate. Checking a quarter of the links rules out most pages; the rest go to
`_duplicate_rows.pyx`.
"""

import numpy as np

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from whatsrelated.kernels.asking._duplicate_rows cimport (
    Row, Rule, join_rows, leader, mark, needed, shares
)
from whatsrelated.kernels.shared._limits cimport Watch, begin_row, begin_watch, look
from whatsrelated.kernels.shared._links cimport (
    Links, Pages, Span, links_of, prefetch_degree, span_of
)
from whatsrelated.kernels.shared._memory cimport (
    FAR, NEAR, PREFETCH, allocate, allocate_unset, hash_of, prefetch_row
)
from whatsrelated.kernels.shared._number_table cimport Numbering, free_numbering

cdef enum:
    SAMPLED = 4  # checking one link in SAMPLED first rules out most pages


cdef Rule rule_of(tuple rule) except *:
    least, part, whole = rule
    return Rule(least, part, whole)


cdef inline Row row_at(Links links, uint32_t page) noexcept nogil:
    cdef Span span = links_of(&links.children, page)
    return Row(span.pages, span.count, 0, 0, 0, 0)


def near_duplicates(Links links, Pages pages, tuple rule):
    """For each page, the position of the first page of its group."""
    cdef Rule near = rule_of(rule)
    cdef Span span = span_of(pages)
    groups = np.empty(span.count, np.uint32)
    cdef uint32_t[::1] to_groups = groups
    with nogil:
        group(links, span.pages, span.count, near, &to_groups[0])
    return groups


cdef int64_t group(
    Links links, const uint32_t *pages, size_t n, Rule rule, uint32_t *groups
) except -1 nogil:
    """Write the first position of each page's group; return the number of pages that join an
    earlier one.
    """
    cdef size_t place, count = 0, before, merged = 0, total = 0, size
    cdef uint32_t row, first
    cdef Row *rows
    cdef Watch watch = begin_watch()
    for place in range(n):
        groups[place] = <uint32_t>place
    if n < 2:
        return 0
    rows = <Row *>allocate(n, sizeof(Row))
    try:
        for place in range(n):
            if place + FAR < n:
                prefetch_degree(&links.children, pages[place + FAR])
            rows[count] = row_at(links, pages[place])
            rows[count].place = <uint32_t>place
            if rows[count].size <= rule.least:
                continue
            size = rows[count].size
            begin_row(&watch, &size, total, watch.reads)
            if size < rows[count].size:
                break  # reading limit reached: treat the rest as unique
            total += size
            count += 1
        before = count
        count = sieve(rows, count, rule, SAMPLED)
        while 0 < count < before - before // 8:
            before = count
            count = sieve(rows, count, rule, 1)
        if count > 1:
            join_rows(rows, count, rule)
            # Rows are now sorted by size, but a group is named by its first place.
            for row in range(count):
                first = leader(rows, row)
                if rows[row].place < rows[first].place:
                    rows[row].leader = row
                    rows[first].leader = row
            for row in range(count):
                groups[rows[row].place] = rows[leader(rows, row)].place
                merged += groups[rows[row].place] != rows[row].place
    finally:
        free(rows)
    return merged


cdef int64_t sieve(Row *rows, size_t count, Rule rule, uint32_t one_in) except -1 nogil:
    """Keep rows with at most t links that no other row has; return their number.

    Checks one link in `one_in` (a power of two), the same ones in every row.
    """
    cdef uint64_t total = 0, words = 64, at, mask, spare, alone, bit, word, size
    cdef size_t row, kept = 0, taken = 0, i
    cdef uint32_t link
    cdef const uint32_t *links
    for row in range(count):
        total += rows[row].size
    while words * 64 * one_in < 2 * total:
        words *= 2
    # Words come in pairs: bits for links seen once, then bits for links seen again.
    cdef uint64_t *seen = <uint64_t *>allocate(2 * words, sizeof(uint64_t))
    cdef uint32_t *hashes = <uint32_t *>allocate_unset(total, sizeof(uint32_t))
    cdef size_t *ends = <size_t *>allocate(count, sizeof(size_t))
    mask = words - 1
    for row in range(count):
        if row + NEAR < count:
            prefetch_row(rows[row + NEAR].links, rows[row + NEAR].size)
        links, size = rows[row].links, rows[row].size
        for at in range(size):
            link = links[at]
            hashes[taken] = link
            taken += (link & (one_in - 1)) == 0
        ends[row] = taken
    for i in range(taken):
        hashes[i] = hash_of(hashes[i])
        bit = <uint64_t>1 << (hashes[i] & 63)
        word = 2 * ((hashes[i] >> 6) & mask)
        seen[word + 1] |= seen[word] & bit
        seen[word] |= bit
    i = 0
    for row in range(count):
        spare = rows[row].size - needed(rows[row].size, rule)
        alone = 0
        while i < ends[row] and alone <= spare:
            alone += ~(seen[2 * ((hashes[i] >> 6) & mask) + 1] >> (hashes[i] & 63)) & 1
            i += 1
        i = ends[row]
        if alone <= spare:
            rows[kept] = rows[row]
            kept += 1
    free(seen)
    free(hashes)
    free(ends)
    return kept


def first_unlike(Links links, uint32_t page, Pages candidates, int64_t most, Pages sites, tuple rule):
    """The first `most` candidates that are neither on the page's site nor near-duplicates of it.

    The page itself is left out.  If `sites` is None, no two pages share a site.
    """
    cdef Span span = span_of(candidates)
    cdef Rule near = rule_of(rule)
    cdef size_t i
    cdef uint32_t other
    cdef int64_t taken = 0
    cdef bint sited = sites is not None
    cdef Row own = row_at(links, page)
    cdef Numbering marks
    cdef Watch watch = begin_watch()
    found = np.empty(min(<int64_t>span.count, most), np.uint32)
    cdef uint32_t[::1] to_found = found
    memset(&marks, 0, sizeof(Numbering))
    try:
        with nogil:
            for i in range(span.count):
                if taken == most:
                    break
                if i + FAR < span.count:
                    prefetch_degree(&links.children, span.pages[i + FAR])
                    if sited:
                        PREFETCH(&sites[span.pages[i + FAR]])
                other = span.pages[i]
                if other == page or (sited and sites[other] == sites[page]):
                    continue
                look(&watch, own.size)
                if not is_near_duplicate(&own, row_at(links, other), near, &marks):
                    to_found[taken] = other
                    taken += 1
    finally:
        free_numbering(&marks)
    return found[:taken].copy()


cdef inline bint is_near_duplicate(
    const Row *own, Row other, Rule rule, Numbering *marks
) except -1 nogil:
    """Whether two rows are near-duplicates; `marks` holds the links of the first, or is empty."""
    cdef uint64_t shared = needed(max(own.size, other.size), rule)
    if min(own.size, other.size) <= rule.least or min(own.size, other.size) < shared:
        return False
    if marks.count == 0:
        mark(marks, own)
    return shares(marks, &other, shared)
