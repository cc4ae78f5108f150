"""Many requests to one server, and how much memory its worker holds meanwhile.

    python -m tests.hostile.memory --requests 200000 --seed N

Half of the requests are drawn from a small set, so the cache answers them; the others have names
and numbers of their own, odd ones among them. Memory must not grow with the number of requests:
in the second half it may rise by at most `SLACK`.
"""

from __future__ import annotations

import argparse
import http.client
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from urllib.parse import quote, urlencode

import whatsrelated
from tests.hostile.processes import Served, served
from tests.waiting import PATIENCE
from whatsrelated.methods import METHODS
from whatsrelated.ranks import RANKS

SLACK = 8 << 20
"""Bytes by which memory may rise in the second half; a leak of 100 bytes per request is more."""
STEPS = 10
KNOWN = 500
"""Number of different requests that are repeated."""


def paths(draw: Random, urls: list[str]) -> Iterator[str]:
    """The paths of requests, without end."""
    known = [_path(draw, urls) for _ in range(KNOWN)]
    while True:
        yield draw.choice(known) if draw.random() < 0.5 else _path(draw, urls)


def _path(draw: Random, urls: list[str]) -> str:
    odd = draw.choice(("", "\0", "a" * 3000, f"tea {draw.random()}", "https://x.example/\u202e"))
    page = draw.choice(urls) if draw.random() < 0.9 else odd
    fields: dict[str, object] = {"url": page}
    kind = draw.choice(("related", "related", "links", "pages", "rank", "common", "/", "/none"))
    if kind == "related":
        fields.update(by=draw.choice(list(METHODS)), limit=draw.randrange(-1, 60))
        fields.update(seed=draw.randrange(10**9), why=draw.randrange(2))
    elif kind == "pages":
        fields = {"words": draw.choice((page, page[:5], odd))}
    elif kind == "rank":
        fields = {"by": draw.choice(list(RANKS)), "limit": draw.randrange(50)}
    elif kind == "common":
        return f"/api/common?url={quote(page)}&url={quote(draw.choice(urls))}"
    elif kind == "/":
        return f"/?{urlencode(fields)}"
    elif kind == "/none":
        return f"/none/{draw.randrange(10**9)}?{urlencode(fields)}"
    return f"/api/{kind}?{urlencode(fields)}"


def _urls() -> list[str]:
    graph = whatsrelated.open("sample")
    return [graph.url(page) for page in range(len(graph))]


def memory_of(server: Served) -> int:
    """The memory that is not mapped from files, of the largest worker, in bytes."""
    sizes = []
    for pid in server.workers():
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        sizes += [int(line.split()[1]) << 10 for line in lines if line.startswith("RssAnon")]
    return max(sizes)


def measured(
    server: Served, requests: int, seed: int, statuses: Counter[int]
) -> Iterator[tuple[int, int]]:
    """Send the requests; after each step, their number and the memory."""
    drawn = paths(Random(seed), _urls())
    connection = http.client.HTTPConnection(*server.address, timeout=PATIENCE)
    for number in range(1, requests + 1):
        connection.request("GET", next(drawn))
        answer = connection.getresponse()
        answer.read()
        statuses[answer.status] += 1
        if number % (requests // STEPS) == 0:
            yield number, memory_of(server)
    connection.close()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.hostile.memory")
    parser.add_argument("--requests", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    sizes: list[int] = []
    statuses: Counter[int] = Counter()
    with tempfile.TemporaryDirectory() as place:
        log = Path(place, "log")
        with served("sample", log, "--workers", "1", "--cache", "4") as server:
            for number, size in measured(server, options.requests, options.seed, statuses):
                sizes.append(size)
                print(f"{number:,}\t{size / 1e6:.1f} MB", flush=True)
        faults = log.read_text().count("Traceback")
    print(dict(statuses), f"{faults} tracebacks")
    growth = max(sizes) - sizes[len(sizes) // 2 - 1]
    print(f"{growth / 1e6:.1f} MB more in the second half")
    return 1 if growth > SLACK or faults or statuses[500] else 0


if __name__ == "__main__":
    sys.exit(main())
