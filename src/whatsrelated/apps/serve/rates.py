"""How often a client may ask: so many requests a second, and twice as many at once.

A bucket for each client that fills with time; a request takes one from it.
Of the clients, the last `MOST_CLIENTS` are remembered: whoever is forgotten
begins with a full bucket.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable

from starlette.exceptions import HTTPException

MOST_CLIENTS = 10_000


class Rates:
    """A bucket of requests for each client of a worker."""

    def __init__(self, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self.most = max(1.0, 2 * rate)
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def admit(self, client: str) -> None:
        """Count a request of this client; refuse it where there were too many."""
        now = self._clock()
        left, then = self._buckets.pop(client, (self.most, now))
        left = min(self.most, left + (now - then) * self.rate)
        admitted = left >= 1
        self._buckets[client] = (left - 1 if admitted else left, now)
        if len(self._buckets) > MOST_CLIENTS:
            self._buckets.popitem(last=False)
        if not admitted:
            seconds = math.ceil((1 - left) / self.rate)
            sentence = f"More than {self.rate:g} requests a second; try again in {seconds} s."
            raise HTTPException(429, sentence, {"retry-after": str(seconds)})
