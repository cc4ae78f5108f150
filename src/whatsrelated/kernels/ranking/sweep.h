/* Turns the link sums of a block of pages into scores.
 *
 * Sums run in eight lanes so that compilers can vectorise them; a block of at most 256
 * pages is short enough to be summed in the scores' precision.
 */

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define LANES 8

#define BLOCK_OF_PAGES 256

#define FINISH(NAME, REAL, ABS)                                                       \
    static void NAME(size_t count, REAL damping, REAL jump,                           \
                     const REAL *restrict weights, const REAL *restrict degrees,      \
                     const REAL *restrict previous, REAL *restrict scores,            \
                     REAL *restrict result, double *sums)                             \
    {                                                                                 \
        REAL change[BLOCK_OF_PAGES], dangling[BLOCK_OF_PAGES], links[BLOCK_OF_PAGES]; \
        size_t i, k, whole = count - count % LANES;                                   \
        REAL a[LANES] = {0}, b[LANES] = {0};                                          \
        if (weights)                                                                  \
            for (i = 0; i < count; i++)                                               \
                scores[i] = damping * scores[i] + jump * weights[i];                  \
        else                                                                          \
            for (i = 0; i < count; i++)                                               \
                scores[i] = damping * scores[i] + jump;                               \
        for (i = 0; i < count; i++) {                                                 \
            links[i] = degrees[i] > 1 ? degrees[i] : 1;                               \
            dangling[i] = degrees[i] > 0 ? 0 : scores[i];                             \
            result[i] = scores[i] / links[i];                                         \
        }                                                                             \
        if (previous)                                                                 \
            for (i = 0; i < count; i++)                                               \
                change[i] = ABS(scores[i] - previous[i] * links[i]);                  \
        else                                                                          \
            for (i = 0; i < count; i++)                                               \
                change[i] = ABS(scores[i]);                                           \
        for (i = 0; i < whole; i += LANES)                                            \
            for (k = 0; k < LANES; k++) {                                             \
                a[k] += change[i + k];                                                \
                b[k] += dangling[i + k];                                              \
            }                                                                         \
        for (i = whole; i < count; i++) {                                             \
            a[i - whole] += change[i];                                                \
            b[i - whole] += dangling[i];                                              \
        }                                                                             \
        for (k = 0; k < LANES; k++) {                                                 \
            sums[0] += a[k];                                                          \
            sums[1] += b[k];                                                          \
        }                                                                             \
    }

FINISH(finish_single, float, fabsf)
FINISH(finish_double, double, fabs)
