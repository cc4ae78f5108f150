"""Each thread's scratch memory, one object per kind, reused by every query."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from whatsrelated import kernels

if TYPE_CHECKING:
    from whatsrelated.kernels.shared.limits import Limits

Kind = TypeVar("Kind")

QUESTION_MEMORY = 512 << 20
"""Default memory limit of a query, in bytes."""
MAX_KEPT = 32 << 20
"""Maximum scratch memory that a thread keeps between queries, in bytes."""

_threads = threading.local()


def scratch_of(kind: type[Kind]) -> Kind:
    """This thread's scratch memory of one kind: `scratch_of(kernels.row_sums.Scratch)`."""
    held: dict[type[Any], Any] = _threads.__dict__.setdefault("held", {})
    if kind not in held:
        held[kind] = kind()
    scratch: Kind = held[kind]
    return scratch


def question_limits(deadline: float | None, memory: int) -> Limits:
    """The limits of a query: a deadline on the clock of time.monotonic(), and bytes."""
    return kernels.limits.Limits(math.inf if deadline is None else deadline, memory)


@contextmanager
def keep_within(limits: Limits) -> Iterator[Limits]:
    """Apply limits to this thread, and free its scratch memory afterwards if it is large."""
    try:
        with limits:
            yield limits
    finally:
        objects = _threads.__dict__
        objects["bytes"] = objects.get("bytes", 0) + limits.grown
        if objects["bytes"] > MAX_KEPT:
            objects.clear()
