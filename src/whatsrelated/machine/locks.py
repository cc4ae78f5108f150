"""Locks on open files, held until the file is closed or the process ends.

They use `flock` on Linux, macOS and the BSDs. On Windows, a byte far beyond the end of the file is
locked, so others can still read it. On any other system nothing is locked, and the user must make
sure that only one process writes a graph at a time.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import os
import time
from collections.abc import Iterator
from typing import IO, Any

LOCKED_BYTE = 1 << 30
"""The byte locked on Windows, beyond the end of any file that we lock."""
PAUSE = 0.05
"""Seconds between two attempts to lock a byte; `flock` waits by itself."""


def try_lock(file: IO[Any]) -> bool:
    """Lock a file; False if another process holds it."""
    return _lock(file, wait=False)


def wait_for_lock(file: IO[Any]) -> None:
    """Lock a file, waiting until no other process holds it."""
    _lock(file, wait=True)


@contextlib.contextmanager
def folder_lock(path: str) -> Iterator[bool]:
    """Whether this process holds the lock of a folder; always true if folders cannot be locked."""
    try:
        import fcntl
    except ImportError:
        yield True
        return
    folder = os.open(path, os.O_RDONLY)
    try:
        yield _lock_file(fcntl, folder, False)
    finally:
        os.close(folder)


def _lock(file: IO[Any], *, wait: bool) -> bool:
    for name, lock in (("fcntl", _lock_file), ("msvcrt", _lock_byte)):
        try:
            system = importlib.import_module(name)
        except ImportError:
            continue
        while not lock(system, file, wait):
            if not wait:
                return False
            time.sleep(PAUSE)
        break
    return True


def _lock_file(fcntl: Any, file: IO[Any] | int, wait: bool) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _lock_byte(msvcrt: Any, file: IO[Any], _: bool) -> bool:
    handle = file.fileno()
    place = os.lseek(handle, 0, os.SEEK_CUR)
    os.lseek(handle, LOCKED_BYTE, os.SEEK_SET)
    try:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
            raise
        return False
    finally:
        os.lseek(handle, place, os.SEEK_SET)
    return True
