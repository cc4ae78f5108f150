/* Write packed links, block by block; `packed.h` describes the layout. */

#ifndef LINK_PACKER
#define LINK_PACKER

#include "packed.h"

#define CLASSES 34  /* the bits of a distance, and one more for no distance */
#define KINDS (CLASSES * CLASSES)
#define SPARE 8  /* places after the last that may be overwritten */
#define ROOM (PAGES_IN_BLOCK * LONG + SPARE)

/* The bits of a link by the classes of its two distances, eight tables per word; and its selector,
   by table. */
typedef struct {
    uint64_t bits[KINDS][TABLES / 8];
    uint8_t selectors[TABLES][KINDS];
    uint64_t widths[TABLES];
    uint32_t wide;
} Codes;

static void fill_codes(Codes *codes, uint32_t wide) {
    uint32_t table, kind, selector, width, fewest, class;
    memset(codes, 0, sizeof *codes);
    codes->wide = wide;
    for (table = 0; table < TABLES; table++) {
        codes->widths[table] = widths_of(table, wide);
        for (kind = 0; kind < KINDS; kind++) {
            fewest = wide;
            codes->selectors[table][kind] = 7;
            for (selector = 7; selector--;) {  /* of equal widths, the lowest selector */
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

/* Some lists, one after another, and for each link its kind and, for one table, its selector,
   width and stored value.  Every loop covers all lists, so that it vectorises and few branches
   depend on where a list ends. */
typedef struct {
    uint32_t links[ROOM], previous[ROOM], pages[ROOM], values[ROOM];
    uint16_t kinds[ROOM];
    uint8_t selectors[ROOM], widths[ROOM];
    size_t count;
} Lists;

static void add_links(Lists *lists, const uint32_t *links, size_t count) {
    memcpy(lists->links + lists->count, links, 4 * count);
    memcpy(lists->previous + lists->count + 1, links, 4 * count);
    lists->count += count;
}

/* Set the page of some of the links; call in ascending order of pages. */
static void set_page(Lists *lists, size_t first, size_t last, uint32_t page) {
    uint32_t i;
    lists->previous[first] = page;
    for (; first < last; first += SPARE)
        for (i = 0; i < SPARE; i++) lists->pages[first + i] = page;
}

/* A stored distance has one bit less than 4 * |distance| - 3 (- 1 if it is negative).  For a
   distance of 0 this number wraps around, and the class is CLASSES - 1. */
static inline uint32_t class_of(uint32_t link, uint32_t from) {
    int64_t distance = (int64_t)link - from, back = -(int64_t)(link < from);
    uint64_t value = 4 * (uint64_t)((distance ^ back) - back) - 3 - 2 * (uint64_t)back;
    uint32_t bits = 0;
#if defined(__GNUC__)
    bits = 63 - (uint32_t)__builtin_clzll(value);
#else
    while (value >> bits > 1) bits++;
#endif
    return bits < CLASSES - 1 ? bits : CLASSES - 1;
}

/* The same for pages of up to 29 bits, by the exponent of a float, which must not round up. */
static inline uint32_t near_class_of(uint32_t link, uint32_t from) {
    int32_t distance = (int32_t)(link - from), back = distance >> 31;
    uint32_t value = 4 * (uint32_t)((distance ^ back) - back) - 3 - 2 * (uint32_t)back, bits;
    float number = (float)(int32_t)(value & ~(value >> 1));
    memcpy(&bits, &number, 4);
    bits = (bits >> 23) - 127;
    return bits < CLASSES - 1 ? bits : CLASSES - 1;
}

static void find_kinds(Lists *lists, uint32_t wide) {
    uint16_t *restrict kinds = lists->kinds;
    const uint32_t *links = lists->links, *previous = lists->previous, *pages = lists->pages;
    size_t i, count = lists->count;
    if (wide <= 29)
        for (i = 0; i < count; i++)
            kinds[i] = (uint16_t)(
                near_class_of(links[i], previous[i]) * CLASSES + near_class_of(links[i], pages[i]));
    else
        for (i = 0; i < count; i++)
            kinds[i] = (uint16_t)(
                class_of(links[i], previous[i]) * CLASSES + class_of(links[i], pages[i]));
}

/* Find the stored value of each link in a table. */
static void find_values(Lists *lists, const Codes *codes, uint32_t table) {
    const uint8_t *selectors_of_kinds = codes->selectors[table];
    uint8_t *restrict selectors = lists->selectors, *restrict widths = lists->widths;
    uint32_t *restrict values = lists->values;
    const uint32_t *links = lists->links, *previous = lists->previous, *pages = lists->pages;
    size_t i, count = lists->count;
    for (i = 0; i < count; i++) {
        selectors[i] = selectors_of_kinds[lists->kinds[i]];
        widths[i] = (codes->widths[table] >> (8 * selectors[i])) & 63;
    }
    for (i = 0; i < count; i++) {
        uint32_t link = links[i], before = previous[i], page = pages[i], selector = selectors[i];
        int32_t distance = (int32_t)(link - (selector < 4 ? before : page)), back = distance >> 31;
        uint32_t value = 2 * (uint32_t)((distance ^ back) - back) - 2 - (uint32_t)back;
        values[i] = selector == 7 ? link : value;
    }
}

/* Writes bits; up to eight bytes after the last are overwritten, too. */
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

/* Continue at the next word, counted from `begin`. */
static inline void end_word(BitWriter *to, uint8_t *begin) {
    memcpy(to->at, &to->held, 8);
    if (to->fill) to->at++;
    memset(to->at, 0, 8);
    to->at += (8 - (to->at - begin) % 8) % 8;
    to->held = to->fill = 0;
}

/* Pack eight selectors, one byte each, into 24 bits. */
static inline uint64_t join_selectors(const uint8_t *selectors) {
    uint64_t x = load_64(selectors);
    x = (x | x >> 5) & 0x003F003F003F003F;
    x = (x | x >> 10) & 0x00000FFF00000FFF;
    return (x | x >> 20) & 0xFFFFFF;
}

/* Write one list, whose values are already computed. */
static void put_list(BitWriter *writer, const Lists *lists, size_t first, size_t count) {
    const uint8_t *selectors = lists->selectors + first, *widths = lists->widths + first;
    const uint32_t *values = lists->values + first;
    BitWriter to = *writer;
    size_t i;
    for (i = 0; i + 8 <= count; i += 8) put(&to, join_selectors(selectors + i), 24);
    put(&to, join_selectors(selectors + i) & (((uint64_t)1 << 3 * (count - i)) - 1),
        3 * (uint32_t)(count - i));
    for (i = 0; i + 2 <= count; i += 2) {
        if (widths[i] + widths[i + 1] > 57) break;
        put(&to, values[i] | (uint64_t)values[i + 1] << widths[i], widths[i] + widths[i + 1]);
    }
    for (; i < count; i++) put(&to, values[i], widths[i]);
    *writer = to;
}

typedef uint64_t Sizes[TABLES];  /* bits of some lists in every table */

/* Add the bits of some links, four tables per word: 16 bits hold a group of short lists. */
static void add_sizes(
    uint64_t *sizes, const Codes *codes, const Lists *lists, size_t first, size_t last
) {
    const uint64_t every_other = 0x00FF00FF00FF00FF;
    uint64_t sums[4] = {0}, low, high;
    uint32_t table;
    size_t end;
    while (first < last) {
        end = first + 7 < last ? first + 7 : last;  /* eight bits hold no more */
        for (low = high = 0; first < end; first++) {
            low += codes->bits[lists->kinds[first]][0];
            high += codes->bits[lists->kinds[first]][1];
        }
        sums[0] += low & every_other;
        sums[1] += low >> 8 & every_other;
        sums[2] += high & every_other;
        sums[3] += high >> 8 & every_other;
    }
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

/* Compute the kinds of a chunk of a long list; return its number of links. */
static size_t take_chunk(
    Lists *lists, const Codes *codes, const uint32_t *links, uint64_t degree, uint64_t at,
    uint32_t page
) {
    size_t count = degree - at < CHUNK ? (size_t)(degree - at) : CHUNK;
    lists->count = 0;
    add_links(lists, links + at, count);
    set_page(lists, 0, count, page);
    find_kinds(lists, codes->wide);
    return count;
}

/* Write a long list, with the words of its chunks. */
static void put_long(
    BitWriter *to, Lists *lists, const Codes *codes, const uint32_t *links, uint64_t degree,
    uint32_t page
) {
    Sizes sizes = {0};
    uint8_t *begin = to->at;
    uint64_t at;
    uint32_t word, table;
    size_t count;
    for (at = 0; at < degree; at += CHUNK) {
        count = take_chunk(lists, codes, links, degree, at, page);
        add_sizes(sizes, codes, lists, 0, count);
    }
    table = choose_table(sizes);
    to->at += 8 * words_before_chunks(degree);
    memset(to->at - 8, 0, 8);
    memcpy(begin, &table, 4);
    for (at = 0; at < degree; at += CHUNK) {
        count = take_chunk(lists, codes, links, degree, at, page);
        find_values(lists, codes, table);
        word = (uint32_t)((to->at - begin) / 8);
        if (at) memcpy(begin + 4 * (at / CHUNK), &word, 4);
        put_list(to, lists, 0, count);
        end_word(to, begin);
    }
}

/* Copy the short lists of a block, those between two long ones at once; find their starts. */
static void take_short_lists(
    Lists *lists, const uint64_t *offsets, const uint32_t *links, uint32_t pages, uint32_t first,
    const uint8_t *degrees, size_t *starts
) {
    uint32_t page, run = 0;
    lists->count = 0;
    for (page = 0; page <= pages; page++)
        if (page == pages || degrees[page] == LONG) {
            if (run < page)
                add_links(lists, links + offsets[run], offsets[page] - offsets[run]);
            run = page + 1;
        }
    for (page = 0; page < PAGES_IN_BLOCK; page++) {
        starts[page + 1] = starts[page] + (degrees[page] == LONG ? 0 : degrees[page]);
        set_page(lists, starts[page], starts[page + 1], first + page);
    }
}

/* Write a block of up to sixteen pages, after its long lists, and its line of the index; return
   where the next one goes.  `base` words come before `data`. */
static uint8_t *encode_block(
    Lists *lists, const Codes *codes, const uint64_t *offsets, const uint32_t *links,
    uint32_t pages, uint32_t first, uint64_t base, const uint8_t *data, uint8_t *at, uint8_t *line,
    uint32_t **longs
) {
    Sizes until[STARTS + 1] = {{0}};  /* sizes of the lists up to the end of each group */
    size_t starts[PAGES_IN_BLOCK + 1] = {0};
    uint8_t *begin;
    uint64_t degree;
    uint32_t table, page, group, word, bits = 0;
    BitWriter to = {at, 0, 0};
    memset(line, 0, LINE_BYTES);
    for (page = 0; page < pages; page++) {
        degree = offsets[page + 1] - offsets[page];
        line[4 + page] = degree < LONG ? (uint8_t)degree : LONG;
        if (degree < LONG) continue;
        *(*longs)++ = first + page;
        *(*longs)++ = (uint32_t)degree;
        *(*longs)++ = (uint32_t)(base + (uint64_t)(to.at - data) / 8);
        put_long(&to, lists, codes, links + offsets[page], degree, first + page);
    }
    begin = to.at;
    word = (uint32_t)(base + (uint64_t)(begin - data) / 8);
    memcpy(line, &word, 4);
    take_short_lists(lists, offsets, links, pages, first, line + 4, starts);
    find_kinds(lists, codes->wide);
    for (group = 0; group <= STARTS; group++) {
        if (group) memcpy(until[group], until[group - 1], sizeof(Sizes));
        add_sizes(
            until[group], codes, lists, starts[group * PAGES_IN_GROUP],
            starts[(group + 1) * PAGES_IN_GROUP]);
    }
    table = choose_table(until[STARTS]);
    find_values(lists, codes, table);
    while (until[STARTS - 1][table] >> bits) bits++;
    put(&to, bits | table << 5, HEAD_BITS);
    for (group = 0; group < STARTS; group++) put(&to, until[group][table], bits);
    for (page = 0; page < pages; page++)
        put_list(&to, lists, starts[page], starts[page + 1] - starts[page]);
    end_word(&to, begin);
    return to.at;
}

#endif
