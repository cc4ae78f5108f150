/* Start reading a part of a mapped file that will be used soon, without waiting for it. */
#include <stddef.h>
#include <stdint.h>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#define PAGE_OF_MEMORY 4096

static inline void request_bytes(const void *from, size_t bytes) {
    uintptr_t begin = (uintptr_t)from & ~(uintptr_t)(PAGE_OF_MEMORY - 1);
    madvise((void *)begin, (uintptr_t)from + bytes - begin, MADV_WILLNEED);
}
#else
static inline void request_bytes(const void *from, size_t bytes) { (void)from; (void)bytes; }
#endif
