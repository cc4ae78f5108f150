/* Packed links: blocks of sixteen pages, and lists of distances in bits.

   The index has a line of 20 bytes for every sixteen pages: the word of the data at which their
   block begins, in 32 bits, and the degree of each page, in 8.  Where that is LONG, the page has
   an entry among the long ones, which are sorted: page, degree, and the word of its list, in 32
   bits each.  So no degree is looked up in the data.
   A block is a head of 9 bits, three starts, and the lists of its pages, one after another.  The
   head says how many bits a start takes, in 5, and the table of widths, in 4.  The starts say how
   many bits after the first list those of the fifth, ninth and thirteenth page begin; between
   them the selectors of a list tell where the next begins.
   A list is a selector of three bits for each link, then of each link as many bits as the
   table gives its selector: 0 to 3 stand for the distance to the link before, or to the page
   itself at first, 4 to 6 for the distance to the page itself, 7 for the page that is linked
   to.  A distance is never 0; it is stored less 1, above a bit that says whether it leads back.
   A long list stands by itself: its table in 32 bits, the words of its chunks but the first
   (counted from its beginning, 32 bits each), then the chunks, each a list of CHUNK links.
   Blocks, long lists and chunks begin at words of 64 bits; one word more ends the data. */

#ifndef PACKED_LINKS
#define PACKED_LINKS

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PAGES_IN_BLOCK 16
#define PAGES_IN_GROUP 4  /* one of them has a start */
#define STARTS (PAGES_IN_BLOCK / PAGES_IN_GROUP - 1)
#define LINE_BYTES (4 + PAGES_IN_BLOCK)
#define LONG 255
#define HEAD_BITS 9
#define TABLES 16
#define FEWEST_BITS 3
#define CHUNK 256
#define SELECTORS 512  /* that three in a row can be */

typedef const uint16_t (*SumsOfTables)[SELECTORS];

/* One direction of a graph; `wide` is the bits of the number of a page. */
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

/* Up to 57 bits from a bit on. */
static inline uint64_t load_bits(const uint8_t *from, uint64_t bit, uint32_t bits) {
    return (load_64(from + (bit >> 3)) >> (bit & 7)) & (((uint64_t)1 << bits) - 1);
}

/* The widths of the selectors 0 to 6 of every table, a byte each from the lowest on. */
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

/* The widths of the eight selectors; the last takes any page, in `wide` bits. */
static inline uint64_t widths_of(uint32_t table, uint32_t wide) {
    return WIDTHS_OF_TABLE[table] | (uint64_t)wide << 56;
}

/* By table and three selectors: the bits that they and their links take, and above 14 bits how
   many of them are 7, whose links take `wide` bits more. */
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

/* Of the index, what tells of a page. */
static inline const uint8_t *line_of(const Packed *packed, uint32_t page) {
    return packed->index + LINE_BYTES * (size_t)(page / PAGES_IN_BLOCK);
}

/* The degree of a page, or LONG. */
static inline uint32_t short_degree(const Packed *packed, uint32_t page) {
    return line_of(packed, page)[4 + page % PAGES_IN_BLOCK];
}

/* Degree and word of the list of a page that has an entry; a degree of 0 where it has none. */
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

/* How many bits a list of up to CHUNK links takes that begins at a bit of the data. */
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

/* The bit at which the list of a page begins that is not long. */
static inline uint64_t list_of(const Packed *packed, uint32_t page, uint32_t table) {
    const uint8_t *degree = line_of(packed, page) + 4;
    uint32_t place = page % PAGES_IN_BLOCK, i = place - place % PAGES_IN_GROUP;
    uint64_t start = group_of(packed, block_of(packed, page), place / PAGES_IN_GROUP);
    for (; i < place; i++)
        if (degree[i] != LONG && degree[i]) start += bits_of_list(packed, table, start, degree[i]);
    return start;
}

/* What of the data is to be in the cache before the list of a page is read; where a page has no
   links, nothing of it is looked at. */
static inline const uint8_t *beginning_of(const Packed *packed, uint32_t page) {
    uint32_t degree = short_degree(packed, page);
    uint64_t at = block_of(packed, page);
    if (degree == LONG) return packed->data + 8 * (size_t)long_of(packed, page)[1];
    if (degree) at = group_of(packed, at, page % PAGES_IN_BLOCK / PAGES_IN_GROUP);
    return packed->data + at / 8;
}

/* By selector: whether the link before counts, whether the page itself does, and whether there is
   a distance at all. */
static const uint32_t FROM[8][3] = {
    {~0u, 0, 1}, {~0u, 0, 1}, {~0u, 0, 1}, {~0u, 0, 1},
    {0, ~0u, 1}, {0, ~0u, 1}, {0, ~0u, 1}, {0, 0, 0},
};

/* The first links of a list, and the bit after them.  Selectors stand at known places, and no
   branch depends on them. */
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

/* Words of a long list before its first chunk. */
static inline uint64_t words_before_chunks(uint64_t degree) {
    return ((degree - 1) / CHUNK + 2) / 2;
}

/* Some links of a page from a place on; of a long list whole chunks before it are left alone.
   `aside` has room for CHUNK links. */
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
