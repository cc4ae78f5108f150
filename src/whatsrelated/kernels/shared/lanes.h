/* Eight floats side by side, the lanes: add, multiply and sum them, with vectors if the
   compiler has them.  The order of the sums is the same either way. */

#ifndef RELATED_LANES_H
#define RELATED_LANES_H

#if defined(__GNUC__) || defined(__clang__)
#define FIRST_BIT(word) __builtin_ctzll(word)
typedef float four __attribute__((vector_size(16), aligned(4), may_alias));
static inline void ADD(float* sums, const float* lanes) {
    ((four*)sums)[0] += ((const four*)lanes)[0];
    ((four*)sums)[1] += ((const four*)lanes)[1];
}
static inline float SUM(const float* lanes) {
    const four* v = (const four*)lanes;
    four s = v[0] + v[1];
    return (s[0] + s[2]) + (s[1] + s[3]);
}
static inline float SQUARES(const float* lanes) {
    const four* v = (const four*)lanes;
    four s = v[0] * v[0] + v[1] * v[1];
    return (s[0] + s[2]) + (s[1] + s[3]);
}
static inline void TIMES(float* lanes, const float* sums, float factor) {
    ((four*)lanes)[0] = factor * ((const four*)sums)[0];
    ((four*)lanes)[1] = factor * ((const four*)sums)[1];
}
#else
static int FIRST_BIT(unsigned long long word) {
    int at = 0;
    while (!(word & 1)) { word >>= 1; at++; }
    return at;
}
static void ADD(float* sums, const float* lanes) {
    for (int k = 0; k < 8; k++) sums[k] += lanes[k];
}
static float SUM(const float* v) {
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}
static float SQUARES(const float* v) {
    float s[8];
    for (int k = 0; k < 8; k++) s[k] = v[k] * v[k];
    return SUM(s);
}
static void TIMES(float* lanes, const float* sums, float factor) {
    for (int k = 0; k < 8; k++) lanes[k] = factor * sums[k];
}
#endif

#endif
