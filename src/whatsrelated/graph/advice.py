"""Advice to the kernel on files that are larger than memory.

A page fault of a mapping reads what is around it too, as far as the disk's read-ahead goes:
a question that needs 9 MB of a large graph then reads gigabytes.  Where links and their index
take more than FAR of the memory that is there for them, the kernel is told that they are read
at random; whatever goes over all of them says so, for as long as it lasts.
"""

from __future__ import annotations

import contextlib
import mmap
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from whatsrelated.machine.resources import available_memory

FAR = 0.6
"""The part of memory that links and index may take before they are read at random."""


def is_far(size: int) -> bool:
    """Whether so many bytes of links and index are more than memory holds."""
    return size > FAR * available_memory()


def advise(mappings: Iterable[mmap.mmap], advice: str) -> None:
    """Tell the kernel how mappings will be read: RANDOM, SEQUENTIAL, or not soon (DONTNEED)."""
    how: int | None = getattr(mmap, f"MADV_{advice}", None)
    if how is None:  # Windows has no such thing
        return
    for mapping in mappings:
        with contextlib.suppress(OSError, ValueError):
            mapping.madvise(how)


@contextmanager
def sequential(mappings: Iterable[mmap.mmap]) -> Iterator[None]:
    """Have mappings read one after another, and at random again afterwards."""
    mappings = list(mappings)
    advise(mappings, "SEQUENTIAL")
    try:
        yield
    finally:
        advise(mappings, "RANDOM")
