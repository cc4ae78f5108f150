"""Wait for changes in a folder, by inotify if available, otherwise by polling.

inotify only reports *that* something changed; the caller finds out what it was. New folders are
watched too. Without inotify, or if the system has no watches left, the names, sizes and times of
all files are compared at intervals.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import time
from collections.abc import Callable, Iterator
from pathlib import Path

EVERY = 1.0
"""Seconds between two polls."""
EVENTS = 0x002 | 0x004 | 0x008 | 0x040 | 0x080 | 0x100 | 0x200 | 0x400
"""The events: modified, attributes, closed after writing, moved from and to, created, deleted, and
deletion of the folder itself.
"""
NONBLOCKING = 0x800


class FolderChanges:
    """A context manager that waits for changes in a folder."""

    def __init__(self, root: Path, ignored: Callable[[Path], bool]) -> None:
        """Folders for which `ignored` is true are not watched."""
        self.root = root
        self._ignored = ignored
        self._inotify: int | None = None
        self._snapshot: dict[str, tuple[int, int, int]] = {}

    def __enter__(self) -> FolderChanges:
        self._inotify = self._open()
        if self._inotify is None:
            self._snapshot = self._look()
        return self

    def __exit__(self, *error: object) -> None:
        self._close()

    @property
    def by(self) -> str:
        """How changes are detected: `inotify` or `polling`."""
        return "polling" if self._inotify is None else "inotify"

    def wait(self, seconds: float) -> bool:
        """Wait up to `seconds`; return whether something changed."""
        until = time.monotonic() + seconds
        while True:
            remaining = until - time.monotonic()
            if self._inotify is not None:
                if select.select([self._inotify], [], [], max(remaining, 0))[0]:
                    self._drain()
                    return True
                return False
            time.sleep(max(0.0, min(EVERY, remaining)))
            snapshot = self._look()
            if snapshot != self._snapshot:
                self._snapshot = snapshot
                return True
            if remaining <= 0:
                return False

    def _open(self) -> int | None:
        """An inotify descriptor that watches every folder; None if that is not possible."""
        try:
            libc = ctypes.CDLL(None, use_errno=True)
            descriptor = int(libc.inotify_init1(NONBLOCKING))
        except (OSError, AttributeError, TypeError):
            return None
        if descriptor < 0:
            return None
        for folder in self._folders():
            if libc.inotify_add_watch(descriptor, os.fsencode(folder), EVENTS) < 0:
                os.close(descriptor)
                return None
        return descriptor

    def _drain(self) -> None:
        """Discard pending events, and watch the folders that exist now."""
        self._close()
        self._inotify = self._open()
        if self._inotify is None:
            self._snapshot = self._look()

    def _close(self) -> None:
        if self._inotify is not None:
            os.close(self._inotify)
            self._inotify = None

    def _folders(self) -> Iterator[str]:
        for folder, inner, _ in os.walk(self.root):
            inner[:] = [name for name in inner if not self._ignored(Path(folder, name))]
            yield folder

    def _look(self) -> dict[str, tuple[int, int, int]]:
        """The size, time and inode of every file, and the inode of every folder."""
        snapshot = {}
        for folder in self._folders():
            with contextlib.suppress(OSError), os.scandir(folder) as entries:
                for entry in entries:
                    with contextlib.suppress(OSError):
                        status = entry.stat()
                        snapshot[entry.path] = (
                            (0, 0, status.st_ino)
                            if entry.is_dir()
                            else (status.st_size, status.st_mtime_ns, status.st_ino)
                        )
        return snapshot
