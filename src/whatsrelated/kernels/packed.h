/* Packed links: blocks of sixteen pages, and lists of distances in bits.

   The index has, for every sixteen pages, the word of the data at which their block begins.
   A block is a head of 16 bits, a field for each page, and the lists of the pages, one after
   another.  The head says, in four bits each: the bits of a degree, the bits of a rest, how
   many bits more than 3 a link takes at `least`, and the table of widths.  A field is a degree
   and a rest; the list takes least * degree + rest bits.
   A list is a selector of three bits for each link, then of each link as many bits as the
   table gives its selector: 0 to 3 stand for the distance to the link before, or to the page
   itself at first, 4 to 6 for the distance to the page itself, 7 for the page that is linked
   to.  A distance is never 0; it is stored less 1, above a bit that says whether it leads back.
   A list whose degree does not fit into the field stands apart, and all bits of the degree are
   set: its 64 bits in the block say how many links it has and how many words before the block
   it begins.  There stand the words of its chunks but the first (counted from its beginning,
   32 bits each), then the chunks, each a list of CHUNK links.
   Blocks, lists apart and chunks begin at words of 64 bits; one word more ends the data. */

#ifndef PACKED_LINKS
#define PACKED_LINKS

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PAGES_IN_BLOCK 16
#define HEAD_BITS 16
#define TABLES 16
#define FEWEST_BITS 3
#define MOST_DEGREE_BITS 10
#define MOST_SHORT 1024
#define CHUNK 256

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

typedef struct {
    uint32_t degree_bits, rest_bits, least, table;
} Head;

static inline Head head_of(const uint8_t *block) {
    uint32_t head = load_16(block);
    Head found = {head & 15, head >> 4 & 15, FEWEST_BITS + (head >> 8 & 15), head >> 12};
    return found;
}

static inline uint32_t apart_of(Head head) { return (1u << head.degree_bits) - 1; }

static inline uint32_t field_of(const uint8_t *block, Head head, uint32_t place) {
    uint32_t bits = head.degree_bits + head.rest_bits;
    return (uint32_t)load_bits(block, HEAD_BITS + place * bits, bits);
}

/* How many bits the list of a field takes in its block. */
static inline uint32_t bits_of_field(Head head, uint32_t field) {
    uint32_t degree = field & apart_of(head);
    uint32_t bits = head.least * degree + (field >> head.degree_bits);
    return degree == apart_of(head) ? 64 : bits;
}

/* The bit of a block at which the list of one of its pages begins. */
static inline uint32_t start_of(const uint8_t *block, Head head, uint32_t place) {
    uint32_t bit = HEAD_BITS + PAGES_IN_BLOCK * (head.degree_bits + head.rest_bits), i;
    for (i = 0; i < place; i++) bit += bits_of_field(head, field_of(block, head, i));
    return bit;
}

static inline const uint8_t *block_of(const uint8_t *index, const uint8_t *data, uint32_t page) {
    return data + 8 * (size_t)load_32(index + 4 * (size_t)(page / PAGES_IN_BLOCK));
}

/* Where the list of a page begins, or what says where it stands apart. */
static inline const uint8_t *list_of(const uint8_t *index, const uint8_t *data, uint32_t page) {
    const uint8_t *block = block_of(index, data, page);
    return block + start_of(block, head_of(block), page % PAGES_IN_BLOCK) / 8;
}

static inline uint64_t packed_degree(const uint8_t *index, const uint8_t *data, uint32_t page) {
    const uint8_t *block = block_of(index, data, page);
    Head head = head_of(block);
    uint32_t place = page % PAGES_IN_BLOCK, degree;
    degree = field_of(block, head, place) & apart_of(head);
    if (degree != apart_of(head)) return degree;
    return load_bits(block, start_of(block, head, place), 32);
}

/* By selector: whether the link before counts, whether the page itself does, and whether there is
   a distance at all. */
static const uint32_t FROM[8][3] = {
    {~0u, 0, 1}, {~0u, 0, 1}, {~0u, 0, 1}, {~0u, 0, 1},
    {0, ~0u, 1}, {0, ~0u, 1}, {0, ~0u, 1}, {0, 0, 0},
};

/* The first links of a list.  Selectors stand at known places, and no branch depends on them. */
static inline void decode_list(
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
}

/* Some links of a page from a place on; of a list apart whole chunks before it are left alone.
   `aside` has room for MOST_SHORT links. */
static inline void decode_part(
    const uint8_t *index, const uint8_t *data, uint32_t page, uint32_t wide,
    uint64_t first, uint64_t count, uint32_t *into, uint32_t *aside
) {
    const uint8_t *block = block_of(index, data, page), *list;
    Head head = head_of(block);
    uint32_t place = page % PAGES_IN_BLOCK, start = start_of(block, head, place);
    uint64_t degree = field_of(block, head, place) & apart_of(head), widths, chunk, skipped, size;
    widths = widths_of(head.table, wide);
    if (degree != apart_of(head)) {
        if (first == 0) { decode_list(block, start, degree, count, page, widths, into); return; }
        decode_list(block, start, degree, first + count, page, widths, aside);
        memcpy(into, aside + first, 4 * count);
        return;
    }
    degree = load_bits(block, start, 32);
    list = block - 8 * (size_t)load_bits(block, start + 32, 32);
    for (; count; into += size, first += size, count -= size) {
        chunk = first / CHUNK;
        skipped = first % CHUNK;
        size = degree - chunk * CHUNK < CHUNK ? degree - chunk * CHUNK : CHUNK;
        place = chunk ? load_32(list + 4 * (chunk - 1)) : (uint32_t)((degree - 1) / CHUNK + 1) / 2;
        start = 0;
        block = list + 8 * (size_t)place;
        if (skipped == 0) {
            uint64_t wanted = size < count ? size : count;
            decode_list(block, 0, size, wanted, page, widths, into);
            size = wanted;
        } else {
            decode_list(block, 0, size, size, page, widths, aside);
            size -= skipped;
            if (size > count) size = count;
            memcpy(into, aside + skipped, 4 * size);
        }
    }
}

/* How many bits a list takes, or more than `most` where it takes more. */
static inline uint64_t bits_of_list(
    const uint8_t *data, uint64_t start, size_t degree, uint64_t widths, uint64_t most
) {
    uint64_t bits = 3 * (uint64_t)degree;
    size_t i;
    if (bits > most) return bits;
    for (i = 0; i < degree; i++)
        bits += (widths >> (load_bits(data, start + 3 * i, 3) * 8)) & 63;
    return bits;
}

#endif
