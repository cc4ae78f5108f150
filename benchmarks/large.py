"""What does each step cost as links grow, plain and packed, within and beyond memory?

    python -m benchmarks.large FOLDER --links 10000000 100000000 --cache 4 2 --picture FILE

For each size, one process generates links between numbered pages (21 per page, or `--pages`)
and another builds from its output.  Then the graph is packed, opened and queried, and PageRank
is computed, each in its own process.  Generating the links is not counted.  Times are CPU
time, which other work on the machine hardly affects.

`--cache` runs a stream of queries in a cgroup with this many GiB for the process and its page
cache, and measures wall time; it needs the right to create a cgroup.  Results are stored in
FOLDER/large.json, and shown by `--table` and `--picture FILE`.  Graphs are removed
without `--keep`.  Disk: 18 bytes per link, or 13 with `--packed`, which stores no plain links.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import whatsrelated as wr
from benchmarks.generate import Web
from benchmarks.large_shown import draw_picture, show_tables
from benchmarks.page_cache import drop_from_cache, run_in_cgroup
from whatsrelated.graph import advice
from whatsrelated.graph.degrees import degree_pieces
from whatsrelated.graph.format import current_generation
from whatsrelated.graph.saving import repack
from whatsrelated.graph.store import Store
from whatsrelated.machine.resources import available_memory
from whatsrelated.stream import NumberedLinks

LINKS_A_PAGE = 21
DEGREES = (10, 100, 1000, 2000)
METHODS = ("companion", "cocitation", "blend")
FORMS = {"unadvised": "plain", "plain": "plain", "packed": "packed"}
"""Variants to query in a cgroup: with the kernel's default read-ahead, and with our advice."""
WARM, STREAM, BEFORE = 9, 24, 20
"""Number of timed queries, warm and in a stream, and of those that fill the cache first."""
MEMORY = 3 << 30
NUMBERS_PER_READ = 1 << 22
CHUNK = 1 << 22


def draw_links(links: int, pages: int) -> None:
    """Write pairs of pages of 32 bits each to standard output."""
    for sources, targets in Web(pages, links).chunks():
        pairs = np.empty((len(sources), 2), np.uint32)
        pairs[:, 0], pairs[:, 1] = sources, targets
        sys.stdout.buffer.write(pairs.data.cast("B"))


def drawn_links(links: int, pages: int) -> Iterator[NumberedLinks]:
    """The links of a generated Web, drawn by another process."""
    command = [sys.executable, "-m", "benchmarks.large", "-", "--draw", str(links), str(pages)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as drawing:
        assert drawing.stdout is not None
        while data := drawing.stdout.read(8 * NUMBERS_PER_READ):
            pairs = np.frombuffer(data, np.uint32).reshape(-1, 2)
            yield NumberedLinks(pairs[:, 0].astype(np.uint64), pairs[:, 1].astype(np.uint64), pages)
    if drawing.returncode:
        raise SystemExit("The links could not be drawn.")


class PeakDisk(threading.Thread):
    """Watches the peak size of a folder on disk."""

    def __init__(self, folder: Path) -> None:
        super().__init__(daemon=True)
        self._folder = folder
        self._done = threading.Event()
        self.bytes = 0

    def run(self) -> None:
        while not self._done.wait(0.5):
            self.bytes = max(self.bytes, disk_of(self._folder))

    def stop(self) -> int:
        self._done.set()
        self.join()
        return max(self.bytes, disk_of(self._folder))


def disk_of(folder: Path) -> int:
    """The total size of the files in a folder, in bytes."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                total += (Path(parent) / name).stat().st_size
            except FileNotFoundError:  # temporary files come and go
                continue
    return total


def build(folder: Path, links: int, pages: int, form: str) -> dict[str, float]:
    """What a build costs: CPU, memory, disk."""
    path = folder / f"{form}.graph"
    peak = PeakDisk(path)
    peak.start()
    before = os.times()
    store = wr.build(drawn_links(links, pages), path, memory=MEMORY, store=form).store
    after = os.times()
    user, system = after.user - before.user, after.system - before.system
    return {
        "links": store.n_links,
        "pages": store.n_pages,
        f"build {form}": 1e9 * (user + system) / store.n_links,
        f"build {form} system": 1e9 * system / store.n_links,
        f"build {form} memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
        f"build {form} disk": peak.stop() / store.n_links,
        f"{form} disk": disk_of(path) / store.n_links,
        f"{form} bytes": bytes_a_link(store),
    }


def bytes_a_link(store: Store) -> float:
    """The size of both directions of links and their index."""
    return sum(store.arrays[name].nbytes for name in store.link_arrays) / store.n_links


def pack(folder: Path) -> dict[str, float]:
    """The cost of packing the links of an existing graph."""
    packed = folder / "packed.graph"
    shutil.copytree(folder / "plain.graph", packed, copy_function=os.link)
    begun = time.process_time()
    store = repack(packed, packed=True)
    return {
        "pack": 1e9 * (time.process_time() - begun) / store.n_links,
        "packed bytes": bytes_a_link(store),
        "packed disk": disk_of(packed) / store.n_links,
    }


def check(folder: Path, form: str) -> dict[str, float]:
    """What `related check` costs."""
    begun = time.process_time()
    fault = wr.open(folder / f"{form}.graph", verify="none").store.check()
    if fault:
        raise SystemExit(fault)
    return {f"{form} check": time.process_time() - begun}


def pages_by_degree(store: Store, count: int) -> dict[int, list[int]]:
    """For each of DEGREES, pages from all over the graph with about that many parents."""
    found: dict[int, list[int]] = {degree: [] for degree in DEGREES}
    for low, degrees in degree_pieces(store, backward=True):
        for degree, own in found.items():
            near = np.abs(degrees - degree) <= 0.05 * degree
            own += (low + np.flatnonzero(near)).tolist()
    return {
        degree: np.random.default_rng(degree).permutation(own)[:count].tolist()
        for degree, own in found.items()
    }


def warm(folder: Path, form: str) -> dict[str, float]:
    """The cost of opening a graph, and of repeated queries."""
    path = folder / f"{form}.graph"
    wr.open(path)
    begun = time.perf_counter()
    graph = wr.open(path)
    found = {f"{form} open": 1e3 * (time.perf_counter() - begun)}
    for degree, pages in pages_by_degree(graph.store, WARM).items():
        for method in METHODS if pages else ():
            times = []
            for page in graph.store.urls(np.array(pages, np.uint32)):
                graph.related(page, by=method)
                begun = time.thread_time()
                graph.related(page, by=method)
                times.append(1e3 * (time.thread_time() - begun))
            found[f"{form} {method} {degree}"] = statistics.median(times)
    return found


def rank(folder: Path, form: str) -> dict[str, float]:
    """PageRank to 1e-6."""
    shutil.rmtree(folder / f"{form}.graph" / "ranks", ignore_errors=True)
    graph = wr.open(folder / f"{form}.graph", verify="none")
    begun = time.process_time()
    computed = graph.rank(by="pagerank", tolerance=1e-6)
    return {f"{form} pagerank": time.process_time() - begun, f"{form} rounds": computed.rounds}


def choose(folder: Path) -> dict[str, float]:
    """Save the queries for the cgroup, where no other process may map the graph."""
    store = wr.open(folder / "packed.graph").store
    asked = pages_by_degree(store, STREAM + BEFORE)
    names = {degree: store.urls(np.array(own, np.uint32)) for degree, own in asked.items()}
    (folder / "asked.json").write_text(json.dumps(names))
    return {}


def fill_cache(folder: Path, names: list[str]) -> None:
    """Read random parts of the links until the cache is full, then the whole index.

    This is the state of a server that has run for a while; a new one has an empty cache.
    """
    files = sorted((folder / f"{name}.npy" for name in names), key=lambda file: file.stat().st_size)
    index, links = files[:-2], files[-2:]
    chunks = [(file, start) for file in links for start in range(0, file.stat().st_size, CHUNK)]
    random.Random(0).shuffle(chunks)
    most = available_memory() // CHUNK
    whole = [(file, start) for file in index for start in range(0, file.stat().st_size, CHUNK)]
    for file, start in [*chunks[:most], *whole]:
        with file.open("rb", buffering=0) as opened:
            opened.seek(start)
            opened.read(CHUNK)


def stream(folder: Path, name: str) -> dict[str, float]:
    """New queries, after others that filled the cache.

    Milliseconds of wall time, and the megabytes that each query read from disk.
    """
    if name == "unadvised":
        advice.FAR = math.inf
    graph = wr.open(folder / f"{FORMS[name]}.graph", verify="none")
    current, _ = current_generation(folder / f"{FORMS[name]}.graph")
    fill_cache(current, graph.store.link_arrays)
    pages: dict[str, list[str]] = json.loads((folder / "asked.json").read_text())
    for _, *others in zip(range(BEFORE), *(urls[STREAM:] for urls in pages.values()), strict=False):
        for page in others:
            graph.related(page, by="companion")
    found = {}
    for degree, urls in pages.items():
        for at, method in enumerate(METHODS):
            times, read = [], []
            for page in urls[at * STREAM // 3 : (at + 1) * STREAM // 3]:
                before, begun = bytes_read(), time.perf_counter()
                graph.related(page, by=method)
                times.append(1e3 * (time.perf_counter() - begun))
                read.append((bytes_read() - before) / 1e6)
            if times:
                found[f"{name} {method} {degree}"] = statistics.median(times)
                found[f"{name} {method} {degree} MB"] = statistics.median(read)
    return found


def bytes_read() -> int:
    """The bytes that this process has read from disk."""
    lines = Path("/proc/self/io").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("read_bytes"))


STEPS: dict[str, Callable[..., dict[str, float]]] = {
    "build": build,
    "pack": pack,
    "check": check,
    "warm": warm,
    "rank": rank,
    "choose": choose,
    "stream": stream,
}


def step(folder: Path, name: str, *arguments: Any) -> list[str]:
    """The command of one step."""
    given = [str(folder), "--step", name, *(str(argument) for argument in arguments)]
    return [sys.executable, "-m", "benchmarks.large", *given]


def run(command: list[str]) -> dict[str, float]:
    """What a step prints."""
    made = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, float] = json.loads(made.stdout)
    print(json.dumps(found), file=sys.stderr, flush=True)
    return found


def measure(place: Path, links: int, pages: int, chosen: argparse.Namespace) -> Iterator[Any]:
    """All costs at one size, step by step; existing graphs are not built again."""
    forms = ("packed",) if chosen.packed else ("plain", "packed")
    if not (place / f"{forms[0]}.graph" / "current").exists():
        yield run(step(place, "build", links, pages, forms[0]))
    if not (place / "packed.graph" / "current").exists():
        yield run(step(place, "pack"))
    for form in forms:
        yield run(step(place, "warm", form))
        yield run(step(place, "check", form))
        yield run(step(place, "rank", form))
    if not chosen.cache:
        return
    run(step(place, "choose"))
    names = [name for name in FORMS if chosen.unadvised or name != "unadvised"]
    for gib in chosen.cache:
        for name in names:
            form = FORMS[name]
            if form in forms:
                drop_from_cache(place / f"{form}.graph")
                found = run_in_cgroup(step(place, "stream", name), int(gib * 2**30))
                yield {f"{gib:g} GiB {key}": value for key, value in json.loads(found).items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--links", type=int, nargs="*", default=[])
    parser.add_argument("--pages", type=int, help="instead of one for every 21 links")
    parser.add_argument("--packed", action="store_true", help="no plain links, for little disk")
    parser.add_argument("--cache", type=float, nargs="*", default=[], help="GiB of page cache")
    parser.add_argument("--unadvised", action="store_true", help="and without advice to the kernel")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--draw", type=int, nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--step", nargs="+", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.draw:
        draw_links(*chosen.draw)
        return
    if chosen.step:
        name, *given = (int(word) if word.isdigit() else word for word in chosen.step)
        print(json.dumps(STEPS[name](chosen.folder, *given)))
        return
    file = chosen.folder / "large.json"
    results: dict[str, dict[str, float]] = json.loads(file.read_text()) if file.exists() else {}
    for links in chosen.links:
        place = chosen.folder / str(links)
        place.mkdir(parents=True, exist_ok=True)
        own = results.setdefault(str(links), {})
        for found in measure(place, links, chosen.pages or links // LINKS_A_PAGE, chosen):
            own.update(found)
            file.write_text(json.dumps(results, indent=1))
        if not chosen.keep:
            shutil.rmtree(place)
    ordered = [results[key] for key in sorted(results, key=int)]
    if chosen.table or chosen.links:
        show_tables(ordered)
    if chosen.picture:
        draw_picture(ordered, chosen.picture)


if __name__ == "__main__":
    main()
