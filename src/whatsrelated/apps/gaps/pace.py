"""Track the progress of a report, and whether it can finish in time.

If the work would miss its deadline (see kernels.limits) even at twice the current pace, it stops at
once instead of at the deadline.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from whatsrelated.api.limits import check_time

if TYPE_CHECKING:
    from whatsrelated.stream import Progress

EVERY = 100
FASTER = 2


class Pace:
    """Counts the pages that are done; raises OutOfTime if the deadline cannot be met."""

    def __init__(self, total: int, progress: Progress | None = None) -> None:
        self._remaining = total
        self._steps = 0
        self._progress = progress
        self._began = time.monotonic()

    def step(self, what: str, done: int, total: int) -> None:
        """Record that page `done` of `total` is next; `what` names the activity."""
        if self._progress is not None:
            self._progress(what, done, total)
        self._remaining -= 1
        self._steps += 1
        if self._steps % EVERY == 0:
            each = (time.monotonic() - self._began) / self._steps
            check_time(max(0, self._remaining) * each / FASTER)
