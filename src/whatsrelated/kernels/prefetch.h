/* PREFETCH(address): ask for a line of memory before it is read, where the compiler can. */

#ifndef RELATED_PREFETCH_H
#define RELATED_PREFETCH_H

#if defined(__GNUC__) || defined(__clang__)
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) ((void)(address))
#endif

#endif
