/* What is done for every page of a block beside adding up its links.
 *
 * Sums are made in eight lanes, so that compilers can use vectors for them; a
 * block, of at most 256 pages, is short enough for sums of its own type.
 */

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define LANES 8

#define BLOCK_OF_PAGES 256

#define FINISH(NAME, REAL, ABS)                                                       \
    static void NAME(size_t count, REAL factor, REAL constant, REAL jump,             \
                     const REAL *restrict jumps, const REAL *restrict degrees,        \
                     const REAL *restrict before, REAL *restrict scores,              \
                     REAL *restrict result, double *sums)                             \
    {                                                                                 \
        REAL moved[BLOCK_OF_PAGES], held[BLOCK_OF_PAGES], links[BLOCK_OF_PAGES];      \
        size_t i, k, whole = count - count % LANES;                                   \
        REAL a[LANES] = {0}, b[LANES] = {0};                                          \
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
            }                                                                         \
        for (i = whole; i < count; i++) {                                             \
            a[i - whole] += moved[i];                                                 \
            b[i - whole] += held[i];                                                  \
        }                                                                             \
        for (k = 0; k < LANES; k++) {                                                 \
            sums[0] += a[k];                                                          \
            sums[1] += b[k];                                                          \
        }                                                                             \
    }

FINISH(finish_single, float, fabsf)
FINISH(finish_double, double, fabs)
