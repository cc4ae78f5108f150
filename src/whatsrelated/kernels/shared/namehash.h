/* A 96-bit hash of a name, with keys drawn from a seed. */

#ifndef RELATED_NAMEHASH_H
#define RELATED_NAMEHASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define RELATED_PART 1024                    /* bytes hashed with one set of keys */
#define RELATED_KEYS (RELATED_PART / 8 + 10)

typedef struct { uint64_t low, high; } related_wide;

static related_wide related_product(uint64_t a, uint64_t b) {
    related_wide product;
#if defined(__SIZEOF_INT128__)
    __uint128_t whole = (__uint128_t)a * b;
    product.low = (uint64_t)whole;
    product.high = (uint64_t)(whole >> 64);
#else
    uint64_t ah = a >> 32, al = (uint32_t)a, bh = b >> 32, bl = (uint32_t)b;
    uint64_t low = al * bl, m1 = ah * bl, m2 = al * bh;
    uint64_t middle = (low >> 32) + (uint32_t)m1 + (uint32_t)m2;
    product.low = (middle << 32) | (uint32_t)low;
    product.high = ah * bh + (m1 >> 32) + (m2 >> 32) + (middle >> 32);
#endif
    return product;
}

static void related_add(related_wide *sum, uint64_t a, uint64_t b) {
    related_wide product = related_product(a, b);
    sum->low += product.low;
    sum->high += product.high + (sum->low < product.low);
}

static uint64_t related_folded(related_wide sum, uint64_t a, uint64_t b) {
    related_wide product = related_product(sum.low + a, sum.high + b);
    return product.low ^ product.high;
}

/* NH, UMAC's sum of products, twice, with keys two words apart. */
static void related_hash(
    const uint8_t *text, size_t size, const uint64_t *keys, uint64_t *hash, uint32_t *more
) {
    uint64_t one = size, two = 0, a, b;
    size_t left = size;
    do {
        size_t part = left < RELATED_PART ? left : RELATED_PART;
        const uint64_t *key = keys + 6;
        related_wide first = {0, 0}, second = {0, 0};
        related_add(&first, one + keys[0], two + keys[1]);
        related_add(&second, one + keys[2], two + keys[3]);
        left -= part;
        for (; part >= 16; part -= 16, text += 16, key += 2) {
            memcpy(&a, text, 8);
            memcpy(&b, text + 8, 8);
            related_add(&first, a + key[0], b + key[1]);
            related_add(&second, a + key[2], b + key[3]);
        }
        if (part) {
            if (size >= 16) {
                memcpy(&a, text + part - 16, 8);
                memcpy(&b, text + part - 8, 8);
            } else if (size >= 8) {
                memcpy(&a, text, 8);
                memcpy(&b, text + size - 8, 8);
            } else if (size >= 4) {
                uint32_t start, end;
                memcpy(&start, text, 4);
                memcpy(&end, text + size - 4, 4);
                a = start;
                b = end;
            } else {
                a = text[0];
                b = ((uint64_t)text[size >> 1] << 8) | text[size - 1];
            }
            related_add(&first, a + key[0], b + key[1]);
            related_add(&second, a + key[2], b + key[3]);
            text += part;
        }
        one = related_folded(first, keys[4], keys[5]);
        two = related_folded(second, keys[5], keys[4]);
    } while (left);
    *hash = one;
    *more = (uint32_t)(two >> 32);
}

#endif
