"""What a question may take: the limits that are in force in a thread."""

from __future__ import annotations

import math
import sys
import threading
import time

from whatsrelated.errors import OutOfTime

_threads = threading.local()


class Limits:
    """What one question may take, in force within a `with` of one thread.

    `deadline` is a time.monotonic(), `memory` is in bytes.  Where limits are in force
    already, their deadline and no more than their memory hold, and who cancels them cancels
    these, unless these stand `alone`; this deadline then only says when methods that can
    shall stop with what they have (`time_to_stop`).  The twins look at time only.
    """

    def __init__(
        self, deadline: float = math.inf, memory: int = sys.maxsize, alone: bool = False
    ) -> None:
        self.deadline, self.memory, self.alone = deadline, memory, alone
        self.stopping = deadline
        self.reached = False
        self.grown = 0
        self._cancelled = threading.Event()
        self._outer: Limits | None = None

    def __enter__(self) -> Limits:
        self._outer = getattr(_threads, "limits", None)
        if self._outer is not None and not self.alone:
            self.stopping = min(self.deadline, self._outer.stopping)
            self.deadline, self._cancelled = self._outer.deadline, self._outer._cancelled
            self.memory = min(self.memory, self._outer.memory)
        _threads.limits = self
        return self

    def __exit__(self, *error: object) -> None:
        _threads.limits = self._outer

    def cancel(self) -> None:
        """End the question; another thread may call it."""
        self._cancelled.set()

    def _is_over(self, seconds: float) -> bool:
        return self._cancelled.is_set() or time.monotonic() + seconds > self.deadline


def _here() -> Limits | None:
    limits: Limits | None = getattr(_threads, "limits", None)
    return limits


def check(seconds: float = 0) -> None:
    """Raise where the question of this thread has not so much time left, or nobody waits for it."""
    limits = _here()
    if limits is not None and limits._is_over(seconds):
        raise OutOfTime("The question was not answered in time; ask for less, or allow more time.")


def time_to_stop() -> float:
    """When a method that can shall stop with what it has, as time.monotonic counts."""
    limits = _here()
    return math.inf if limits is None else limits.stopping


def rows_within(width: int) -> int:
    """How many rows of so many bytes the question of this thread may hold."""
    limits = _here()
    return sys.maxsize if limits is None else limits.memory // max(width, 1)


def mark_reached() -> None:
    """Note that something was left out."""
    limits = _here()
    if limits is not None:
        limits.reached = True
