/* A loop that only gathers: what no rank that reads every link can beat.
 *
 * Four sums, so that one addition need not wait for another; with and without
 * asking for values ahead of time, for processors differ in which is faster.
 */

#include <stddef.h>
#include <stdint.h>

#define AHEAD 256

#define GATHER(NAME, REAL, ASK)                                                    \
    double NAME(const uint32_t *links, size_t count, const REAL *values)           \
    {                                                                              \
        REAL a = 0, b = 0, c = 0, d = 0;                                           \
        for (size_t i = 0; i + AHEAD + 4 <= count; i += 4) {                       \
            ASK(i) ASK(i + 1) ASK(i + 2) ASK(i + 3)                                \
            a += values[links[i]];                                                 \
            b += values[links[i + 1]];                                             \
            c += values[links[i + 2]];                                             \
            d += values[links[i + 3]];                                             \
        }                                                                          \
        return (double)(a + b) + (double)(c + d);                                  \
    }

#define EARLY(i) __builtin_prefetch(&values[links[(i) + AHEAD]]);
#define NEVER(i)

GATHER(single, float, NEVER)
GATHER(single_ahead, float, EARLY)
GATHER(twice, double, NEVER)
GATHER(twice_ahead, double, EARLY)
