/* Packed links: a line of the index for every seven pages, and lists of gaps in bits.

   A line has 32 bytes: the word of the data at which the block of its lists begins, then for
   each page the byte of the block at which its list begins and its degree, 16 bits each.
   A list is a selector of three bits for each link, then the gap of each in as many bits as
   its selector says.  A gap is link - previous - 1, modulo 2^32 and as a signed number folded
   (0, -1, 1, -2 …); the link before the first one is the page itself.
   A list of more than MOST_SHORT links stands apart, and its degree says LONG: at its place are
   the word at which it begins and its degree, 64 bits each; there, the words of its chunks
   (counted from its beginning, 32 bits each), then the chunks, each a list of CHUNK links.
   Blocks, long lists and chunks begin at words of 64 bits; one word more ends the data. */

#ifndef PACKED_LINKS
#define PACKED_LINKS

#include <stdint.h>
#include <string.h>

#define PAGES_IN_LINE 7
#define LINE_BYTES 32
#define MOST_SHORT 1024
#define LONG 0xFFFF
#define CHUNK 256

#if defined(__GNUC__)
#define BITS_OF(x) ((x) ? 32 - __builtin_clz(x) : 0)
#else
static inline int BITS_OF(uint32_t x) { int bits = 0; while (x) { x >>= 1; bits++; } return bits; }
#endif

static inline uint64_t load_64(const uint8_t *at) { uint64_t x; memcpy(&x, at, 8); return x; }
static inline uint32_t load_32(const uint8_t *at) { uint32_t x; memcpy(&x, at, 4); return x; }
static inline uint16_t load_16(const uint8_t *at) { uint16_t x; memcpy(&x, at, 2); return x; }

/* The widths of the eight selectors, a byte each; the last takes any gap of the graph. */
static inline uint64_t widths_of(uint32_t wide) {
    return (uint64_t)wide << 56 | (uint64_t)20 << 48 | (uint64_t)16 << 40 | (uint64_t)12 << 32
        | (uint64_t)9 << 24 | (uint64_t)6 << 16 | (uint64_t)3 << 8;
}

static inline const uint8_t *line_of(const uint8_t *index, uint32_t page) {
    return index + (size_t)(page / PAGES_IN_LINE) * LINE_BYTES;
}

static inline const uint8_t *entry_of(const uint8_t *index, uint32_t page) {
    return line_of(index, page) + 4 + 4 * (page % PAGES_IN_LINE);
}

/* Where the list of a page begins. */
static inline const uint8_t *list_of(const uint8_t *index, const uint8_t *data, uint32_t page) {
    return data + 8 * (size_t)load_32(line_of(index, page)) + load_16(entry_of(index, page));
}

static inline uint64_t packed_degree(const uint8_t *index, const uint8_t *data, uint32_t page) {
    uint64_t degree = load_16(entry_of(index, page) + 2);
    return degree == LONG ? load_64(list_of(index, data, page) + 8) : degree;
}

static inline uint32_t decode_gap(uint32_t folded) { return (folded >> 1) ^ (0 - (folded & 1)); }

/* The links of a list.  Selectors stand at known places, so nothing waits but two additions. */
static inline void decode_list(
    const uint8_t *list, size_t count, uint32_t previous, uint32_t wide, uint32_t *into
) {
    uint64_t widths = widths_of(wide), selectors, width;
    size_t bit = 3 * count, i, end;
    for (i = 0; i < count; list += 6, bit -= 48) {
        selectors = load_64(list);
        end = i + 16 < count ? i + 16 : count;
        for (; i < end; i++) {
            width = (widths >> ((selectors & 7) * 8)) & 63;
            selectors >>= 3;
            previous += 1 + decode_gap((uint32_t)(
                (load_64(list + (bit >> 3)) >> (bit & 7)) & (((uint64_t)1 << width) - 1)));
            bit += width;
            into[i] = previous;
        }
    }
}

/* Some links of a page from a place on; of a long list whole chunks before it are left alone.
   `aside` has room for MOST_SHORT links. */
static inline void decode_part(
    const uint8_t *index, const uint8_t *data, uint32_t page, uint32_t wide,
    uint64_t first, uint64_t count, uint32_t *into, uint32_t *aside
) {
    const uint8_t *list = list_of(index, data, page), *chunks;
    uint64_t degree, chunk, skipped, size;
    if (load_16(entry_of(index, page) + 2) != LONG) {
        if (first == 0) {
            size = load_16(entry_of(index, page) + 2);
            if (count == size) { decode_list(list, size, page, wide, into); return; }
        }
        decode_list(list, load_16(entry_of(index, page) + 2), page, wide, aside);
        memcpy(into, aside + first, 4 * count);
        return;
    }
    degree = load_64(list + 8);
    chunks = data + 8 * load_64(list);
    while (count) {
        chunk = first / CHUNK;
        skipped = first % CHUNK;
        size = degree - chunk * CHUNK < CHUNK ? degree - chunk * CHUNK : CHUNK;
        list = chunks + 8 * (size_t)load_32(chunks + 4 * chunk);
        if (skipped == 0 && count >= size) {
            decode_list(list, size, page, wide, into);
        } else {
            decode_list(list, size, page, wide, aside);
            size -= skipped;
            if (size > count) size = count;
            memcpy(into, aside + skipped, 4 * size);
        }
        into += size;
        first += size;
        count -= size;
    }
}

/* How many bits a list takes, or more than `most` where it takes more. */
static inline uint64_t bits_of_list(const uint8_t *list, size_t count, uint32_t wide, uint64_t most) {
    uint64_t widths = widths_of(wide), bits = 3 * (uint64_t)count, bit;
    size_t i;
    if (bits > most) return bits;
    for (i = 0; i < count; i++) {
        bit = 3 * (uint64_t)i;
        bits += (widths >> (((load_16(list + (bit >> 3)) >> (bit & 7)) & 7) * 8)) & 63;
    }
    return bits;
}

/* Write a list; how many bytes it takes.  `out` is 0 from there on, 16 bytes more than it takes. */
static inline size_t encode_list(
    const uint32_t *links, size_t count, uint32_t previous, uint32_t wide, uint8_t *out
) {
    static const uint8_t selector_of[33] = {
        0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6,
        7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
    uint64_t widths = widths_of(wide), word;
    size_t bit = 3 * count, at, i;
    uint32_t gap, folded, selector;
    for (i = 0; i < count; i++) {
        gap = links[i] - previous - 1;
        folded = (gap << 1) ^ (0 - (gap >> 31));
        previous = links[i];
        selector = selector_of[BITS_OF(folded)];
        if (((widths >> (selector * 8)) & 63) > wide) selector = 7;
        at = 3 * i;
        word = load_64(out + (at >> 3)) | (uint64_t)selector << (at & 7);
        memcpy(out + (at >> 3), &word, 8);
        word = load_64(out + (bit >> 3)) | (uint64_t)folded << (bit & 7);
        memcpy(out + (bit >> 3), &word, 8);
        bit += (widths >> (selector * 8)) & 63;
    }
    return (bit + 7) >> 3;
}

#endif
