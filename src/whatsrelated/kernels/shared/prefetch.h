/* PREFETCH(address): request a cache line before it is read, if the compiler can.

gcc drops calls of a function that only prefetches, since it sees no effect; the empty asm
prevents that. */

#ifndef RELATED_PREFETCH_H
#define RELATED_PREFETCH_H

#if defined(__GNUC__) || defined(__clang__)
#define PREFETCH(address) do { __builtin_prefetch(address); __asm__ volatile(""); } while (0)
#else
#define PREFETCH(address) ((void)(address))
#endif

#endif
