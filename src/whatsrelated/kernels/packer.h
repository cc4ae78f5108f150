/* Writing packed links, block by block; `packed.h` has the layout. */

#ifndef LINK_PACKER
#define LINK_PACKER

#include "packed.h"

#define CLASSES 34  /* the bits of a distance, and one more for what no distance stands for */
#define KINDS (CLASSES * CLASSES)

/* What a link takes by the classes of its two distances, eight tables a word; its selector, by
   table. */
typedef struct {
    uint64_t bits[KINDS][TABLES / 8];
    uint8_t selectors[TABLES][KINDS];
    uint64_t widths[TABLES];
} Codes;

static void fill_codes(Codes *codes, uint32_t wide) {
    uint32_t table, kind, selector, width, fewest, class;
    memset(codes, 0, sizeof *codes);
    for (table = 0; table < TABLES; table++) {
        codes->widths[table] = widths_of(table, wide);
        for (kind = 0; kind < KINDS; kind++) {
            fewest = wide;
            codes->selectors[table][kind] = 7;
            for (selector = 7; selector--;) {  /* of equal widths the lowest selector */
                width = (codes->widths[table] >> (8 * selector)) & 63;
                class = selector < 4 ? kind / CLASSES : kind % CLASSES;
                if (class <= width && width <= fewest) {
                    fewest = width;
                    codes->selectors[table][kind] = (uint8_t)selector;
                }
            }
            codes->bits[kind][table / 8] |= (uint64_t)(FEWEST_BITS + fewest) << (8 * (table % 8));
        }
    }
}

/* A distance as it is stored. */
static inline uint64_t fold(uint32_t link, uint32_t from) {
    int64_t distance = (int64_t)link - from, back = -(int64_t)(link < from);
    return 2 * (uint64_t)((distance ^ back) - back) - 2 + (uint64_t)(back & 1);
}

static inline uint32_t class_of(uint32_t link, uint32_t from) {
    uint64_t folded = fold(link, from);
    uint32_t bits = 0;
    if (link == from) return CLASSES - 1;
#if defined(__GNUC__)
    bits = 64 - (uint32_t)__builtin_clzll(folded | 1) - (folded == 0);
#else
    while (folded >> bits) bits++;
#endif
    return bits;
}

/* Bits one after another; up to eight bytes past the last are written, too. */
typedef struct {
    uint8_t *at;
    uint64_t held;
    uint32_t fill;  /* bits of `held`, less than 8 between calls */
} BitWriter;

static inline void put(BitWriter *to, uint64_t value, uint32_t bits) {
    to->held |= value << to->fill;
    memcpy(to->at, &to->held, 8);
    to->fill += bits;
    to->at += to->fill >> 3;
    to->held >>= to->fill & 56;
    to->fill &= 7;
}

/* Go on at the next word, counted from `begin`. */
static inline void end_word(BitWriter *to, uint8_t *begin) {
    memcpy(to->at, &to->held, 8);
    if (to->fill) to->at++;
    memset(to->at, 0, 8);
    to->at += (8 - (to->at - begin) % 8) % 8;
    to->held = to->fill = 0;
}

/* Write a list; its first link counts from the page itself, wherever the list is cut. */
static void put_list(
    BitWriter *writer, const Codes *codes, uint32_t table, const uint32_t *links,
    const uint16_t *kinds, size_t count, uint32_t page
) {
    const uint8_t *selectors = codes->selectors[table];
    uint64_t widths = codes->widths[table], together = 0, value;
    uint32_t first = count ? selectors[kinds[0] % CLASSES * (CLASSES + 1)] : 0;
    uint32_t previous = page, selector, shift = 0;
    const uint32_t *from;
    BitWriter to = *writer;
    size_t i;
    for (i = 0; i < count; i++) {
        together |= (uint64_t)(i ? selectors[kinds[i]] : first) << shift;
        shift += 3;
        if (shift == 48 || i + 1 == count) {
            put(&to, together, shift);
            together = shift = 0;
        }
    }
    for (i = 0; i < count; i++) {
        selector = i ? selectors[kinds[i]] : first;
        from = FROM[selector];
        value = fold(links[i], (previous & from[0]) + (page & from[1]));
        value ^= (value ^ links[i]) & (from[2] - (uint64_t)1);
        put(&to, value, (widths >> (8 * selector)) & 63);
        previous = links[i];
    }
    *writer = to;
}

/* Write a long list; its chunks are found by their words. */
static void put_long(
    BitWriter *to, const Codes *codes, uint32_t table, const uint32_t *links,
    const uint16_t *kinds, uint64_t degree, uint32_t page
) {
    uint8_t *begin = to->at;
    uint64_t at;
    uint32_t word;
    to->at += 8 * words_before_chunks(degree);
    memset(to->at - 8, 0, 8);
    memcpy(begin, &table, 4);
    for (at = 0; at < degree; at += CHUNK) {
        word = (uint32_t)((to->at - begin) / 8);
        if (at) memcpy(begin + 4 * (at / CHUNK), &word, 4);
        put_list(
            to, codes, table, links + at, kinds + at, degree - at < CHUNK ? degree - at : CHUNK,
            page);
        end_word(to, begin);
    }
}

typedef uint64_t Sizes[TABLES];  /* bits of some lists in every table */

/* Find the kind of every link of a page, and how many bits its list takes in every table. */
static void measure(
    const Codes *codes, const uint32_t *links, uint64_t count, uint32_t page, uint16_t *kinds,
    uint64_t *sizes
) {
    const uint64_t every_other = 0x00FF00FF00FF00FF;
    uint64_t sums[4], i = 0, end, bits;
    uint32_t previous = page, kind, table;
    while (i < count) {
        end = i + CHUNK < count ? i + CHUNK : count;  /* sums of 16 bits hold a chunk */
        for (memset(sums, 0, sizeof sums); i < end; i++) {
            kind = class_of(links[i], previous) * CLASSES + class_of(links[i], page);
            kinds[i] = (uint16_t)kind;
            bits = codes->bits[kind][0];
            sums[0] += bits & every_other;
            sums[1] += bits >> 8 & every_other;
            bits = codes->bits[kind][1];
            sums[2] += bits & every_other;
            sums[3] += bits >> 8 & every_other;
            previous = links[i];
        }
        for (table = 0; table < TABLES; table++)
            sizes[table] += sums[table / 8 * 2 + table % 2] >> (table % 8 / 2 * 16) & 0xFFFF;
    }
}

static uint32_t choose_table(const uint64_t *sizes) {
    uint32_t table, best = 0;
    for (table = 1; table < TABLES; table++)
        if (sizes[table] < sizes[best]) best = table;
    return best;
}

/* Write the long lists of up to sixteen pages from a place on, and an entry for each. */
static void put_long_lists(
    BitWriter *to, const Codes *codes, const uint64_t *offsets, const uint32_t *links,
    uint32_t pages, uint32_t first, uint16_t *kinds, uint64_t base, const uint8_t *data,
    uint32_t **longs
) {
    uint64_t degree;
    uint32_t page;
    Sizes sizes;
    for (page = 0; page < pages; page++) {
        degree = offsets[page + 1] - offsets[page];
        if (degree < LONG) continue;
        *(*longs)++ = first + page;
        *(*longs)++ = (uint32_t)degree;
        *(*longs)++ = (uint32_t)(base + (uint64_t)(to->at - data) / 8);
        memset(sizes, 0, sizeof sizes);
        measure(codes, links + offsets[page], degree, first + page, kinds, sizes);
        put_long(
            to, codes, choose_table(sizes), links + offsets[page], kinds, degree, first + page);
    }
}

/* Write a block of up to sixteen pages from a place on, after its long lists, and its line of the
   index; where the next one goes.  `base` words stand before `data`. */
static uint8_t *encode_block(
    const Codes *codes, const uint64_t *offsets, const uint32_t *links, uint32_t pages,
    uint32_t first, uint16_t *kinds, uint64_t base, const uint8_t *data, uint8_t *at,
    uint8_t *line, uint32_t **longs
) {
    Sizes until[PAGES_IN_BLOCK + 1];  /* of the lists before each page */
    uint8_t *begin;
    uint16_t *own = kinds;
    uint64_t degree;
    uint32_t table, page, word, start, bits = 0;
    BitWriter to = {at, 0, 0};
    put_long_lists(&to, codes, offsets, links, pages, first, kinds, base, data, longs);
    begin = to.at;
    word = (uint32_t)(base + (uint64_t)(begin - data) / 8);
    memcpy(line, &word, 4);
    memset(until, 0, sizeof until);
    for (page = 0; page < PAGES_IN_BLOCK; page++) {
        degree = page < pages ? offsets[page + 1] - offsets[page] : 0;
        line[4 + page] = degree < LONG ? (uint8_t)degree : LONG;
        memcpy(until[page + 1], until[page], sizeof(Sizes));
        if (degree == 0 || degree >= LONG) continue;
        measure(codes, links + offsets[page], degree, first + page, own, until[page + 1]);
        own += degree;
    }
    table = choose_table(until[PAGES_IN_BLOCK]);
    while (until[STARTS * PAGES_IN_GROUP][table] >> bits) bits++;
    put(&to, bits | table << 5, HEAD_BITS);
    for (start = 1; start <= STARTS; start++) put(&to, until[start * PAGES_IN_GROUP][table], bits);
    for (page = 0, own = kinds; page < pages; page++) {
        if (line[4 + page] == LONG) continue;
        put_list(
            &to, codes, table, links + offsets[page], own, line[4 + page], first + page);
        own += line[4 + page];
    }
    end_word(&to, begin);
    return to.at;
}

#endif
