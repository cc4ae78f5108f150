"""How does the server perform under load: throughput, latency, overload, switches, start-up?

    python -m benchmarks.server FOLDER [--pages 2000000 --links 40000000] [--seconds 10]

FOLDER holds the generated graphs.  wrk (a Debian package) queries companion over loopback about
random pages of in-degree 50 or more; it shares the processors with the server. `CPU ms` is what the
server's processes used per request; on a busy machine, it means more than the rate.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import numpy as np

from benchmarks import generate
from benchmarks.measure import table
from whatsrelated.api import Graph
from whatsrelated.graph import format as disk

ASK = """
local paths, at = {}, 0
for line in io.lines("%(file)s") do paths[#paths + 1] = line end
function init() math.randomseed(%(seed)d); at = math.random(#paths) end
function request()
  at = at %% #paths + 1
  return wrk.format("GET", paths[at])
end
%(more)s
"""


class ServedGraph:
    """A running `related serve`."""

    def __init__(self, graph: Path, *options: str) -> None:
        begun = time.monotonic()
        command = [sys.executable, "-c", "from whatsrelated.cli import main; main()"]
        self.process = subprocess.Popen(
            [*command, "serve", str(graph), "--port", "0", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip().rstrip("/")
        self.begun = begun

    def get(self, path: str) -> str:
        with urllib.request.urlopen(self.address + path) as answer:
            text: str = answer.read().decode()
            return text

    def pids(self) -> list[int]:
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        return [pid, *map(int, children.split())]

    def cpu(self) -> float:
        ticks = 0
        for pid in self.pids():
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def private_memory(self) -> float:
        """The server's own memory in megabytes, without the mapped graph."""
        total = 0
        for pid in self.pids():
            text = Path(f"/proc/{pid}/smaps_rollup").read_text()
            total += sum(map(int, re.findall(r"^Private_\w+: +(\d+)", text, re.MULTILINE)))
        return total / 1024

    def mappings(self, graph: Path) -> int:
        workers = self.pids()[1:]
        return max(Path(f"/proc/{pid}/maps").read_text().count(str(graph)) for pid in workers)

    def counted(self) -> dict[str, int]:
        found = re.findall(
            r'requests_total{route="/api/related",status="(\d+)"} (\d+)', self.get("/metrics")
        )
        return {status: int(count) for status, count in found}


@contextmanager
def served(graph: Path, *options: str) -> Iterator[ServedGraph]:
    server = ServedGraph(graph, *options)
    try:
        yield server
    finally:
        server.process.terminate()
        server.process.wait(30)


class Load:
    """wrk's results, and the CPU time that the server used in the same period."""

    def __init__(
        self, server: ServedGraph, paths: list[str], seconds: int, connections: int, more: str = ""
    ) -> None:
        with tempfile.TemporaryDirectory() as folder:
            listed = Path(folder) / "paths.txt"
            listed.write_text("\n".join(paths))
            script = Path(folder) / "ask.lua"
            script.write_text(ASK % {"file": listed, "seed": time.time_ns() % 2**31, "more": more})
            cpu = server.cpu()
            command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}", "--latency", "-s"]
            text = subprocess.run(
                [*command, str(script), server.address], capture_output=True, text=True, check=True
            ).stdout
            cpu = server.cpu() - cpu
        self.requests = int(_found(r"(\d+) requests in", text))
        self.rate = float(_found(r"Requests/sec: +([\d.]+)", text))
        self.p50 = _milliseconds(_found(r"50% +(\S+)", text))
        self.p99 = _milliseconds(_found(r"99% +(\S+)", text))
        self.failed = int(_found(r"Non-2xx or 3xx responses: (\d+)", text) or 0)
        self.broken = _found(r"Socket errors: (.*)", text) or "none"
        self.cpu = 1000 * cpu / max(self.requests, 1)

    def row(self, name: str) -> list[object]:
        return [name, self.rate, self.cpu, self.p50, self.p99, self.failed, self.broken]


HEAD = ["load", "answers/s", "CPU ms", "p50 ms", "p99 ms", "not 2xx", "socket errors"]


def _found(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    return match[1] if match else ""


def _milliseconds(text: str) -> float:
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s|m)", text).groups()  # type: ignore[union-attr]
    return float(number) * {"us": 0.001, "ms": 1.0, "s": 1000.0, "m": 60_000.0}[unit]


def paths_for(graph: Graph, count: int, by: str = "companion") -> list[str]:
    """Queries about random pages of in-degree 50 or more."""
    degrees = np.diff(graph.store.in_offsets).astype(np.int64)
    chosen = np.random.default_rng(0).choice(np.flatnonzero(degrees >= 50), count)
    return [
        f"/api/related?by={by}&url={quote(graph.url(page), safe='')}" for page in chosen.tolist()
    ]


def answers(graph: Graph, place: Path, workers: int, seconds: int) -> None:
    """Answers per second, computed and cached, and the latency at half that load."""
    paths = paths_for(graph, 20_000)
    share = ["--workers", str(workers)]
    rows = []
    with served(place, "--cache", "0", *share) as server:
        Load(server, paths, 2, 8)
        full = Load(server, paths, seconds, 16)
        rows.append(full.row("new answers"))
        pause = 1000 * 16 / (full.rate / 2)
        half = f"function delay() return {pause:.1f} * (0.5 + math.random()) end"
        rows.append(Load(server, paths, seconds, 16, half).row("new answers, half the load"))
    with served(place, *share) as server:
        few = paths[:100]
        Load(server, few, 3, 8)
        rows.append(Load(server, few, seconds, 16).row("kept answers"))
    table(f"Companion over HTTP, {workers} workers", HEAD, rows)


def overload(graph: Graph, place: Path, workers: int, seconds: int) -> None:
    """The number of rejected requests, and the memory, under overload."""
    paths = paths_for(graph, 20_000)
    with served(place, "--cache", "0", "--workers", str(workers)) as server:
        Load(server, paths, 2, 64)
        before, counted = server.private_memory(), server.counted()
        load = Load(server, paths, seconds, 512)
        after = server.private_memory()
        statuses = {
            status: count - counted.get(status, 0) for status, count in server.counted().items()
        }
        pids = server.pids()
    table(
        f"512 connections, non-stop, {seconds} s",
        ["answers by status", "p99 ms", "socket errors", "private MB before", "after", "workers"],
        [[statuses, load.p99, load.broken, before, after, len(pids) - 1]],
    )


def switches(folder: Path, count: int) -> None:
    """The number of failed requests, and of mappings left, when generations change under load."""
    graph = generate.opened(folder, 200_000, 4_000_000)
    paths = paths_for(graph, 2000, "cocitation")
    source = graph.store.path
    assert source is not None
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        place = Path(temporary) / "switched.graph"
        first = disk.current_generation(source)[0]
        for number in (1, 2):
            shutil.copytree(first, place / f"generation-{number:06}", copy_function=os.link)
        checksum = disk.current_generation(source)[1]

        def switch(number: int) -> None:
            head = f'{{"format": {disk.VERSION}, "generation": "generation-{number:06}", '
            disk.write_synced(place / disk.CURRENT, f'{head}"manifest": "{checksum}"}}'.encode())

        switch(1)
        with served(place, "--watch", "0.005", "--cache", "0") as server:
            Load(server, paths, 1, 8)
            before = server.mappings(place)
            counter = r"switches_total (\d+)"
            done = 0
            running = _Background(server, paths, connections=8)
            for number in range(count):
                switch(2 - number % 2)
                while done <= number:
                    time.sleep(0.002)
                    done = int(_found(counter, server.get("/metrics")))
            load = running.stop()
            after = server.mappings(place)
            counted = server.counted()
    table(
        "Generation switches under load",
        ["switches", "answers by status", "socket errors", "mappings before", "after"],
        [[done, counted, load, before, after]],
    )


class _Background:
    """Run wrk until it is stopped."""

    def __init__(self, server: ServedGraph, paths: list[str], connections: int) -> None:
        self.folder = tempfile.TemporaryDirectory()
        listed = Path(self.folder.name) / "paths.txt"
        listed.write_text("\n".join(paths))
        script = Path(self.folder.name) / "ask.lua"
        script.write_text(ASK % {"file": listed, "seed": 1, "more": ""})
        self.process = subprocess.Popen(
            ["wrk", "-t1", f"-c{connections}", "-d3600", "-s", str(script), server.address],
            stdout=subprocess.PIPE,
            text=True,
        )

    def stop(self) -> str:
        self.process.send_signal(2)
        text = self.process.communicate(timeout=30)[0]
        self.folder.cleanup()
        return _found(r"Socket errors: (.*)", text) or "none"


def first_answer(graph: Graph, place: Path) -> None:
    """The time from start to the first answer."""
    path = paths_for(graph, 1)[0]
    taken = []
    for _ in range(3):
        with served(place) as server:
            server.get(path)
            taken.append(time.monotonic() - server.begun)
    rows = [[f"{len(graph):,}", min(taken), max(taken)]]
    table("Seconds from start to first answer", ["pages", "best", "worst"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="folder for generated graphs")
    parser.add_argument("--pages", type=int, default=2_000_000)
    parser.add_argument("--links", type=int, default=40_000_000)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--switches", type=int, default=1000)
    parser.add_argument("--only", choices=("answers", "overload", "switches", "first"))
    asked = parser.parse_args()
    wanted = [asked.only] if asked.only else ["answers", "overload", "switches", "first"]
    graph = generate.opened(asked.folder, asked.pages, asked.links)
    place = graph.store.path
    assert place is not None
    if "answers" in wanted:
        answers(graph, place, asked.workers, asked.seconds)
    if "overload" in wanted:
        overload(graph, place, asked.workers, asked.seconds)
    if "switches" in wanted:
        switches(asked.folder, asked.switches)
    if "first" in wanted:
        first_answer(graph, place)


if __name__ == "__main__":
    main()
