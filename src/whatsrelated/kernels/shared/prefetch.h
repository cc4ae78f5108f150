/* PREFETCH(address): ask for a line of memory before it is read, where the compiler can.

gcc takes a function that does nothing but prefetch for one without effect, and drops its calls;
the empty asm tells it otherwise. */

#ifndef RELATED_PREFETCH_H
#define RELATED_PREFETCH_H

#if defined(__GNUC__) || defined(__clang__)
#define PREFETCH(address) do { __builtin_prefetch(address); __asm__ volatile(""); } while (0)
#else
#define PREFETCH(address) ((void)(address))
#endif

#endif
