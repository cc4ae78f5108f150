"""Runs a command with a limited page cache, and drops files from the cache.

A file in the cache is charged to the cgroup that read it first, so pages that other processes
have read would not count.  A graph is therefore dropped from the cache first.  The kernel drops
only clean pages that no process maps, so we check that they are gone.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import subprocess
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")
WINDOW = 1 << 30


def run_in_cgroup(command: list[str], limit: int) -> str:
    """A command's output in a cgroup with limited memory, page cache included."""
    old = (CGROUPS / "memory").is_dir()
    group = (CGROUPS / "memory" if old else CGROUPS) / f"related-{os.getpid()}"
    group.mkdir()
    try:
        (group / ("memory.limit_in_bytes" if old else "memory.max")).write_text(str(limit))
        inside = ["sh", "-c", f'echo $$ > {group}/cgroup.procs && exec "$@"', "sh", *command]
        return subprocess.run(inside, stdout=subprocess.PIPE, text=True, check=True).stdout
    finally:
        group.rmdir()


def drop_from_cache(folder: Path) -> None:
    """Drop the files of a folder from the page cache; raise if they stay."""
    for file in folder.rglob("*.npy"):
        handle = os.open(file, os.O_RDONLY)
        try:
            os.fdatasync(handle)
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
        finally:
            os.close(handle)
        left = cached_bytes(file)
        if left > 0.02 * file.stat().st_size + (1 << 20):
            raise SystemExit(f"{left:,} bytes of {file} stay in the page cache: a process maps it.")


def cached_bytes(file: Path) -> int:
    """How much of a file is in the page cache (Linux)."""
    size = file.stat().st_size
    if not size:
        return 0
    libc = ctypes.CDLL(None, use_errno=True)
    cached = 0
    with file.open("rb") as opened:
        for start in range(0, size, WINDOW):
            length = min(WINDOW, size - start)
            window = mmap.mmap(
                opened.fileno(),
                length,
                mmap.MAP_PRIVATE,
                mmap.PROT_READ | mmap.PROT_WRITE,
                offset=start,
            )
            address = ctypes.addressof(ctypes.c_char.from_buffer(window))
            pages = (ctypes.c_ubyte * -(-length // mmap.PAGESIZE))()
            if libc.mincore(ctypes.c_void_p(address), ctypes.c_size_t(length), pages):
                raise OSError(ctypes.get_errno(), "mincore")
            cached += mmap.PAGESIZE * sum(page & 1 for page in bytes(pages))
    return cached
