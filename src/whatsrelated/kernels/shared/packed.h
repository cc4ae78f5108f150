/* Packed links: blocks of sixteen pages, and lists of distances in bits.

   The index has a line of 20 bytes per sixteen pages: the word of the data at which their block
   begins (32 bits), and the degree of each page (8 bits).  If that is LONG, the page has one of
   the long entries, which are sorted: page, degree, and the word of its list (32 bits each).  So
   degrees are never read from the data.
   A block is a head of 9 bits, three starts, and the lists of its pages.  The head has the width
   of a start (5 bits) and the table of widths (4 bits).  The starts are the distances in bits
   from the first list to those of the fifth, ninth and thirteenth page; from there, the
   selectors of each list give the start of the next.
   A list is a selector of three bits per link, then for each link as many bits as the table
   gives its selector.  Selectors 0 to 3: the distance from the link before (for the first link,
   from the page itself); 4 to 6: the distance from the page itself; 7: the target's number.
   A distance is never 0; it is stored minus 1, above a bit that is set if it is negative.
   A long list is stored separately: its table (32 bits), the words of its chunks except the
   first (32 bits each, relative to the list), then the chunks, each a list of CHUNK links.
   Blocks, long lists and chunks begin at 64-bit words; one more word ends the data. */

#ifndef PACKED_LINKS
#define PACKED_LINKS

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PAGES_IN_BLOCK 16
#define PAGES_IN_GROUP 4  /* the first of them has a start */
#define STARTS (PAGES_IN_BLOCK / PAGES_IN_GROUP - 1)
#define LINE_BYTES (4 + PAGES_IN_BLOCK)
#define LONG 255
#define HEAD_BITS 9
#define TABLES 16
#define FEWEST_BITS 3
#define CHUNK 256
#define SELECTORS 512  /* combinations of three selectors */

typedef const uint16_t (*SumsOfTables)[SELECTORS];

/* One direction of a graph; `wide` is the number of bits of a page number. */
typedef struct {
    const uint8_t *index, *data;
    const uint32_t *longs;
    size_t n_longs;
    uint32_t wide;
    SumsOfTables sums;
} Packed;

static inline uint64_t load_64(const uint8_t *at) { uint64_t x; memcpy(&x, at, 8); return x; }
static inline uint32_t load_32(const uint8_t *at) { uint32_t x; memcpy(&x, at, 4); return x; }
static inline uint32_t load_16(const uint8_t *at) { uint16_t x; memcpy(&x, at, 2); return x; }

/* Up to 57 bits, starting at `bit`. */
static inline uint64_t load_bits(const uint8_t *from, uint64_t bit, uint32_t bits) {
    return (load_64(from + (bit >> 3)) >> (bit & 7)) & (((uint64_t)1 << bits) - 1);
}

/* The widths of the selectors 0 to 6 of every table, one byte each, lowest first. */
#define WIDTHS(a, b, c, d, e, f, g) \
    ((uint64_t)g << 48 | (uint64_t)f << 40 | (uint64_t)e << 32 | d << 24 | c << 16 | b << 8 | a)
static const uint64_t WIDTHS_OF_TABLE[TABLES] = {
    WIDTHS(0, 4, 8, 10, 2, 6, 11),
    WIDTHS(2, 6, 12, 17, 4, 16, 18),
    WIDTHS(0, 4, 14, 21, 6, 9, 11),
    WIDTHS(0, 2, 5, 9, 3, 7, 13),
    WIDTHS(0, 6, 9, 13, 8, 11, 17),
    WIDTHS(9, 11, 13, 17, 5, 12, 15),
    WIDTHS(2, 5, 8, 10, 6, 11, 13),
    WIDTHS(8, 10, 13, 16, 10, 12, 18),
    WIDTHS(10, 12, 14, 17, 13, 15, 16),
    WIDTHS(8, 11, 18, 21, 5, 20, 22),
    WIDTHS(1, 5, 13, 16, 3, 14, 18),
    WIDTHS(5, 10, 18, 21, 6, 8, 17),
    WIDTHS(0, 4, 7, 14, 10, 12, 21),
    WIDTHS(9, 11, 12, 18, 11, 13, 14),
    WIDTHS(5, 7, 13, 17, 6, 9, 18),
    WIDTHS(11, 13, 15, 17, 9, 16, 21),
};

/* The widths of the eight selectors; the last holds any page, in `wide` bits. */
static inline uint64_t widths_of(uint32_t table, uint32_t wide) {
    return WIDTHS_OF_TABLE[table] | (uint64_t)wide << 56;
}

/* By table and three selectors: the bits of the selectors and their links and, above 14 bits, the
   number of selectors 7, whose links take another `wide` bits. */
static inline SumsOfTables sums_of_tables(void) {
    static uint16_t sums[TABLES][SELECTORS];
    uint32_t table, three, shift, selector, sum;
    if (sums[0][0]) return (SumsOfTables)sums;
    for (table = TABLES; table--;)
        for (three = SELECTORS; three--; sums[table][three] = (uint16_t)sum)
            for (sum = shift = 0; shift < 9; shift += 3) {
                selector = three >> shift & 7;
                sum += 3 + (WIDTHS_OF_TABLE[table] >> (8 * selector) & 63) + (selector / 7 << 14);
            }
    return (SumsOfTables)sums;
}

/* The line of the index for a page. */
static inline const uint8_t *line_of(const Packed *packed, uint32_t page) {
    return packed->index + LINE_BYTES * (size_t)(page / PAGES_IN_BLOCK);
}

/* The degree of a page, or LONG. */
static inline uint32_t short_degree(const Packed *packed, uint32_t page) {
    return line_of(packed, page)[4 + page % PAGES_IN_BLOCK];
}

/* Degree and word of a page's long list; a degree of 0 if it has none. */
static inline const uint32_t *long_of(const Packed *packed, uint32_t page) {
    static const uint32_t none[2] = {0, 0};
    const uint32_t *low = packed->longs;
    size_t count = packed->n_longs, half;
    while (count > 1) {
        half = count / 2;
        low = low[3 * half] <= page ? low + 3 * half : low;
        count -= half;
    }
    return count && *low == page ? low + 1 : none;
}

static inline uint64_t packed_degree(const Packed *packed, uint32_t page) {
    uint32_t degree = short_degree(packed, page);
    return degree == LONG ? long_of(packed, page)[0] : degree;
}

/* The bit at which the block of a page begins. */
static inline uint64_t block_of(const Packed *packed, uint32_t page) {
    return 64 * (uint64_t)load_32(line_of(packed, page));
}

/* The bit at which the first list of a group of a block begins. */
static inline uint64_t group_of(const Packed *packed, uint64_t block, uint32_t group) {
    uint32_t bits = load_16(packed->data + block / 8) & 31;
    uint64_t lists = block + HEAD_BITS + STARTS * bits;
    return group ? lists + load_bits(packed->data, block + HEAD_BITS + (group - 1) * bits, bits) : lists;
}

/* The table of widths of a block. */
static inline uint32_t table_of(const Packed *packed, uint64_t block) {
    return load_16(packed->data + block / 8) >> 5 & 15;
}

/* The size in bits of the list of up to CHUNK links that begins at the bit `start`. */
static inline uint64_t bits_of_list(
    const Packed *packed, uint32_t table, uint64_t start, uint32_t degree
) {
    const uint16_t *sums = packed->sums[table];
    uint32_t sum = 0, left = degree;
    uint64_t selectors;
    for (;; start += 45, left -= 15) {
        selectors = load_64(packed->data + (start >> 3)) >> (start & 7);
        if (left < 15) selectors &= ((uint64_t)1 << 3 * left) - 1;
        sum += sums[selectors & 511] + sums[selectors >> 9 & 511] + sums[selectors >> 18 & 511]
            + sums[selectors >> 27 & 511] + sums[selectors >> 36 & 511];
        if (left <= 15) break;
    }
    sum -= (15 - left) * (3 + (uint32_t)(WIDTHS_OF_TABLE[table] & 63));  /* selectors of 0 */
    return (sum & 0x3FFF) + (uint64_t)packed->wide * (sum >> 14);
}

/* The bit at which a page's list begins, if it is not long. */
static inline uint64_t list_of(const Packed *packed, uint32_t page, uint32_t table) {
    const uint8_t *degree = line_of(packed, page) + 4;
    uint32_t place = page % PAGES_IN_BLOCK, i = place - place % PAGES_IN_GROUP;
    uint64_t start = group_of(packed, block_of(packed, page), place / PAGES_IN_GROUP);
    for (; i < place; i++)
        if (degree[i] != LONG && degree[i]) start += bits_of_list(packed, table, start, degree[i]);
    return start;
}

/* The data to prefetch before a page's list is read; for a page without links, the data is not
   touched. */
static inline const uint8_t *beginning_of(const Packed *packed, uint32_t page) {
    uint32_t degree = short_degree(packed, page);
    uint64_t at = block_of(packed, page);
    if (degree == LONG) return packed->data + 8 * (size_t)long_of(packed, page)[1];
    if (degree) at = group_of(packed, at, page % PAGES_IN_BLOCK / PAGES_IN_GROUP);
    return packed->data + at / 8;
}

/* By selector: masks for the link before and for the page itself, and whether it is a distance. */
static const uint32_t FROM[8][3] = {
    {~0u, 0, 1}, {~0u, 0, 1}, {~0u, 0, 1}, {~0u, 0, 1},
    {0, ~0u, 1}, {0, ~0u, 1}, {0, ~0u, 1}, {0, 0, 0},
};

/* Decode the first links of a list; return the bit after them.  No branch depends on the
   selectors. */
static inline uint64_t decode_list(
    const uint8_t *data, uint64_t start, size_t degree, size_t count, uint32_t page,
    uint64_t widths, uint32_t *into
) {
    uint64_t bit = start + 3 * degree, selectors;
    uint32_t previous = page, width, value, back;
    const uint32_t *from;
    size_t i, end;
    for (i = 0; i < count; start += 48) {
        selectors = load_64(data + (start >> 3)) >> (start & 7);
        end = i + 16 < count ? i + 16 : count;
        for (; i < end; i++) {
            from = FROM[selectors & 7];
            width = (widths >> ((selectors & 7) * 8)) & 63;
            selectors >>= 3;
            value = (uint32_t)load_bits(data, bit, width);
            bit += width;
            back = 0 - (value & from[2]);
            value = (((value >> from[2]) + from[2]) ^ back) - back + (page & from[1]);
            into[i] = previous = (previous & from[0]) + value;
        }
    }
    return bit;
}

/* The number of words of a long list before its first chunk. */
static inline uint64_t words_before_chunks(uint64_t degree) {
    return ((degree - 1) / CHUNK + 2) / 2;
}

/* Decode `count` links of a page, starting at `first`; in a long list, earlier chunks are
   skipped.  `aside` has room for CHUNK links. */
static inline void decode_part(
    const Packed *packed, uint32_t page, uint64_t first, uint64_t count, uint32_t *into,
    uint32_t *aside
) {
    const uint8_t *list;
    uint64_t degree = short_degree(packed, page), widths, chunk, skipped, size, start;
    uint32_t table;
    if (degree != LONG) {
        table = table_of(packed, block_of(packed, page));
        widths = widths_of(table, packed->wide);
        start = list_of(packed, page, table);
        if (first == 0) {
            decode_list(packed->data, start, degree, count, page, widths, into);
            return;
        }
        decode_list(packed->data, start, degree, first + count, page, widths, aside);
        memcpy(into, aside + first, 4 * count);
        return;
    }
    degree = long_of(packed, page)[0];
    list = packed->data + 8 * (size_t)long_of(packed, page)[1];
    widths = widths_of(load_32(list) % TABLES, packed->wide);
    for (; count; into += size, first += size, count -= size) {
        chunk = first / CHUNK;
        skipped = first % CHUNK;
        size = degree - chunk * CHUNK < CHUNK ? degree - chunk * CHUNK : CHUNK;
        start = 64 * (chunk ? load_32(list + 4 * chunk) : words_before_chunks(degree));
        if (skipped == 0) {
            uint64_t wanted = size < count ? size : count;
            decode_list(list, start, size, wanted, page, widths, into);
            size = wanted;
        } else {
            decode_list(list, start, size, size, page, widths, aside);
            size -= skipped;
            if (size > count) size = count;
            memcpy(into, aside + skipped, 4 * size);
        }
    }
}

#endif
