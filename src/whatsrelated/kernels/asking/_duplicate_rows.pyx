# distutils: language=c++
# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""Group rows of links that are near-duplicates.

1. Order the links of each row, rarest first. If near-duplicates of n links may differ in t, they
   share one of the first t + 1 (prefix filter). Index these links, shortest rows first. Each row is
   then compared only with earlier rows that share an indexed link.
2. Compare rows by length, then by hashed bit sets, then link by link.
3. If there are so few distinct links that most rows would share one, skip the index and compare
   each row with every row of similar length.

Rows already in one group are not compared again.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset
from libcpp.algorithm cimport nth_element, sort

from whatsrelated.kernels.shared._limits cimport Watch, begin_watch, look
from whatsrelated.kernels.shared._memory cimport allocate, hash_of
from whatsrelated.kernels.shared._number_table cimport (
    Numbering, clear, free_numbering, number_of, reserve, slot_of
)

ctypedef uint64_t (*Absent)(
    const uint64_t *a, const uint64_t *b, uint64_t words, uint64_t spare
) noexcept nogil

# The number of bits of b that are not in a; stops counting above `spare`. The oldest x86-64 cannot
# count bits in one instruction, so support is checked at run time.
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


cdef struct Entry:
    uint32_t row
    uint32_t next      # the next entry + 1; 0 at the end


cdef struct Posting:
    uint32_t head      # the latest entry + 1
    bint one_group     # all its rows were in one group when they were added


cdef struct Join:
    # The rows, and the index of their rarest links.
    Row *rows
    Rule rule
    uint64_t *keys        # of one row's links: frequency << 32 | link
    uint32_t *prefixes
    uint8_t *counts       # approximate frequencies of links, by hash
    uint64_t counts_mask
    uint64_t *bits
    uint64_t words
    Numbering marks       # the links of one row
    Numbering index       # link -> its posting
    Posting *postings
    Entry *entries
    Watch watch


cdef void free_join(Join *join) noexcept nogil:
    free(join.keys)
    free(join.prefixes)
    free(join.counts)
    free(join.bits)
    free(join.postings)
    free(join.entries)
    free_numbering(&join.marks)
    free_numbering(&join.index)


cdef bint is_smaller(const Row &one, const Row &other) noexcept nogil:
    return one.place < other.place if one.size == other.size else one.size < other.size


cdef int join_rows(Row *rows, size_t count, Rule rule) except -1 nogil:
    """Give near-duplicate rows one leader. Sorts the rows by size."""
    cdef Join join
    memset(&join, 0, sizeof(Join))
    join.rows, join.rule, join.watch = rows, rule, begin_watch()
    sort(rows, rows + count, &is_smaller)
    try:
        compare_all(&join, count)
    finally:
        free_join(&join)
    return 0


cdef int compare_all(Join *join, size_t count) except -1 nogil:
    cdef Row *rows = join.rows
    cdef uint64_t total = 0, prefixes = 0, distinct, pairs = 0, size, shared
    cdef uint32_t row
    for row in range(count):
        size = rows[row].size
        shared = needed(size, join.rule)
        total += size
        rows[row].prefix = prefixes
        prefixes += size - shared + 1
        rows[row].leader = rows[row].met = row
        pairs += row - first_of_size(rows, row, shared)
    join.words = 2
    while join.words < 64 and join.words * 64 * count < total:
        join.words *= 2
    join.bits = <uint64_t *>allocate(count * join.words, sizeof(uint64_t))
    distinct = count_links(join, count, total)
    if prefixes * prefixes > 2 * distinct * pairs:
        for row in range(count):
            meet_all(join, row)
        return 0
    join.keys = <uint64_t *>allocate(rows[count - 1].size, sizeof(uint64_t))
    join.prefixes = <uint32_t *>allocate(prefixes, sizeof(uint32_t))
    join.entries = <Entry *>allocate(prefixes, sizeof(Entry))
    join.postings = <Posting *>allocate(prefixes, sizeof(Posting))
    for row in range(count):
        take_prefix(join, row)
    reserve(&join.index, prefixes)
    for row in range(count):
        meet_indexed(join, row)
    return 0


cdef uint64_t count_links(Join *join, size_t count, uint64_t total) except? 0 nogil:
    """Estimate how often each link occurs; return the approximate number of distinct links.

    The order of the links affects only speed, so one row in four is enough.
    """
    cdef uint64_t slots = 64, distinct = 0, at
    cdef uint32_t row
    cdef uint8_t *counted
    while slots < total // 2:
        slots *= 2
    join.counts = <uint8_t *>allocate(slots, sizeof(uint8_t))
    join.counts_mask = slots - 1
    for row in range(0, count, 4):
        for at in range(join.rows[row].size):
            counted = &join.counts[hash_of(join.rows[row].links[at]) & join.counts_mask]
            distinct += counted[0] == 0
            counted[0] += counted[0] < 255
    return distinct


cdef int meet_all(Join *join, uint32_t row) except -1 nogil:
    """Compare a row with all earlier rows of similar length; join near-duplicates."""
    cdef Row *own = &join.rows[row]
    cdef uint64_t at, shared = needed(own.size, join.rule)
    cdef uint64_t *bits = join.bits + row * join.words
    cdef uint32_t other, group = row
    cdef bint marked = False
    for at in range(own.size):
        set_bit(join, bits, hash_of(own.links[at]))
    for other in range(first_of_size(join.rows, row, shared), row):
        compare(join, row, other, shared, &group, &marked)
    return 0


cdef inline void set_bit(Join *join, uint64_t *bits, uint32_t h) noexcept nogil:
    bits[(h >> 8) & (join.words - 1)] |= <uint64_t>1 << (h >> 26)


cdef void take_prefix(Join *join, uint32_t row) noexcept nogil:
    """Find the rarest links of a row, and its bit set."""
    cdef Row *own = &join.rows[row]
    cdef uint64_t at, most = own.size - needed(own.size, join.rule) + 1
    cdef uint64_t *keys = join.keys
    cdef uint64_t *bits = join.bits + row * join.words
    cdef uint32_t h
    for at in range(own.size):
        h = hash_of(own.links[at])
        set_bit(join, bits, h)
        keys[at] = (<uint64_t>join.counts[h & join.counts_mask] << 32) | own.links[at]
    nth_element(keys, keys + (most - 1), keys + own.size)
    for at in range(most):
        join.prefixes[own.prefix + at] = <uint32_t>keys[at]


cdef int meet_indexed(Join *join, uint32_t row) except -1 nogil:
    """Compare a row with earlier rows that share a rare link; join near-duplicates."""
    cdef Row *rows = join.rows
    cdef uint64_t at, shared = needed(rows[row].size, join.rule)
    cdef uint64_t most = rows[row].size - shared + 1
    cdef uint32_t *prefix = join.prefixes + rows[row].prefix
    cdef uint32_t other, entry, number, group = row
    cdef uint32_t waiting = row - first_of_size(rows, row, shared)
    cdef Posting *posting
    cdef bint marked = False
    for at in range(most):
        if not waiting:
            break  # it has been compared with every candidate
        number = slot_of(&join.index, prefix[at])[0]
        if not number:
            continue
        posting = &join.postings[number - 1]
        entry = posting.head
        if posting.one_group and leader(rows, join.entries[entry - 1].row) == group:
            continue
        while entry:
            other = join.entries[entry - 1].row
            entry = join.entries[entry - 1].next
            if rows[other].size < shared:
                break  # earlier rows are not longer
            if rows[other].met == row:
                continue
            rows[other].met = row
            waiting -= 1
            if compare(join, row, other, shared, &group, &marked) and posting.one_group:
                break  # the link's other rows are in the same group
    for at in range(most):
        add_entry(join, prefix[at], <uint32_t>(rows[row].prefix + at), row, group)
    return 0


cdef inline int add_entry(
    Join *join, uint32_t link, uint32_t entry, uint32_t row, uint32_t group
) except -1 nogil:
    """Add a row to the index under one of its links."""
    cdef size_t known = join.index.count
    cdef Posting *posting = &join.postings[number_of(&join.index, link)]
    posting.one_group = join.index.count > known or (
        posting.one_group and leader(join.rows, join.entries[posting.head - 1].row) == group
    )
    join.entries[entry].row = row
    join.entries[entry].next = posting.head
    posting.head = entry + 1
    return 0


cdef inline bint compare(
    Join *join, uint32_t row, uint32_t other, uint64_t shared, uint32_t *group, bint *marked
) except -1 nogil:
    """Join a row of the group `group` to another row if they are near-duplicates."""
    cdef Row *rows = join.rows
    cdef uint64_t spare = rows[other].size - shared
    if leader(rows, other) == group[0]:
        return False
    look(&join.watch, join.words)
    if spare < absent(
        join.bits + row * join.words, join.bits + other * join.words, join.words, spare
    ):
        return False
    look(&join.watch, rows[other].size)
    if not marked[0]:
        mark(&join.marks, &rows[row])
        marked[0] = True
    if not shares(&join.marks, &rows[other], shared):
        return False
    rows[group[0]].leader = leader(rows, other)
    group[0] = leader(rows, other)
    return True


cdef int mark(Numbering *marks, const Row *row) except -1 nogil:
    """Fill the table with the links of one row."""
    cdef uint64_t at
    clear(marks)
    reserve(marks, row.size)
    for at in range(row.size):
        number_of(marks, row.links[at])
    return 0


cdef bint shares(const Numbering *marks, const Row *other, uint64_t shared) noexcept nogil:
    """Whether the marked row and the other share at least `shared` links."""
    cdef uint64_t at, spare = other.size - shared, missed = 0
    for at in range(other.size):
        if not slot_of(marks, other.links[at])[0]:
            missed += 1
            if missed > spare:
                return False
    return True


cdef uint32_t first_of_size(Row *rows, uint32_t end, uint64_t size) noexcept nogil:
    """The first row before `end` that has at least `size` links."""
    cdef uint32_t low = 0, middle
    while low < end:
        middle = (low + end) // 2
        if rows[middle].size < size:
            low = middle + 1
        else:
            end = middle
    return low
