"""Work that hangs, and a clock by which time passes only while it does.

Time limits are tested by it instead of by seconds: on a slow machine nothing else
is ever late.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

LONG = 120.0
"""Seconds after which it ends anyway, so that a test fails instead of hanging."""


def hang(folder: Path | str) -> None:
    """Record in a folder that this process hangs, and hang for longer than any test waits."""
    (Path(folder) / f"hangs-{os.getpid()}").touch()
    time.sleep(LONG)


class HangingClock:
    """Advances an hour at every call while a process of the folder hangs, else not at all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.now = 0.0

    def __call__(self) -> float:
        hanging = [int(path.name.rpartition("-")[2]) for path in self.folder.glob("hangs-*")]
        if any(map(_is_alive, hanging)):
            self.now += 3600
        return self.now


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
