"""How a graph is served: every setting declared once, for the command and the docs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from whatsrelated.options import Configured, option


@dataclass(frozen=True)
class Settings(Configured):
    """How a graph is served."""

    name: ClassVar[str] = "serve"

    host: str = option("127.0.0.1", "the address to listen on; others can reach it past loopback")
    port: int = option(8765, "the port to listen on; 0 takes a free one", low=0, high=65535)
    workers: int = option(1, "how many processes share the mapped graph", low=1, high=256)
    threads: int = option(2, "how many queries a worker runs at a time", low=1, high=256)
    queue: int = option(64, "how many queries may wait in a worker; more are refused", low=0)
    deadline: float = option(10.0, "seconds that a query may take", low=0, open_low=True)
    cache: int = option(32, "megabytes of answers that a worker keeps; 0 keeps none", low=0)
    body: int = option(1024, "kilobytes that the body of a request may have", low=1)
    connections: int = option(1000, "how many connections a worker holds", low=1)
    patience: float = option(
        10.0, "seconds that a slow client has to send its request", low=0, open_low=True
    )
    busy_parents: int = option(
        0, "where half the queue is taken, sample no more parents than this; 0 never", low=0
    )
    stop: str | None = option(
        None, "pages without a topic, for every query that names none: a file, or auto:N", kind=str
    )
    cors: str | None = option(
        None, "origins of other sites' pages that may ask, by commas; * for any", kind=str
    )
    hosts: str | None = option(
        None, "host names that this server is called by, by commas; * for any", kind=str
    )
    watch: float = option(
        1.0, "seconds between two looks for a new generation of the graph", low=0, open_low=True
    )
