"""The resources of this process: processors, memory, and its memory limit."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

CGROUPS, OWN_CGROUPS = "/sys/fs/cgroup", "/proc/self/cgroup"
UNKNOWN_MEMORY = 2 << 30
"""The memory assumed if the system does not report it, in bytes."""


def processors() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def physical_memory() -> int:
    """The memory of the machine, in bytes."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return UNKNOWN_MEMORY


def available_memory() -> int:
    """The memory that this process can use without swapping out others, in bytes.

    It is the memory that the machine can free immediately, or the limit of the process's cgroup.
    """
    free = physical_memory()
    with contextlib.suppress(OSError, ValueError, IndexError):
        lines = Path("/proc/meminfo").read_text().splitlines()
        free = next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable"))
    return min([free, *_cgroup_limits()])


def _cgroup_limits() -> list[int]:
    """The memory limits of this process's cgroups, from both versions of cgroups."""
    limits = []
    with contextlib.suppress(OSError, ValueError):
        for line in Path(OWN_CGROUPS).read_text().splitlines():
            _, controllers, place = line.split(":", 2)
            if controllers == "":
                file = Path(CGROUPS, place.lstrip("/"), "memory.max")
            elif "memory" in controllers.split(","):
                file = Path(CGROUPS, "memory", place.lstrip("/"), "memory.limit_in_bytes")
            else:
                continue
            with contextlib.suppress(OSError, ValueError):
                limits.append(int(file.read_text()))  # "max" is not a number: there is no limit
    return limits


def allow_open_files() -> None:
    """Raise this process's limit on open files and sockets as far as the system allows."""
    try:
        import resource
    except ImportError:
        return
    _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard_limit, hard_limit))


def limit_address_space(limit: int | None) -> None:
    """Limit this process's address space; None raises the limit as far as the system allows.

    Does nothing if the system cannot set such a limit or already has a tighter one.
    """
    try:
        import resource
    except ImportError:
        return
    _, allowed = resource.getrlimit(resource.RLIMIT_AS)
    if limit is None:
        limit = allowed
    elif allowed != resource.RLIM_INFINITY and allowed <= limit:
        return
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (limit, allowed))
