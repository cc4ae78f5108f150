"""A query's limits on time and memory, which apply to its thread."""

from __future__ import annotations

import math
import sys
import threading
import time

from whatsrelated.errors import OutOfTime

_threads = threading.local()


class Limits:
    """One query's limits, which apply to one thread inside a `with` block.

    `deadline` is on the clock of time.monotonic(), `memory` is in bytes. Nested limits, unless
    `alone`, keep the outer deadline and cancellation, and at most the outer memory. Their own
    deadline is only a hint: methods that support it should then stop and return what they have
    (`time_to_stop`). The plain kernels check only time.
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
        """Cancel the query; may be called from another thread."""
        self._cancelled.set()

    def _is_over(self, seconds: float) -> bool:
        return self._cancelled.is_set() or time.monotonic() + seconds > self.deadline


def _in_force() -> Limits | None:
    limits: Limits | None = getattr(_threads, "limits", None)
    return limits


def check(seconds: float = 0) -> None:
    """Raise OutOfTime if this thread's query has less than `seconds` left or was cancelled."""
    limits = _in_force()
    if limits is not None and limits._is_over(seconds):
        raise OutOfTime("The query did not finish in time; ask for less, or allow more time.")


def time_to_stop() -> float:
    """The time.monotonic() value at which methods should stop, if they can, and return what they
    have.
    """
    limits = _in_force()
    return math.inf if limits is None else limits.stopping


def rows_within(width: int) -> int:
    """The number of rows of `width` bytes that this thread's query may hold."""
    limits = _in_force()
    return sys.maxsize if limits is None else limits.memory // max(width, 1)


def mark_reached() -> None:
    """Record that something was left out."""
    limits = _in_force()
    if limits is not None:
        limits.reached = True
