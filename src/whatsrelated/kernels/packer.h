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

/* How many bits a distance takes as it is stored: those of 4 * |distance| - 3, and 2 more where it
   leads back, but one; CLASSES - 1 where there is none. */
static inline uint32_t class_of(uint32_t link, uint32_t from) {
    int64_t distance = (int64_t)link - from, back = -(int64_t)(link < from);
    uint64_t value = 4 * (uint64_t)((distance ^ back) - back) - 3 - 2 * (uint64_t)back;
    uint32_t bits = 0;
#if defined(__GNUC__)
    bits = 63 - (uint32_t)__builtin_clzll(value);
#else
    while (value >> bits > 1) bits++;
#endif
    return bits < CLASSES - 1 ? bits : CLASSES - 1;  /* no distance, and all bits are set but one */
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

/* Write a list whose kinds are known. */
static void put_list(
    BitWriter *writer, const Codes *codes, uint32_t table, const uint32_t *links,
    const uint16_t *kinds, size_t count, uint32_t page
) {
    const uint8_t *selectors = codes->selectors[table];
    uint64_t widths = codes->widths[table], together = 0, value;
    uint32_t previous = page, selector, shift = 0;
    const uint32_t *from;
    BitWriter to = *writer;
    size_t i;
    for (i = 0; i < count; i++) {
        together |= (uint64_t)selectors[kinds[i]] << shift;
        shift += 3;
        if (shift == 48 || i + 1 == count) {
            put(&to, together, shift);
            together = shift = 0;
        }
    }
    for (i = 0; i < count; i++) {
        selector = selectors[kinds[i]];
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

/* The same of up to CHUNK * 4 links, four tables a word: those of even number, then the others. */
typedef uint64_t Sums[4];

/* Find the kind of every link of a list, and add how many bits they take. */
static void measure(
    const Codes *codes, const uint32_t *links, size_t count, uint32_t page, uint16_t *kinds,
    Sums sums
) {
    const uint64_t every_other = 0x00FF00FF00FF00FF;
    uint64_t low, high;
    uint32_t previous = page, kind;
    size_t i = 0, end;
    while (i < count) {
        end = i + 7 < count ? i + 7 : count;  /* no eight bits hold more */
        for (low = high = 0; i < end; i++) {
            kind = class_of(links[i], previous) * CLASSES + class_of(links[i], page);
            kinds[i] = (uint16_t)kind;
            low += codes->bits[kind][0];
            high += codes->bits[kind][1];
            previous = links[i];
        }
        sums[0] += low & every_other;
        sums[1] += low >> 8 & every_other;
        sums[2] += high & every_other;
        sums[3] += high >> 8 & every_other;
    }
}

static void add_sums(uint64_t *sizes, const Sums sums) {
    uint32_t table;
    for (table = 0; table < TABLES; table++)
        sizes[table] += sums[table / 8 * 2 + table % 2] >> (table % 8 / 2 * 16) & 0xFFFF;
}

/* The table in which some lists take the fewest bits. */
static uint32_t choose_table(const uint64_t *sizes) {
    uint32_t table, best = 0;
    for (table = 1; table < TABLES; table++)
        if (sizes[table] < sizes[best]) best = table;
    return best;
}

/* Find the kinds of a long list, chunk by chunk, and its table. */
static uint32_t measure_long(
    const Codes *codes, const uint32_t *links, uint64_t degree, uint32_t page, uint16_t *kinds
) {
    Sizes sizes = {0};
    uint64_t at;
    for (at = 0; at < degree; at += CHUNK) {
        Sums sums = {0};
        measure(
            codes, links + at, degree - at < CHUNK ? degree - at : CHUNK, page, kinds + at, sums);
        add_sums(sizes, sums);
    }
    return choose_table(sizes);
}

/* Write the long lists of up to sixteen pages from a place on, and an entry for each. */
static void put_long_lists(
    BitWriter *to, const Codes *codes, const uint64_t *offsets, const uint32_t *links,
    uint32_t pages, uint32_t first, uint16_t *kinds, uint64_t base, const uint8_t *data,
    uint32_t **longs
) {
    const uint32_t *list;
    uint64_t degree;
    uint32_t page, table;
    for (page = 0; page < pages; page++) {
        list = links + offsets[page];
        degree = offsets[page + 1] - offsets[page];
        if (degree < LONG) continue;
        *(*longs)++ = first + page;
        *(*longs)++ = (uint32_t)degree;
        *(*longs)++ = (uint32_t)(base + (uint64_t)(to->at - data) / 8);
        table = measure_long(codes, list, degree, first + page, kinds);
        put_long(to, codes, table, list, kinds, degree, first + page);
    }
}

/* Write a block of up to sixteen pages from a place on, after its long lists, and its line of the
   index; where the next one goes.  `base` words stand before `data`. */
static uint8_t *encode_block(
    const Codes *codes, const uint64_t *offsets, const uint32_t *links, uint32_t pages,
    uint32_t first, uint16_t *kinds, uint64_t base, const uint8_t *data, uint8_t *at,
    uint8_t *line, uint32_t **longs
) {
    Sizes until[STARTS + 1];  /* of the lists up to the end of each group */
    uint8_t *begin, *degrees = line + 4;
    uint16_t *own = kinds;
    uint64_t degree;
    uint32_t table, page, group, word, bits = 0, n_longs = 0;
    BitWriter to = {at, 0, 0};
    for (page = 0; page < PAGES_IN_BLOCK; page++) {
        degree = page < pages ? offsets[page + 1] - offsets[page] : 0;
        degrees[page] = degree < LONG ? (uint8_t)degree : LONG;
        n_longs += degree >= LONG;
    }
    if (n_longs) put_long_lists(&to, codes, offsets, links, pages, first, kinds, base, data, longs);
    begin = to.at;
    word = (uint32_t)(base + (uint64_t)(begin - data) / 8);
    memcpy(line, &word, 4);
    memset(until, 0, sizeof until);
    for (group = 0; group <= STARTS; group++) {
        Sums sums = {0};
        if (group) memcpy(until[group], until[group - 1], sizeof(Sizes));
        for (page = group * PAGES_IN_GROUP; page < (group + 1) * PAGES_IN_GROUP; page++) {
            if (degrees[page] == 0 || degrees[page] == LONG) continue;
            measure(codes, links + offsets[page], degrees[page], first + page, own, sums);
            own += degrees[page];
        }
        add_sums(until[group], sums);
    }
    table = choose_table(until[STARTS]);
    while (until[STARTS - 1][table] >> bits) bits++;
    put(&to, bits | table << 5, HEAD_BITS);
    for (group = 0; group < STARTS; group++) put(&to, until[group][table], bits);
    for (page = 0, own = kinds; page < pages; page++) {
        if (degrees[page] == LONG) continue;
        put_list(&to, codes, table, links + offsets[page], own, degrees[page], first + page);
        own += degrees[page];
    }
    end_word(&to, begin);
    return to.at;
}

#endif
