/* A monotonic clock, in seconds. */

#ifndef CLOCK_H
#define CLOCK_H

#if defined(_WIN32)

#include <windows.h>

static double ticking_seconds(void) {
    LARGE_INTEGER ticks, rate;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&rate);
    return (double)ticks.QuadPart / (double)rate.QuadPart;
}

#else

#include <time.h>

static double ticking_seconds(void) {
    struct timespec clock;
    clock_gettime(CLOCK_MONOTONIC, &clock);
    return (double)clock.tv_sec + 1e-9 * (double)clock.tv_nsec;
}

#endif
#endif
