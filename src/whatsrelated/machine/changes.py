"""Notice that something in a folder has changed: by inotify where there is one, else by looking.

inotify is asked for nothing but *that* something changed: what it was is seen by
looking.  Folders that are made are watched from then on.  Where the system has no
inotify, or has no watches left, the names, sizes and times of all files are
compared now and then.
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
"""Seconds between two looks, where nothing tells."""
EVENTS = 0x002 | 0x004 | 0x008 | 0x040 | 0x080 | 0x100 | 0x200 | 0x400
"""Modified, attributes, closed after writing, moved from and to, created, deleted, itself too."""
NONBLOCKING = 0x800


class FolderChanges:
    """Waits for changes in a folder; a context."""

    def __init__(self, root: Path, ignored: Callable[[Path], bool]) -> None:
        """Folders in it that are `ignored` are not looked into."""
        self.root = root
        self._ignored = ignored
        self._inotify: int | None = None
        self._seen: dict[str, tuple[int, int, int]] = {}

    def __enter__(self) -> FolderChanges:
        self._inotify = self._open()
        if self._inotify is None:
            self._seen = self._look()
        return self

    def __exit__(self, *error: object) -> None:
        self._close()

    @property
    def by(self) -> str:
        """`inotify` or `looking`."""
        return "looking" if self._inotify is None else "inotify"

    def wait(self, seconds: float) -> bool:
        """Whether something changes within that time."""
        until = time.monotonic() + seconds
        while True:
            left = until - time.monotonic()
            if self._inotify is not None:
                if select.select([self._inotify], [], [], max(left, 0))[0]:
                    self._drain()
                    return True
                return False
            time.sleep(max(0.0, min(EVERY, left)))
            now = self._look()
            if now != self._seen:
                self._seen = now
                return True
            if left <= 0:
                return False

    def _open(self) -> int | None:
        """A descriptor of inotify that watches every folder; None where that cannot be had."""
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
        """Forget what has happened, and watch the folders that there are now."""
        self._close()
        self._inotify = self._open()
        if self._inotify is None:
            self._seen = self._look()

    def _close(self) -> None:
        if self._inotify is not None:
            os.close(self._inotify)
            self._inotify = None

    def _folders(self) -> Iterator[str]:
        for folder, inner, _ in os.walk(self.root):
            inner[:] = [name for name in inner if not self._ignored(Path(folder, name))]
            yield folder

    def _look(self) -> dict[str, tuple[int, int, int]]:
        """The size, time and number of every file, the number alone of a folder."""
        seen = {}
        for folder in self._folders():
            with contextlib.suppress(OSError), os.scandir(folder) as entries:
                for entry in entries:
                    with contextlib.suppress(OSError):
                        status = entry.stat()
                        seen[entry.path] = (
                            (0, 0, status.st_ino)
                            if entry.is_dir()
                            else (status.st_size, status.st_mtime_ns, status.st_ino)
                        )
        return seen
