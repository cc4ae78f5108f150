# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, binding=False, auto_pickle=False
"""Group links one range of pages at a time, in memory that the caller reuses.

Fresh memory costs as much time as the sorting itself, since the operating system clears it. The
caller therefore provides the words (a key and a value each), and the same amount as scratch. On
disk, a pair is its key within the range, in as few bytes as possible, and one byte for the
increase of its value since the previous pair. The increase is small if pairs are sorted by value.
If it is FAR or more, or negative, the value follows in four bytes.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from whatsrelated.kernels.shared._memory cimport PREFETCH
from whatsrelated.kernels.building._link_sorting cimport (
    Splitter, begin_digits, begin_ranges, close_splitter, flush, group_ranges, open_splitter, put
)

import numpy as np

cdef enum:
    BITS = 11                 # bits of a rank sorted in one pass
    DIGITS = 1 << BITS
    FAR = 255


def count_blocks(int64_t[::1] counts, const uint32_t[::1] values, int shift):
    """Add one to `counts` for each value, at `value >> shift`."""
    cdef int64_t i, count = values.shape[0]
    with nogil:
        for i in range(count):
            counts[values[i] >> shift] += 1


def scatter(const uint32_t[::1] keys, const uint32_t[::1] values, const uint32_t[::1] bucket_of,
            int shift, const uint32_t[::1] lows, int key_bytes, uint32_t[::1] before,
            int64_t[::1] counts, uint8_t[::1] into):
    """Pairs in a stable order by bucket, as bytes: the key minus the bucket's lowest key, and the
    value.
    """
    cdef int64_t count = keys.shape[0], buckets = lows.shape[0], i
    starts = np.zeros(buckets + 1, np.int64)
    cdef int64_t[::1] begins = starts
    cdef uint32_t[::1] last = np.array(before)
    cdef uint8_t** cursors = <uint8_t**>malloc((buckets + 1) * sizeof(uint8_t*))
    cdef uint32_t bucket, key, value
    cdef uint8_t* at
    if cursors == NULL:
        raise MemoryError
    if into.shape[0] < (key_bytes + 5) * count:
        free(cursors)
        raise ValueError("too little room for the pairs")
    with nogil:
        for i in range(count):
            bucket = bucket_of[keys[i] >> shift]
            begins[bucket + 1] += key_bytes + (5 if values[i] - last[bucket] >= FAR else 1)
            counts[bucket] += 1
            last[bucket] = values[i]
        for i in range(buckets):
            cursors[i] = &into[0] + begins[i]
            begins[i + 1] += begins[i]
        for i in range(count):
            bucket = bucket_of[keys[i] >> shift]
            at = cursors[bucket]
            key, value = keys[i] - lows[bucket], values[i]
            if key_bytes == 3:
                at[0] = <uint8_t>key
                at[1] = <uint8_t>(key >> 8)
                at[2] = <uint8_t>(key >> 16)
            else:
                memcpy(at, &key, key_bytes)
            at += key_bytes
            if value - before[bucket] < FAR:
                at[0] = <uint8_t>(value - before[bucket])
                cursors[bucket] = at + 1
            else:
                at[0] = FAR
                memcpy(at + 1, &value, 4)
                cursors[bucket] = at + 5
            before[bucket] = value
        free(cursors)
    return starts


def gather(const uint8_t[::1] data, int key_bytes, uint64_t[::1] into):
    """Decode as many pairs of a bucket as `into` holds, as words: key << 32 | value."""
    cdef int64_t i, count = into.shape[0]
    cdef uint32_t key = 0, value = 0, mask = <uint32_t>((<uint64_t>1 << (8 * key_bytes)) - 1)
    cdef const uint8_t* at = &data[0] if data.shape[0] else NULL
    cdef const uint8_t* end = at + data.shape[0]
    cdef bint complete = True
    with nogil:
        for i in range(count):
            if end - at <= key_bytes:
                complete = False
                break
            memcpy(&key, at, 4 if end - at >= 4 else key_bytes)
            at += key_bytes
            if at[0] < FAR:
                value += at[0]
                at += 1
            elif end - at >= 5:
                memcpy(&value, at + 1, 4)
                at += 5
            else:
                complete = False
                break
            into[i] = <uint64_t>(key & mask) << 32 | value
    if not complete:
        raise ValueError("too few pairs")


def distinct_rows(const uint64_t[::1] words, uint32_t low, uint64_t[::1] spare,
                  uint64_t[::1] offsets, uint32_t[::1] links):
    """The distinct values of each key, in order, without the page `low + key` itself."""
    cdef int64_t count = words.shape[0], pages = offsets.shape[0] - 1, i, written
    cdef Splitter s
    if count == 0:
        offsets[:] = 0
        return 0
    if spare.shape[0] < count or links.shape[0] < count:
        raise ValueError("too little room for the links")
    cdef bint ready = open_splitter(&s, pages, count, &spare[0])
    if ready:
        with nogil:
            for i in range(count):
                s.starts[(words[i] >> 32 >> s.shift) + 1] += 1
            begin_ranges(&s)
            for i in range(count):
                put(&s, <uint32_t>(words[i] >> 32), <uint32_t>words[i])
            flush(&s)
            written = group_ranges(&s, pages, low, True, &offsets[0], &links[0])
    close_splitter(&s)
    if not ready or written < 0:
        raise MemoryError
    return written


cdef uint64_t* sort_ranks(uint64_t* words, uint64_t* spare, int64_t count, uint32_t highest,
                          uint64_t* counts) noexcept nogil:
    """Sort words stably by their upper half, digit by digit.

    Return the buffer that holds the result.
    """
    cdef int shift = 32
    cdef int64_t i, digit
    while shift == 32 or shift < 64 and highest >> (shift - 32):
        memset(counts, 0, DIGITS * sizeof(uint64_t))
        for i in range(count):
            counts[(words[i] >> shift) & (DIGITS - 1)] += 1
        begin_digits(counts, DIGITS)
        for i in range(count):
            digit = (words[i] >> shift) & (DIGITS - 1)
            spare[counts[digit]] = words[i]
            counts[digit] += 1
        words, spare = spare, words
        shift += BITS
    return words


def ranked_rows(uint64_t[::1] words, const uint32_t[::1] ranks, const uint32_t[::1] order,
                uint64_t[::1] spare, uint64_t[::1] offsets, uint32_t[::1] links):
    """The values of each key, lowest rank first; `order` has the value of each rank."""
    cdef int64_t count = words.shape[0], pages = offsets.shape[0] - 1, i, written = -1
    cdef uint32_t highest = 0, rank
    cdef uint64_t counts[DIGITS]
    cdef uint64_t* by_rank
    cdef Splitter s
    if count == 0:
        offsets[:] = 0
        return
    if spare.shape[0] < count or links.shape[0] < count:
        raise ValueError("too little room for the links")
    with nogil:
        for i in range(count):
            if i + 16 < count:
                PREFETCH(&ranks[<uint32_t>words[i + 16]])
            rank = ranks[<uint32_t>words[i]]
            words[i] = (<uint64_t>rank << 32) | (words[i] >> 32)
            if rank > highest:
                highest = rank
        by_rank = sort_ranks(&words[0], &spare[0], count, highest, counts)
        if open_splitter(&s, pages, count, &words[0] if by_rank == &spare[0] else &spare[0]):
            for i in range(count):
                s.starts[(<uint32_t>by_rank[i] >> s.shift) + 1] += 1
            begin_ranges(&s)
            for i in range(count):
                put(&s, <uint32_t>by_rank[i], order[by_rank[i] >> 32])
            flush(&s)
            written = group_ranges(&s, pages, 0, False, &offsets[0], &links[0])
        close_splitter(&s)
    if written < 0:
        raise MemoryError
