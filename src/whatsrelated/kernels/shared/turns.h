/* Take turns in the interpreter.

A thread that returns from a kernel while another runs Python would sleep, and be woken long
after the other is done.  So it first spins, for about as long as Python needs for an answer.
This only affects timing: the thread still takes the interpreter's lock as usual. */

#ifndef TURNS_H
#define TURNS_H

#if (defined(__GNUC__) || defined(__clang__)) && !defined(_WIN32)

#include <stdint.h>
#include <time.h>

#define PATIENCE 300000 /* nanoseconds */

static int64_t came_back; /* when the last thread returned; 0: it has left again */

static inline void leave_interpreter(void) { __atomic_store_n(&came_back, 0, __ATOMIC_RELAXED); }

static inline void wait_for_interpreter(void) {
    struct timespec clock;
    int64_t now, other;
    do {
        clock_gettime(CLOCK_MONOTONIC, &clock);
        now = clock.tv_sec * INT64_C(1000000000) + clock.tv_nsec;
        other = __atomic_load_n(&came_back, __ATOMIC_RELAXED);
    } while ((other && now - other < PATIENCE) ||
             !__atomic_compare_exchange_n(
                 &came_back, &other, now, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

#else

static inline void leave_interpreter(void) {}
static inline void wait_for_interpreter(void) {}

#endif

#endif
