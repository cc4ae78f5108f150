"""What does it cost to build a host graph like Common Crawl's?

    python -m benchmarks.host_graph FOLDER [--hosts 2000000 --edges 20000000 --parts 4]
                                    [--memory 768] [--rival /another/bin/related]

Generates `vertices.txt.gz` and `edges-*.txt.gz` as Common Crawl publishes them.  Hosts are
reversed and numbered from 0 in name order; edges are sorted by source.  Three quarters of the hosts
have no edges, in-degrees follow a power law, and many edges are short. Then `related build` runs on
them, interleaved with the command of another installation if one is given.  Each build runs in its
own process; memory is sampled ten times per second.
"""

from __future__ import annotations

import argparse
import gzip
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import csv

from benchmarks.measure import table

TOPS = ("com", "org", "net", "de", "co.uk", "fr", "com.br", "ru", "jp", "co.jp", "it", "nl")
SHARES = (0.46, 0.08, 0.06, 0.08, 0.06, 0.05, 0.05, 0.05, 0.03, 0.03, 0.03, 0.02)
LINKING = 0.25
"""The share of hosts that link to others."""
CHUNK = 1 << 20
TEXT = csv.WriteOptions(include_header=False, delimiter="\t", quoting_style="none")


def write_vertices(path: Path, hosts: int) -> None:
    """Reversed hosts in order; a domain has one host, a few, or very many."""
    rng = np.random.default_rng(1)
    with gzip.open(path, "wb", 1) as file:
        number = 0
        for top, share in sorted(zip(TOPS, SHARES, strict=True), key=lambda pair: reverse(pair[0])):
            wanted = hosts - number if top == last_top() else int(hosts * share)
            number = write_top(file, reverse(top), number, wanted, rng)


def last_top() -> str:
    return max(TOPS, key=reverse)


def reverse(host: str) -> str:
    return ".".join(host.split(".")[::-1])


def write_top(
    file: gzip.GzipFile, top: str, number: int, wanted: int, rng: np.random.Generator
) -> int:
    """The hosts below one public suffix, and the next free number."""
    end = number + wanted
    sizes = np.minimum(rng.pareto(1.2, wanted) * 1.5 + 1, 20_000).astype(np.int64)
    for domain, size in enumerate(sizes.tolist()):
        name = f"{top}.{spell(domain, wanted)}"
        count = min(size, end - number)
        lines = [f"{number}\t{name}\n"]
        lines += [f"{number + i}\t{name}.{spell(i, count)}\n" for i in range(1, count)]
        file.write("".join(lines).encode())
        number += count
        if number == end:
            break
    return end


def spell(number: int, of: int) -> str:
    """A word for a number; words sort like their numbers."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    word = ""
    while of > 0:
        number, last = divmod(number, 26)
        word = letters[last] + word
        of //= 26
    return word + "-shop"[: len(word) % 6]


def write_edges(folder: Path, hosts: int, edges: int, parts: int) -> list[Path]:
    """Edges sorted by source, in several files."""
    rng = np.random.default_rng(2)
    linking = np.flatnonzero(rng.random(hosts) < LINKING)
    degrees = rng.pareto(1.1, len(linking)) + 0.2
    degrees = np.maximum(1, degrees * edges / degrees.sum()).astype(np.int64)
    degrees = np.minimum(degrees, hosts // 4)
    ends = np.linspace(0, len(linking), parts + 1).astype(int)
    popular = rng.permutation(hosts)
    paths = []
    for part, (low, high) in enumerate(pairwise(ends)):
        path = folder / f"edges-{part:05}.txt.gz"
        with gzip.open(path, "wb", 1) as file:
            for first in range(low, high, CHUNK // 16):
                last = min(first + CHUNK // 16, high)
                sources = np.repeat(linking[first:last], degrees[first:last])
                near = sources + rng.integers(-50, 51, len(sources))
                far = popular[(hosts * rng.random(len(sources)) ** 4).astype(np.int64)]
                targets = np.where(rng.random(len(sources)) < 0.3, near, far) % hosts
                csv.write_csv(pa.table({"from": sources, "to": targets}), file, TEXT)
        paths.append(path)
    return paths


def built(command: str, edges: list[Path], vertices: Path, graph: Path, memory: int) -> list[float]:
    """Wall and CPU seconds of a build, and its peak MiB without and with mapped files."""
    shutil.rmtree(graph, ignore_errors=True)
    words = [command, "build", *map(str, edges), "--names-file", str(vertices), "-o", str(graph)]
    begun = time.perf_counter()
    process = subprocess.Popen(
        [*words, "--unordered", "--memory", f"{memory}M"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    own = 0
    while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
        own = max(own, anonymous(process.pid))
        time.sleep(0.1)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    assert status == 0, words
    wall = time.perf_counter() - begun
    return [wall, usage.ru_utime + usage.ru_stime, own / 1024, usage.ru_maxrss / 1024]


def anonymous(process: int) -> int:
    """The process's own memory in KiB, without pages of mapped files."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    found = re.search(r"RssAnon:\s+([0-9]+)", status)
    return int(found[1]) if found else 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    for name, default in {"hosts": 2_000_000, "edges": 20_000_000, "parts": 4}.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--memory", type=int, default=768, help="MiB")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--rival", help="the command of another installation")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    vertices = options.folder / "vertices.txt.gz"
    if not vertices.exists():
        write_edges(options.folder, options.hosts, options.edges, options.parts)
        write_vertices(vertices, options.hosts)
    edges = sorted(options.folder.glob("edges-*.txt.gz"))
    rivals = {"this": str(Path(sys.executable).with_name("related"))}
    if options.rival:
        rivals["other"] = options.rival
    runs: dict[str, list[list[float]]] = {name: [] for name in rivals}
    for _ in range(options.repeats):
        for name, command in rivals.items():
            graph = options.folder / f"{name}.graph"
            runs[name].append(built(command, edges, vertices, graph, options.memory))
    table(
        f"{options.hosts:,} hosts, {options.edges:,} edges, --memory {options.memory}M",
        ["build", "seconds", "CPU seconds", "peak MiB", "with mapped files"],
        [[name, *map(statistics.median, zip(*each, strict=True))] for name, each in runs.items()],
    )


if __name__ == "__main__":
    main()
