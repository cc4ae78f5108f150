"""How far a report is, and whether it can be ready in time.

Where a deadline is in force (see kernels.limits), work that could not be done even at twice
the pace so far is ended at once, rather than at the deadline.
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
    """Counts the pages that are asked, of so many; raises OutOfTime where it is hopeless."""

    def __init__(self, total: int, progress: Progress | None = None) -> None:
        self._left = total
        self._asked = 0
        self._progress = progress
        self._began = time.monotonic()

    def step(self, what: str, done: int, total: int) -> None:
        """Note that one more page is asked: the one after `done` of `total`, for this purpose."""
        if self._progress is not None:
            self._progress(what, done, total)
        self._left -= 1
        self._asked += 1
        if self._asked % EVERY == 0:
            each = (time.monotonic() - self._began) / self._asked
            check_time(max(0, self._left) * each / FASTER)
