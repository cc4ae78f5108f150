"""What this process may use: processors, memory, and a bound on its own memory."""

from __future__ import annotations

import contextlib
import os

UNKNOWN_MEMORY = 2 << 30
"""The bytes that a machine is taken to have where nobody tells."""


def processors() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def physical_memory() -> int:
    """The bytes of memory that the machine has."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return UNKNOWN_MEMORY


def allow_open_files() -> None:
    """Let this process open as many files and sockets as the system allows it."""
    try:
        import resource
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def limit_address_space(most: int | None) -> None:
    """Bound this process's address space; None for as much as the system allows.

    Does nothing where the system has no such bound, or has a tighter one already.
    """
    try:
        import resource
    except ImportError:
        return
    _, allowed = resource.getrlimit(resource.RLIMIT_AS)
    if most is None:
        most = allowed
    elif allowed != resource.RLIM_INFINITY and allowed <= most:
        return
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (most, allowed))
