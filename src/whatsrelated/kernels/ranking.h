/* What is done for every page of a block beside adding up its links.
 *
 * Sums are made in eight lanes, so that compilers can use vectors for them; a
 * block, of at most 256 pages, is short enough for sums of its own type.
 */

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define LANES 8

#define BLOCK_OF_PAGES 256

/* A number from 0 up in 16 bits: all eight bits of the exponent, and eight digits. */
static inline float widened(uint16_t half)
{
    uint32_t bits = (uint32_t)half << 15;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint16_t halved(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)((bits + (1 << 14)) >> 15);
}

#define FINISH(NAME, REAL, ABS)                                                       \
    static void NAME(size_t count, REAL factor, REAL constant, REAL jump,             \
                     const REAL *restrict jumps, const REAL *restrict degrees,        \
                     const REAL *restrict before, REAL *restrict scores,              \
                     REAL *restrict result, double *sums)                             \
    {                                                                                 \
        REAL moved[BLOCK_OF_PAGES], held[BLOCK_OF_PAGES], links[BLOCK_OF_PAGES];      \
        size_t i, k, whole = count - count % LANES;                                   \
        REAL a[LANES] = {0}, b[LANES] = {0}, c[LANES] = {0};                          \
        for (i = 0; i < count; i++)                                                   \
            scores[i] = factor * scores[i] + constant;                                \
        if (jumps)                                                                    \
            for (i = 0; i < count; i++)                                               \
                scores[i] += jump * jumps[i];                                         \
        for (i = 0; i < count; i++) {                                                 \
            links[i] = degrees[i] > 1 ? degrees[i] : 1;                               \
            held[i] = degrees[i] > 0 ? 0 : scores[i];                                 \
            result[i] = scores[i] / links[i];                                         \
        }                                                                             \
        if (before)                                                                   \
            for (i = 0; i < count; i++)                                               \
                moved[i] = ABS(scores[i] - before[i] * links[i]);                     \
        else                                                                          \
            for (i = 0; i < count; i++)                                               \
                moved[i] = ABS(scores[i]);                                            \
        for (i = 0; i < whole; i += LANES)                                            \
            for (k = 0; k < LANES; k++) {                                             \
                a[k] += moved[i + k];                                                 \
                b[k] += held[i + k];                                                  \
                c[k] += scores[i + k];                                                \
            }                                                                         \
        for (i = whole; i < count; i++) {                                             \
            a[i - whole] += moved[i];                                                 \
            b[i - whole] += held[i];                                                  \
            c[i - whole] += scores[i];                                                \
        }                                                                             \
        for (k = 0; k < LANES; k++) {                                                 \
            sums[0] += a[k];                                                          \
            sums[1] += b[k];                                                          \
            sums[2] += c[k];                                                          \
        }                                                                             \
    }

FINISH(finish_single, float, fabsf)
FINISH(finish_double, double, fabs)

/* How many links each page of a block has. */
static void count_links(size_t count, const uint64_t *offsets, float *degrees)
{
    for (size_t i = 0; i < count; i++)
        degrees[i] = (float)(int32_t)(offsets[i + 1] - offsets[i]);
}

/* The products with one another of the three steps between four shares, as scores. */
static void align(size_t count, const float *restrict a, const float *restrict b,
                  const float *restrict c, const float *restrict d,
                  const float *restrict degrees, double *sums)
{
    float lanes[6][LANES] = {{0}};
    size_t i, k, whole = count - count % LANES;
#define MULTIPLY(page, lane)                                                          \
    {                                                                                 \
        float links = degrees[page] > 1 ? degrees[page] : 1;                          \
        float one = (b[page] - a[page]) * links;                                      \
        float two = (c[page] - b[page]) * links;                                      \
        float three = (d[page] - c[page]) * links;                                    \
        lanes[0][lane] += one * one;                                                  \
        lanes[1][lane] += one * two;                                                  \
        lanes[2][lane] += one * three;                                                \
        lanes[3][lane] += two * two;                                                  \
        lanes[4][lane] += two * three;                                                \
        lanes[5][lane] += three * three;                                              \
    }
    for (i = 0; i < whole; i += LANES)
        for (k = 0; k < LANES; k++)
            MULTIPLY(i + k, k)
    for (i = whole; i < count; i++)
        MULTIPLY(i, i - whole)
#undef MULTIPLY
    for (i = 0; i < 6; i++)
        for (k = 0; k < LANES; k++)
            sums[i] += lanes[i][k];
}

/* shares += one (second - shares) + two (third - shares), and at least 0. */
static void leap_to(size_t count, const float *second, const float *third, float one,
                    float two, const float *restrict degrees, float *shares, double *sums)
{
    float a[LANES] = {0}, b[LANES] = {0};
    size_t i, k, whole = count - count % LANES;
#define MOVE(page, lane)                                                              \
    {                                                                                 \
        float share = shares[page];                                                   \
        share += one * (second[page] - share) + two * (third[page] - share);          \
        share = share > 0 ? share : 0;                                                \
        shares[page] = share;                                                         \
        a[lane] += degrees[page] > 0 ? 0 : share;                                     \
        b[lane] += degrees[page] > 0 ? share * degrees[page] : share;                 \
    }
    for (i = 0; i < whole; i += LANES)
        for (k = 0; k < LANES; k++)
            MOVE(i + k, k)
    for (i = whole; i < count; i++)
        MOVE(i, i - whole)
#undef MOVE
    for (k = 0; k < LANES; k++) {
        sums[0] += a[k];
        sums[1] += b[k];
    }
}
