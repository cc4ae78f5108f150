"""Counters of the server, shared by all workers, in Prometheus format.

Each worker has a row of numbers in shared memory. It adds only to that row, from the thread of its
event loop, so no lock is needed. In every worker, `text` sums all rows.
"""

from __future__ import annotations

import mmap
from bisect import bisect_left
from collections.abc import Iterable, Mapping

STATUSES = (
    200,
    204,
    304,
    400,
    401,
    403,
    404,
    405,
    408,
    413,
    414,
    415,
    421,
    429,
    500,
    501,
    503,
    504,
)
SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
COUNTERS = {
    "cache_hits": "Responses sent from the cache.",
    "refused": "Queries rejected because the queue was full or the wait too long.",
    "late": "Queries that ran past their deadline.",
    "sampled_fewer": "Answers from a smaller sample, because the server was busy.",
    "switches": "New generations of the graph that were served.",
    "failed_switches": "New generations of the graph that could not be opened.",
}
GAUGES = {
    "running": "Queries running now.",
    "waiting": "Queries waiting now.",
    "cached_bytes": "Bytes of responses in the cache.",
    "connections": "Open connections.",
}


class Metrics:
    """The numbers of all workers; `row` is this process's worker."""

    def __init__(self, routes: Iterable[str], workers: int = 1) -> None:
        self.routes = [*routes, "other"]
        self.workers = workers
        self.row = 0
        self._places: dict[tuple[str, ...], int] = {}
        for name in (*COUNTERS, *GAUGES):
            self._add_place(name)
        for route in self.routes:
            for status in (*STATUSES, "other"):
                self._add_place("requests", route, str(status))
            for bound in (*SECONDS, "+Inf"):
                self._add_place("seconds", route, str(bound))
            self._add_place("sum", route)
        self._width = len(self._places)
        self._memory = mmap.mmap(-1, 8 * self._width * workers)
        self._numbers = memoryview(self._memory).cast("d")

    def _add_place(self, *key: str) -> None:
        self._places[key] = len(self._places)

    def add(self, *key: str, amount: float = 1.0) -> None:
        self._numbers[self.row * self._width + self._places[key]] += amount

    def put(self, name: str, value: float) -> None:
        self._numbers[self.row * self._width + self._places[name,]] = value

    def total(self, *key: str) -> float:
        place = self._places[key]
        return sum(self._numbers[row * self._width + place] for row in range(self.workers))

    def count_request(self, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        route = route if ("sum", route) in self._places else "other"
        self.add("requests", route, str(status if status in STATUSES else "other"))
        place = bisect_left(SECONDS, seconds)
        self.add("seconds", route, str(SECONDS[place]) if place < len(SECONDS) else "+Inf")
        self.add("sum", route, amount=seconds)

    def text(self, graph: Mapping[str, float]) -> str:
        """All numbers in Prometheus' text format; `graph` holds gauges of the graph."""
        lines: list[str] = []

        def head(name: str, kind: str, sentence: str) -> str:
            lines.extend((f"# HELP related_{name} {sentence}", f"# TYPE related_{name} {kind}"))
            return f"related_{name}"

        for name, sentence in COUNTERS.items():
            lines.append(f"{head(name + '_total', 'counter', sentence)} {self.total(name):.0f}")
        for name, sentence in GAUGES.items():
            lines.append(f"{head(name, 'gauge', sentence)} {self.total(name):.0f}")
        for name, value in graph.items():
            lines.append(
                f"{head(name, 'gauge', name.replace('_', ' ').capitalize() + '.')} {value:.0f}"
            )
        name = head("requests_total", "counter", "Requests by route and status.")
        for route in self.routes:
            for status in (*STATUSES, "other"):
                count = self.total("requests", route, str(status))
                if count:
                    lines.append(f'{name}{{route="{route}",status="{status}"}} {count:.0f}')
        name = head("request_seconds", "histogram", "Duration of requests in seconds, by route.")
        for route in self.routes:
            below = 0.0
            for bound in (*SECONDS, "+Inf"):
                below += self.total("seconds", route, str(bound))
                lines.append(f'{name}_bucket{{route="{route}",le="{bound}"}} {below:.0f}')
            lines.append(f'{name}_sum{{route="{route}"}} {self.total("sum", route):.6f}')
            lines.append(f'{name}_count{{route="{route}"}} {below:.0f}')
        return "\n".join(lines) + "\n"
