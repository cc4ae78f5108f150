"""How processor time grows with the length of a text."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

Text = TypeVar("Text", str, bytes)

MOST = 6.0
"""How much more processor time a text four times as long may take: linear is four."""
FLOOR = 0.004
"""Seconds below which nothing is compared."""
LONGEST = 2.0
"""Seconds after which a measurement is abandoned."""


class TooLong(BaseException):
    """Abandons a measurement; no `except Exception` may hide it."""


@contextmanager
def interrupted(seconds: float) -> Iterator[None]:
    """Raise TooLong after this much processor time."""

    def ring(*_: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def cost(use: Callable[[Text], object], text: Text) -> float:
    """The processor time of one use, in seconds; `LONGEST` if it was abandoned."""
    begun = time.process_time()
    try:
        with interrupted(LONGEST):
            use(text)
    except TooLong:
        return LONGEST
    return time.process_time() - begun


def slow_text(text: Callable[[int], Text], use: Callable[[Text], object], size: int) -> str:
    """The beginning of a text whose cost grows faster than its length; empty if it does not.

    The larger text comes first: if that is quick, there is nothing to compare.
    """
    for _ in range(3):
        large = cost(use, text(4 * size))
        if large < MOST * FLOOR:
            return ""
        small = cost(use, text(size)) if large < LONGEST else 0.0
        if large < MOST * max(small, FLOOR):
            return ""
    return f"{small:.4f} s, then {large:.4f} s: {text(size)[:1000]!r}"
