"""A question's limits on time and memory, in force in its thread."""

from __future__ import annotations

import math
import sys
import threading
import time

from whatsrelated.errors import OutOfTime

_threads = threading.local()


class Limits:
    """One question's limits, in force within a `with` in one thread.

    `deadline` is by time.monotonic(), `memory` is in bytes.  Inside other limits, unless
    `alone`, the outer deadline and cancellation apply, memory is at most the outer memory,
    and this deadline only says when methods should stop, if they can, with what they have
    (`time_to_stop`).  The plain kernels check only time.
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
        """Cancel the question; may be called from another thread."""
        self._cancelled.set()

    def _is_over(self, seconds: float) -> bool:
        return self._cancelled.is_set() or time.monotonic() + seconds > self.deadline


def _in_force() -> Limits | None:
    limits: Limits | None = getattr(_threads, "limits", None)
    return limits


def check(seconds: float = 0) -> None:
    """Raise OutOfTime if this thread's question has less than `seconds` left or was cancelled."""
    limits = _in_force()
    if limits is not None and limits._is_over(seconds):
        raise OutOfTime("The question was not answered in time; ask for less, or allow more time.")


def time_to_stop() -> float:
    """When methods should stop, if they can, with what they have; by time.monotonic()."""
    limits = _in_force()
    return math.inf if limits is None else limits.stopping


def rows_within(width: int) -> int:
    """The number of rows of `width` bytes that this thread's question may hold."""
    limits = _in_force()
    return sys.maxsize if limits is None else limits.memory // max(width, 1)


def mark_reached() -> None:
    """Record that something was left out."""
    limits = _in_force()
    if limits is not None:
        limits.reached = True
