"""Near-duplicates, for kernels that answer a whole query without the interpreter."""

from libc.stdint cimport int64_t, uint32_t

from whatsrelated.kernels.asking._duplicate_rows cimport Rule
from whatsrelated.kernels.shared._links cimport Links


cdef Rule rule_of(tuple rule) except *
cdef int64_t group(
    Links links, const uint32_t *pages, size_t n, Rule rule, uint32_t *groups
) except -1 nogil
