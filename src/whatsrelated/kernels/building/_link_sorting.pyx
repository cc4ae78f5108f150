# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""Links grouped by page, in both directions: partition, then counting sort.

Scattering over the whole graph would miss the cache at every link. Links are therefore first split
into ranges of pages, through a buffer of one cache line per range. Each range fits the cache and
is then sorted by counting. Both steps are stable: the links of a page keep their order.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from whatsrelated.kernels.shared._memory cimport PREFETCH

import numpy as np


cdef enum:
    MOST_RANGES = 2048
    RANGE_LINKS = 49152   # links per range; their pairs take 384 KiB
    SHORT = 16            # rows up to this length are searched for duplicates by comparison


cdef int shift_for(int64_t pages, int64_t links) noexcept nogil:
    """The number of low bits to drop from a page number to make a range fit the cache."""
    cdef int64_t ranges = min(links // RANGE_LINKS + 1, <int64_t>MOST_RANGES)
    cdef int shift = 0
    while (pages >> shift) >= ranges and (pages >> shift) > 0:
        shift += 1
    return shift


cdef bint open_splitter(Splitter* s, int64_t pages, int64_t links, uint64_t* pairs) noexcept nogil:
    s.shift = shift_for(pages, links)
    s.ranges = (pages >> s.shift) + 1
    s.starts = <uint64_t*>calloc(s.ranges + 1, sizeof(uint64_t))
    s.cursors = <uint64_t*>calloc(s.ranges + 1, sizeof(uint64_t))
    s.lines = <uint64_t*>malloc(s.ranges * LINE * sizeof(uint64_t))
    s.held = <uint32_t*>calloc(s.ranges, sizeof(uint32_t))
    s.pairs = pairs
    return not (s.starts == NULL or s.cursors == NULL or s.lines == NULL or s.held == NULL)


cdef void close_splitter(Splitter* s) noexcept nogil:
    free(s.starts)
    free(s.cursors)
    free(s.lines)
    free(s.held)


cdef void begin_ranges(Splitter* s) noexcept nogil:
    """Turn the counts in `starts[1:]` into starts."""
    cdef int64_t i
    for i in range(s.ranges):
        s.starts[i + 1] += s.starts[i]
        s.cursors[i] = s.starts[i]


cdef void flush(Splitter* s) noexcept nogil:
    cdef int64_t r
    for r in range(s.ranges):
        memcpy(s.pairs + s.cursors[r], s.lines + r * LINE, s.held[r] * sizeof(uint64_t))
        s.cursors[r] += s.held[r]


# A separate hash table: tagging slots with the row makes clearing it free. Grouping 3 M links takes
# 36 ms; with `_number_table.pxd` it would take 41 ms.
cdef struct Seen:
    uint64_t* slots    # (row << 32) | value
    int64_t size
    uint64_t row


cdef int64_t distinct_row(uint32_t* row, int64_t size, uint32_t own, uint32_t* into,
                          Seen* seen) noexcept nogil:
    """The distinct values of a row in order, without its own page; -1 if out of memory."""
    cdef int64_t i, j, kept = 0
    cdef uint64_t slot, tagged
    cdef uint32_t value
    if size <= SHORT:
        for i in range(size):
            value = row[i]
            if value == own:
                continue
            j = 0
            while j < kept and into[j] != value:
                j += 1
            if j == kept:
                into[kept] = value
                kept += 1
        return kept
    if seen.size < 2 * size:
        free(seen.slots)
        while seen.size < 2 * size:
            seen.size = seen.size * 2 if seen.size else 1024
        seen.slots = <uint64_t*>calloc(seen.size, sizeof(uint64_t))
        seen.row = 0
        if seen.slots == NULL:
            return -1
    seen.row += 1
    if seen.row >> 32:
        memset(seen.slots, 0, seen.size * sizeof(uint64_t))
        seen.row = 1
    for i in range(size):
        value = row[i]
        if value == own:
            continue
        tagged = (seen.row << 32) | value
        slot = (value * <uint64_t>0x9E3779B97F4A7C15) >> 20 & (seen.size - 1)
        while (seen.slots[slot] >> 32) == seen.row and seen.slots[slot] != tagged:
            slot = (slot + 1) & (seen.size - 1)
        if seen.slots[slot] != tagged:
            seen.slots[slot] = tagged
            into[kept] = value
            kept += 1
    return kept


cdef int64_t group_ranges(Splitter* s, int64_t pages, uint32_t low, bint distinct,
                          uint64_t* offsets, uint32_t* links) noexcept nogil:
    """Counting-sort every range into `offsets` and `links`; return the links written, or -1."""
    cdef int64_t r, i, j, first, last, width = <int64_t>1 << s.shift, start, stop, kept, at = 0
    cdef int64_t largest = 0
    cdef Seen seen = Seen(NULL, 0, 0)
    for r in range(s.ranges):
        largest = max(largest, <int64_t>(s.starts[r + 1] - s.starts[r]))
    cdef uint32_t* sorted_row = <uint32_t*>malloc((largest + 1) * sizeof(uint32_t))
    cdef uint64_t* cursors = <uint64_t*>malloc((width + 2) * sizeof(uint64_t))
    if sorted_row == NULL or cursors == NULL:
        free(sorted_row)
        free(cursors)
        return -1
    for r in range(s.ranges):
        first = r << s.shift
        last = first + width if first + width < pages else pages
        start = s.starts[r]
        stop = s.starts[r + 1]
        if first >= last:
            continue
        memset(cursors, 0, (last - first + 2) * sizeof(uint64_t))
        for i in range(start, stop):
            cursors[(s.pairs[i] >> 32) - first + 2] += 1
        for j in range(2, last - first + 2):
            cursors[j] += cursors[j - 1]
        for i in range(start, stop):
            j = (s.pairs[i] >> 32) - first + 1
            sorted_row[cursors[j]] = <uint32_t>s.pairs[i]
            cursors[j] += 1
        for j in range(last - first):
            offsets[first + j] = at
            i = cursors[j]
            kept = cursors[j + 1] - i
            if distinct:
                kept = distinct_row(sorted_row + i, kept, <uint32_t>(low + first + j), links + at, &seen)
                if kept < 0:
                    free(sorted_row)
                    free(cursors)
                    return -1
            else:
                memcpy(links + at, sorted_row + i, kept * sizeof(uint32_t))
            at += kept
    offsets[pages] = at
    free(sorted_row)
    free(cursors)
    free(seen.slots)
    return at


def group(const uint32_t[::1] keys, const uint32_t[::1] values, uint32_t low, int64_t pages,
          bint distinct):
    """The values of each page from low to low + pages - 1, in their original order."""
    cdef int64_t count = keys.shape[0], i, written
    cdef Splitter s
    new_offsets = np.zeros(pages + 1, np.uint64)
    new_links = np.empty(count, np.uint32)
    cdef uint64_t[::1] offsets = new_offsets
    cdef uint32_t[::1] links = new_links
    if count == 0:
        return new_offsets, new_links
    cdef const uint32_t* key = &keys[0]
    cdef const uint32_t* value = &values[0]
    cdef uint64_t[::1] pairs = np.empty(count, np.uint64)
    cdef bint ready = open_splitter(&s, pages, count, &pairs[0])
    if ready:
        with nogil:
            for i in range(count):
                s.starts[((key[i] - low) >> s.shift) + 1] += 1
            begin_ranges(&s)
            for i in range(count):
                put(&s, key[i] - low, value[i])
            flush(&s)
            written = group_ranges(&s, pages, low, distinct, &offsets[0], &links[0])
    close_splitter(&s)
    if not ready or written < 0:
        raise MemoryError
    del links
    new_links.resize(written, refcheck=False)
    return new_offsets, new_links


def count_into(uint32_t[::1] counts, const uint32_t[::1] values):
    """Add one to `counts` at each value."""
    cdef int64_t i, count = values.shape[0]
    with nogil:
        for i in range(count):
            if i + 16 < count:
                PREFETCH(&counts[values[i + 16]])
            counts[values[i]] += 1


cdef void begin_digits(uint64_t* counts, int64_t digits) noexcept nogil:
    """Turn the count of each digit into the start of its pages."""
    cdef int64_t digit
    cdef uint64_t count, total = 0
    for digit in range(digits):
        count = counts[digit]
        counts[digit] = total
        total += count


def descending(const uint32_t[::1] degrees):
    """Pages by degree, highest first; ties are in page order."""
    cdef int64_t pages = degrees.shape[0], i, digit
    cdef int shift
    first = np.arange(pages, dtype=np.uint32)
    second = np.empty(pages, np.uint32)
    cdef uint32_t[::1] a = first
    cdef uint32_t[::1] b = second
    cdef uint64_t* counts = <uint64_t*>malloc(65536 * sizeof(uint64_t))
    cdef uint32_t highest = 0
    if counts == NULL:
        raise MemoryError
    with nogil:
        for i in range(pages):
            if degrees[i] > highest:
                highest = degrees[i]
        for shift in range(0, 32, 16):
            if shift and not highest >> shift:
                break
            memset(counts, 0, 65536 * sizeof(uint64_t))
            for i in range(pages):
                counts[65535 - ((degrees[i] >> shift) & 65535)] += 1
            begin_digits(counts, 65536)
            for i in range(pages):
                digit = 65535 - ((degrees[a[i]] >> shift) & 65535)
                b[counts[digit]] = a[i]
                counts[digit] += 1
            a, b = b, a
        free(counts)
    return np.asarray(a)


def reverse(const uint64_t[::1] offsets, const uint32_t[::1] links, const uint32_t[::1] order,
            const uint32_t[::1] in_degrees):
    """The parents of each page, in the given order of pages."""
    cdef int64_t pages = offsets.shape[0] - 1, count = links.shape[0], i, j, stop, written
    cdef uint32_t page
    cdef Splitter s
    new_offsets = np.zeros(pages + 1, np.uint64)
    new_links = np.empty(count, np.uint32)
    cdef uint64_t[::1] into = new_offsets
    cdef uint32_t[::1] parents = new_links
    if count == 0:
        return new_offsets, new_links
    cdef uint64_t[::1] pairs = np.empty(count, np.uint64)
    cdef bint ready = open_splitter(&s, pages, count, &pairs[0])
    if ready:
        with nogil:
            for i in range(pages):
                s.starts[(i >> s.shift) + 1] += in_degrees[i]
            begin_ranges(&s)
            for i in range(pages):
                if i + 8 < pages:
                    PREFETCH(&offsets[order[i + 8]])
                if i + 4 < pages:
                    PREFETCH(&links[offsets[order[i + 4]]] if offsets[order[i + 4]] < <uint64_t>count else &links[0])
                page = order[i]
                stop = offsets[page + 1]
                for j in range(offsets[page], stop):
                    put(&s, links[j], page)
            flush(&s)
            written = group_ranges(&s, pages, 0, False, &into[0], &parents[0])
    close_splitter(&s)
    if not ready or written < 0:
        raise MemoryError
    return new_offsets, new_links


def by_rank(const uint32_t[::1] keys, const uint32_t[::1] values, const uint32_t[::1] ranks):
    """Pairs in a stable order by the rank of their value, for lists built one range at a time."""
    cdef int64_t count = keys.shape[0], i, digit
    cdef int shift
    pairs = np.empty(count, np.uint64)
    other = np.empty(count, np.uint64)
    cdef uint64_t[::1] a = pairs
    cdef uint64_t[::1] b = other
    cdef uint64_t counts[2048]
    cdef uint32_t highest = 0
    with nogil:
        for i in range(count):
            if i + 16 < count:
                PREFETCH(&ranks[values[i + 16]])
            a[i] = (<uint64_t>ranks[values[i]] << 32) | keys[i]
            if ranks[values[i]] > highest:
                highest = ranks[values[i]]
        for shift in range(32, 64, 11):
            if shift > 32 and not highest >> (shift - 32):
                break
            memset(counts, 0, sizeof(counts))
            for i in range(count):
                counts[(a[i] >> shift) & 2047] += 1
            begin_digits(counts, 2048)
            for i in range(count):
                digit = (a[i] >> shift) & 2047
                b[counts[digit]] = a[i]
                counts[digit] += 1
            a, b = b, a
    done = np.asarray(a)
    return done.astype(np.uint32), (done >> np.uint64(32)).astype(np.uint32)


def mark(uint8_t[::1] flags, const uint32_t[::1] values):
    """Set the flag at each value."""
    cdef int64_t i, count = values.shape[0]
    with nogil:
        for i in range(count):
            flags[values[i]] = 1


def translate(const uint32_t[::1] table, const uint32_t[::1] values):
    """table[value] for each value; IndexError if it is out of range."""
    cdef int64_t i, count = values.shape[0], size = table.shape[0]
    cdef bint inside = True
    translated = np.empty(count, np.uint32)
    cdef uint32_t[::1] into = translated
    with nogil:
        for i in range(count):
            if i + 16 < count:
                PREFETCH(&table[0] + values[i + 16])
            if values[i] >= size:
                inside = False
                break
            into[i] = table[values[i]]
    if not inside:
        raise IndexError(f"the table has {size:,} places, got {values[i]:,}")
    return translated


def split(const uint32_t[::1] keys, const uint32_t[::1] values, const uint32_t[::1] bucket_of,
          int shift, int64_t buckets):
    """Pairs in a stable order by bucket: the start of each bucket, then keys and values."""
    cdef int64_t count = keys.shape[0], i
    starts = np.zeros(buckets + 1, np.int64)
    split_keys = np.empty(count, np.uint32)
    split_values = np.empty(count, np.uint32)
    cdef int64_t[::1] begins = starts
    cdef uint32_t[::1] into_keys = split_keys
    cdef uint32_t[::1] into_values = split_values
    cdef int64_t* cursors = <int64_t*>malloc((buckets + 1) * sizeof(int64_t))
    cdef uint32_t bucket
    if cursors == NULL:
        raise MemoryError
    with nogil:
        for i in range(count):
            begins[bucket_of[keys[i] >> shift] + 1] += 1
        for i in range(buckets):
            begins[i + 1] += begins[i]
            cursors[i] = begins[i]
        for i in range(count):
            bucket = bucket_of[keys[i] >> shift]
            into_keys[cursors[bucket]] = keys[i]
            into_values[cursors[bucket]] = values[i]
            cursors[bucket] += 1
        free(cursors)
    return starts, split_keys, split_values
