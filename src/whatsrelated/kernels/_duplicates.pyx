# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Near-duplicates among a set of pages, grouped transitively.

Two pages are near-duplicates where both have more than `least` links, and share
`part` of `whole` of the longer list (DH99, sec. 2.1.2: more than 10, and 95 %).
So a page of n links can spare t = n - ceil(n * part / whole) of them, and

1. a page of which more than t links are on no other page of the set has no
   near-duplicate.  Half of the links is enough to send most pages away;
2. of those left, let each page put its links in order, the rarest first: two
   near-duplicates share one of their first t + 1 (prefix filter).  Pages go from
   short to long into an index of these, and meet there those that came before;
3. whoever meets is compared by length, then by hashed bit sets, then link by link;
4. where there are so few different links that all would meet all over again,
   there is no index, and each is compared with each of about its length.

Pages already joined are not compared again.
"""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from whatsrelated.kernels._memory cimport AHEAD, FAR, NEAR, ask_ahead, claimed, grow, mixed

ctypedef uint64_t (*Absent)(
    const uint64_t *a, const uint64_t *b, uint64_t words, uint64_t spare
) noexcept nogil

# How many bits of b are not in a, counted until there are more than `spare`.  The
# instruction that counts bits is not in the oldest x86-64, so it is asked for.
cdef extern from *:
    """
    #include <stdint.h>
    #define ABSENT(count) \\
        uint64_t absent = 0; \\
        for (uint64_t i = 0; i < words && absent <= spare; i++) absent += count(b[i] & ~a[i]); \\
        return absent;

    static uint64_t ones(uint64_t word) {
        word -= (word >> 1) & 0x5555555555555555u;
        word = (word & 0x3333333333333333u) + ((word >> 2) & 0x3333333333333333u);
        return (((word + (word >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u) >> 56;
    }
    static uint64_t absent_plain(
        const uint64_t *a, const uint64_t *b, uint64_t words, uint64_t spare
    ) { ABSENT(ones) }

    #if defined(__GNUC__) && defined(__x86_64__)
    __attribute__((target("popcnt"))) static uint64_t absent_counted(
        const uint64_t *a, const uint64_t *b, uint64_t words, uint64_t spare
    ) { ABSENT(__builtin_popcountll) }
    #define BEST_ABSENT (__builtin_cpu_supports("popcnt") ? absent_counted : absent_plain)
    #else
    #define BEST_ABSENT absent_plain
    #endif
    """
    Absent BEST_ABSENT

cdef Absent absent = BEST_ABSENT

cdef enum:
    LOOKED_AT = 4  # one in so many links is looked at first, to send most pages away


cdef struct Row:
    const uint32_t *links
    uint64_t size
    uint32_t place
    uint32_t leader    # union-find, a row
    uint32_t met       # the last row that this one was compared with
    uint64_t prefix    # where its prefix starts


cdef struct Entry:
    uint32_t row
    uint32_t next      # the entry and 1; 0 at the end


cdef struct Posting:
    uint32_t link
    uint32_t head      # the latest entry and 1; 0 where the slot is free
    bint one_group     # all its rows were in one group when they came


cdef struct Join:
    # The pages left, compared where they meet in an index of their rarest links.
    uint64_t *keys        # of one row's links: how often one occurs, then itself
    uint32_t *prefixes
    uint8_t *counts       # of every link, hashed: how often, about
    uint64_t *bits
    uint32_t *marks       # the links of one row, hashed
    Posting *postings
    Entry *entries
    uint64_t marks_mask, words


cdef inline uint64_t needed(uint64_t size, uint64_t part, uint64_t whole) noexcept nogil:
    """How many links a near-duplicate must share with a page of `size` links, the longer."""
    return (size * part + whole - 1) // whole


cdef inline uint32_t leader(Row *rows, uint32_t row) noexcept nogil:
    while rows[row].leader != row:
        rows[row].leader = rows[rows[row].leader].leader
        row = rows[row].leader
    return row


def near_duplicates(
    const uint64_t[::1] out_offsets,
    const uint32_t[::1] out_links,
    const uint32_t[::1] pages,
    uint64_t least,
    uint64_t part,
    uint64_t whole,
):
    """For each of the pages, the place of the first page of its group."""
    groups = np.empty(pages.shape[0], np.uint32)
    cdef uint32_t[::1] to_groups = groups
    if pages.shape[0]:
        with nogil:
            group(
                out_offsets, out_links, &pages[0], pages.shape[0], least, part, whole, &to_groups[0]
            )
    return groups


cdef int64_t group(
    const uint64_t[::1] out_offsets,
    const uint32_t[::1] out_links,
    const uint32_t *pages,
    size_t n,
    uint64_t least,
    uint64_t part,
    uint64_t whole,
    uint32_t *groups,
) except -1 nogil:
    """Number the groups of near-duplicates; how many pages are not the first of theirs."""
    cdef size_t place, count = 0, before, merged = 0
    cdef uint64_t start, size
    cdef uint32_t row, first
    cdef Row *rows = NULL
    cdef Join join
    for place in range(n):
        groups[place] = <uint32_t>place
    if n < 2 or out_links.shape[0] == 0:
        return 0
    memset(&join, 0, sizeof(Join))
    try:
        rows = <Row *>claimed(n, sizeof(Row))
        for place in range(n):
            if place + FAR < n:
                AHEAD(&out_offsets[pages[place + FAR]])
            start = out_offsets[pages[place]]
            size = out_offsets[pages[place] + 1] - start
            if size > least:
                rows[count].links = &out_links[0] + start
                rows[count].size = size
                rows[count].place = <uint32_t>place
                count += 1
        before = count
        count = sieved(rows, count, part, whole, LOOKED_AT)
        while 0 < count < before - before // 8:
            before = count
            count = sieved(rows, count, part, whole, 1)
        if count > 1:
            compare_all(&join, rows, count, part, whole)
            # Rows are by size now; a group is named by its first place.
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
        give_up(&join)
    return merged


def unlike(
    const uint64_t[::1] out_offsets,
    const uint32_t[::1] out_links,
    const uint32_t[::1] sites,
    uint32_t page,
    const uint32_t[::1] candidates,
    int64_t most,
    uint64_t least,
    uint64_t part,
    uint64_t whole,
):
    """The first `most` candidates that are not on the page's site, nor near-duplicates of it.

    The page itself is none of them.  Where `sites` is None, no two pages share one.
    """
    cdef Py_ssize_t i, n = candidates.shape[0]
    cdef uint32_t other
    cdef uint64_t size, longer, shared
    cdef int64_t taken = 0
    cdef bint sited = sites is not None, marked = False
    cdef Row own, row
    cdef Join join
    found = np.empty(min(n, most), np.uint32)
    cdef uint32_t[::1] to_found = found
    if n == 0 or most == 0:
        return found
    memset(&join, 0, sizeof(Join))
    own.links = &out_links[0] + out_offsets[page]
    own.size = out_offsets[page + 1] - out_offsets[page]
    with nogil:
        for i in range(n):
            if i + FAR < n:
                AHEAD(&out_offsets[candidates[i + FAR]])
                if sited:
                    AHEAD(&sites[candidates[i + FAR]])
            other = candidates[i]
            if other == page or (sited and sites[other] == sites[page]):
                continue
            row.links = &out_links[0] + out_offsets[other]
            row.size = out_offsets[other + 1] - out_offsets[other]
            if own.size > least and row.size > least:
                longer = max(own.size, row.size)
                shared = needed(longer, part, whole)
                if min(own.size, row.size) >= shared:
                    if not marked:
                        claim_marks(&join, own.size)
                        mark(&join, &own)
                        marked = True
                    if shares(&join, &row, shared):
                        continue
            to_found[taken] = other
            taken += 1
            if taken == most:
                break
    give_up(&join)
    return found[:taken].copy()


cdef int64_t sieved(
    Row *rows, size_t count, uint64_t part, uint64_t whole, uint32_t one_in
) except -1 nogil:
    """Keep the rows of which at most t links are on no other row; how many there are.

    Only one in `one_in` (a power of two) links is looked at, the same on every row.
    """
    cdef uint64_t total = 0, words = 64, at, mask, spare, alone, bit, word, size
    cdef size_t row, kept = 0, taken = 0, i
    cdef uint32_t link
    cdef const uint32_t *links
    for row in range(count):
        total += rows[row].size
    while words * 64 * one_in < 2 * total:
        words *= 2
    # Beside each word of bits for links that were seen, one for links seen again.
    cdef uint64_t *seen = <uint64_t *>claimed(2 * words, sizeof(uint64_t))
    cdef uint32_t *looked_at = NULL
    cdef size_t room = 0
    cdef size_t *ends = <size_t *>claimed(count, sizeof(size_t))
    grow(<void **>&looked_at, &room, total, sizeof(uint32_t))  # not cleared: it is long
    mask = words - 1
    for row in range(count):
        if row + NEAR < count:
            ask_ahead(rows[row + NEAR].links, rows[row + NEAR].size)
        links, size = rows[row].links, rows[row].size
        for at in range(size):
            link = links[at]
            looked_at[taken] = link
            taken += (link & (one_in - 1)) == 0
        ends[row] = taken
    for i in range(taken):
        looked_at[i] = mixed(looked_at[i])
        bit = <uint64_t>1 << (looked_at[i] & 63)
        word = 2 * ((looked_at[i] >> 6) & mask)
        seen[word + 1] |= seen[word] & bit
        seen[word] |= bit
    i = 0
    for row in range(count):
        spare = rows[row].size - needed(rows[row].size, part, whole)
        alone = 0
        while i < ends[row] and alone <= spare:
            alone += ~(seen[2 * ((looked_at[i] >> 6) & mask) + 1] >> (looked_at[i] & 63)) & 1
            i += 1
        i = ends[row]
        if alone <= spare:
            rows[kept] = rows[row]
            kept += 1
    free(seen)
    free(looked_at)
    free(ends)
    return kept


cdef void give_up(Join *join) noexcept nogil:
    free(join.keys)
    free(join.prefixes)
    free(join.counts)
    free(join.bits)
    free(join.marks)
    free(join.postings)
    free(join.entries)


cdef int claim_marks(Join *join, uint64_t longest) except -1 nogil:
    """Room for the links of one row at a time."""
    cdef uint64_t slots = 64
    while slots < 2 * longest:
        slots *= 2
    join.marks = <uint32_t *>claimed(slots, sizeof(uint32_t))
    join.marks_mask = slots - 1
    return 0


cdef int compare_all(
    Join *join, Row *rows, size_t count, uint64_t part, uint64_t whole
) except -1 nogil:
    """Join the rows that are near-duplicates; they are sorted by size afterwards."""
    cdef uint64_t total = 0, prefixes = 0, slots = 64, distinct = 0, pairs = 0, size, at
    cdef uint32_t row
    cdef uint8_t *counted
    by_size(rows, count)
    for row in range(count):
        size = rows[row].size
        total += size
        rows[row].prefix = prefixes
        prefixes += size - needed(size, part, whole) + 1
        rows[row].leader = rows[row].met = row
        pairs += row - first_of_size(rows, row, needed(size, part, whole))
    while slots < total // 2:
        slots *= 2
    join.words = 2
    while join.words < 64 and join.words * 64 * count < total:
        join.words *= 2
    claim_marks(join, rows[count - 1].size)
    join.counts = <uint8_t *>claimed(slots, sizeof(uint8_t))
    join.bits = <uint64_t *>claimed(count * join.words, sizeof(uint64_t))
    # Any order of the links is right; one row in four is enough for a good one.
    for row in range(0, count, 4):
        for at in range(rows[row].size):
            counted = &join.counts[mixed(rows[row].links[at]) & (slots - 1)]
            distinct += counted[0] == 0
            counted[0] += counted[0] < 255
    if prefixes * prefixes > 2 * distinct * pairs:
        for row in range(count):
            meet_all(join, rows, row, part, whole)
        return 0
    join.keys = <uint64_t *>claimed(rows[count - 1].size, sizeof(uint64_t))
    join.prefixes = <uint32_t *>claimed(prefixes, sizeof(uint32_t))
    join.entries = <Entry *>claimed(prefixes, sizeof(Entry))
    for row in range(count):
        take_prefix(join, &rows[row], row, part, whole, slots - 1)
    slots = 64
    while slots < 2 * prefixes:
        slots *= 2
    join.postings = <Posting *>claimed(slots, sizeof(Posting))
    for row in range(count):
        meet(join, rows, row, part, whole, slots - 1)
    return 0


cdef void meet_all(
    Join *join, Row *rows, uint32_t row, uint64_t part, uint64_t whole
) noexcept nogil:
    """Compare a row with all before it of about its length; join them."""
    cdef uint64_t at, shared = needed(rows[row].size, part, whole)
    cdef uint64_t *bits = join.bits + row * join.words
    cdef uint32_t other, own = row
    cdef bint marked = False
    for at in range(rows[row].size):
        set_bit(join, bits, mixed(rows[row].links[at]))
    for other in range(first_of_size(rows, row, shared), row):
        compared(join, rows, row, other, shared, &own, &marked)


cdef inline void set_bit(Join *join, uint64_t *bits, uint32_t h) noexcept nogil:
    bits[(h >> 8) & (join.words - 1)] |= <uint64_t>1 << (h >> 26)


cdef void take_prefix(
    Join *join, Row *own, uint32_t row, uint64_t part, uint64_t whole, uint64_t mask
) noexcept nogil:
    """The links of a row that are the rarest, and its set of bits."""
    cdef uint64_t at, size = own.size, most = size - needed(size, part, whole) + 1
    cdef const uint32_t *links = own.links
    cdef uint64_t *keys = join.keys
    cdef uint64_t *bits = join.bits + row * join.words
    cdef uint32_t h
    for at in range(size):
        h = mixed(links[at])
        set_bit(join, bits, h)
        keys[at] = (<uint64_t>join.counts[h & mask] << 32) | links[at]
    smallest(keys, <int64_t>size, <int64_t>most)
    for at in range(most):
        join.prefixes[own.prefix + at] = <uint32_t>keys[at]


cdef inline Posting *posting_of(Join *join, uint32_t link, uint64_t mask) noexcept nogil:
    cdef uint64_t slot = mixed(link) & mask
    while join.postings[slot].head and join.postings[slot].link != link:
        slot = (slot + 1) & mask
    return &join.postings[slot]


cdef void meet(
    Join *join, Row *rows, uint32_t row, uint64_t part, uint64_t whole, uint64_t mask
) noexcept nogil:
    """Compare a row with those before it that have one of its rarest links; join them."""
    cdef uint64_t at, shared = needed(rows[row].size, part, whole)
    cdef uint64_t most = rows[row].size - shared + 1
    cdef uint32_t *prefix = join.prefixes + rows[row].prefix
    cdef uint32_t other, entry, own = row
    cdef uint32_t waiting = row - first_of_size(rows, row, shared)
    cdef Posting *posting
    cdef bint marked = False
    for at in range(most):
        if not waiting:
            break  # it has met everybody
        posting = posting_of(join, prefix[at], mask)
        entry = posting.head
        if entry and posting.one_group:
            if leader(rows, join.entries[entry - 1].row) == own:
                continue
        while entry:
            other = join.entries[entry - 1].row
            entry = join.entries[entry - 1].next
            if rows[other].size < shared:
                break  # and so are all before it
            if rows[other].met == row:
                continue
            rows[other].met = row
            waiting -= 1
            if compared(join, rows, row, other, shared, &own, &marked) and posting.one_group:
                break  # the others of this link are of the same group
    for at in range(most):
        posting = posting_of(join, prefix[at], mask)
        posting.one_group = not posting.head or (
            posting.one_group and leader(rows, join.entries[posting.head - 1].row) == own
        )
        entry = <uint32_t>(rows[row].prefix + at)
        join.entries[entry].row = row
        join.entries[entry].next = posting.head
        posting.link = prefix[at]
        posting.head = entry + 1


cdef inline bint compared(
    Join *join,
    Row *rows,
    uint32_t row,
    uint32_t other,
    uint64_t shared,
    uint32_t *own,
    bint *marked,
) noexcept nogil:
    """Join a row, of the group `own`, to another where they are near-duplicates."""
    cdef uint64_t spare = rows[other].size - shared
    if leader(rows, other) == own[0]:
        return False
    if spare < absent(
        join.bits + row * join.words, join.bits + other * join.words, join.words, spare
    ):
        return False
    if not marked[0]:
        mark(join, &rows[row])
        marked[0] = True
    if not shares(join, &rows[other], shared):
        return False
    rows[own[0]].leader = leader(rows, other)
    own[0] = leader(rows, other)
    return True


cdef void mark(Join *join, Row *row) noexcept nogil:
    cdef uint64_t at, slot
    memset(join.marks, 0xFF, (join.marks_mask + 1) * sizeof(uint32_t))
    for at in range(row.size):
        slot = mixed(row.links[at]) & join.marks_mask
        while join.marks[slot] != <uint32_t>0xFFFFFFFFu:
            slot = (slot + 1) & join.marks_mask
        join.marks[slot] = row.links[at]


cdef bint shares(Join *join, Row *other, uint64_t shared) noexcept nogil:
    """Whether the row that is marked and the other have so many links in common."""
    cdef uint64_t at, slot, spare = other.size - shared, missed = 0
    for at in range(other.size):
        slot = mixed(other.links[at]) & join.marks_mask
        while join.marks[slot] != other.links[at]:
            if join.marks[slot] == <uint32_t>0xFFFFFFFFu:
                missed += 1
                if missed > spare:
                    return False
                break
            slot = (slot + 1) & join.marks_mask
    return True


cdef uint32_t first_of_size(Row *rows, uint32_t end, uint64_t size) noexcept nogil:
    """The first of the rows before `end` that has so many links."""
    cdef uint32_t low = 0, middle
    while low < end:
        middle = (low + end) // 2
        if rows[middle].size < size:
            low = middle + 1
        else:
            end = middle
    return low


cdef void by_size(Row *rows, size_t count) noexcept nogil:
    """Sort the rows by size (a heap sort: nothing to go wrong, no memory)."""
    cdef size_t end = count, root = count // 2, child, parent
    cdef Row moved
    while end > 1:
        if root > 0:
            root -= 1
            moved = rows[root]
        else:
            end -= 1
            moved = rows[end]
            rows[end] = rows[0]
        parent = root
        child = 2 * root + 1
        while child < end:
            if child + 1 < end and rows[child].size < rows[child + 1].size:
                child += 1
            if moved.size >= rows[child].size:
                break
            rows[parent] = rows[child]
            parent = child
            child = 2 * parent + 1
        rows[parent] = moved


cdef void smallest(uint64_t *keys, int64_t count, int64_t most) noexcept nogil:
    """Bring the `most` smallest keys to the front, in any order (quickselect)."""
    cdef int64_t low = 0, high = count - 1, i, j
    cdef uint64_t pivot
    while low < high:
        pivot = keys[low + (high - low) // 2]
        i, j = low, high
        while i <= j:
            while keys[i] < pivot:
                i += 1
            while keys[j] > pivot:
                j -= 1
            if i <= j:
                keys[i], keys[j] = keys[j], keys[i]
                i += 1
                j -= 1
        if most - 1 <= j:
            high = j
        elif most - 1 >= i:
            low = i
        else:
            return
