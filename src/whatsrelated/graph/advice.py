"""Advise the operating system on files larger than memory.

A page fault in a mapping also reads ahead, so a query that needs 9 MB of a large graph would read
gigabytes. If links and their index take a larger share of the available memory than FAR, we declare
random access. Code that reads all links declares sequential access while it runs.
"""

from __future__ import annotations

import contextlib
import mmap
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from whatsrelated.machine.resources import available_memory

FAR = 0.6
"""If the links and the index take more than this share of memory, random access is declared."""


def is_far(size: int) -> bool:
    """Whether `size` bytes of links and index exceed the available memory."""
    return size > FAR * available_memory()


def advise(mappings: Iterable[mmap.mmap], advice: str) -> None:
    """Declare how mappings will be read: RANDOM, SEQUENTIAL, or DONTNEED (not soon)."""
    how: int | None = getattr(mmap, f"MADV_{advice}", None)
    if how is None:  # Windows has no madvise
        return
    for mapping in mappings:
        with contextlib.suppress(OSError, ValueError):
            mapping.madvise(how)


@contextmanager
def sequential(mappings: Iterable[mmap.mmap]) -> Iterator[None]:
    """Declare sequential access to mappings, and random access again afterwards."""
    mappings = list(mappings)
    advise(mappings, "SEQUENTIAL")
    try:
        yield
    finally:
        advise(mappings, "RANDOM")
