"""Rate limits: a number of requests per second, and twice as many in a burst.

Each client has a bucket that fills over time; a request takes one token from it. All addresses in a
64-bit IPv6 network count as one client, since a machine can use as many as it likes. The last
`MAX_CLIENTS` clients are remembered; a forgotten client starts with a full bucket.
"""

from __future__ import annotations

import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Callable

from starlette.exceptions import HTTPException
from starlette.types import Scope

from whatsrelated.apps.serve.access_log import client

MAX_CLIENTS = 10_000


class Rates:
    """A bucket of requests for each client of a worker."""

    def __init__(self, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self.burst = max(1.0, 2 * rate)
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def admit(self, client: str) -> None:
        """Count a request of this client; reject it if there were too many."""
        now = self._clock()
        tokens, then = self._buckets.pop(client, (self.burst, now))
        tokens = min(self.burst, tokens + (now - then) * self.rate)
        admitted = tokens >= 1
        self._buckets[client] = (tokens - 1 if admitted else tokens, now)
        if len(self._buckets) > MAX_CLIENTS:
            self._buckets.popitem(last=False)
        if not admitted:
            seconds = math.ceil((1 - tokens) / self.rate)
            sentence = f"More than {self.rate:g} requests per second; try again in {seconds} s."
            raise HTTPException(429, sentence, {"retry-after": str(seconds)})


def client_of(scope: Scope) -> str:
    """What counts as one client: a token or, without one, an address."""
    token = scope["token"]
    return _network_of(client(scope)) if token is None else f"token {token.name}"


def _network_of(client: str) -> str:
    """The network of an IPv6 address; any other client is returned unchanged."""
    try:
        address = ipaddress.IPv6Address(client)
    except ValueError:
        return client
    return client if address.ipv4_mapped else str(int(address) >> 64)
