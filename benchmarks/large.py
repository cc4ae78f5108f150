"""Large graphs: what each step costs as links grow, plain and packed, warm and past memory.

    python -m benchmarks.large FOLDER [--links 10000000 30000000 100000000] [--cache 4 2]

For each size: links between numbered pages (21 a page) are drawn, built, packed, opened and
asked, and PageRank is computed.  Drawing the links is not counted.  `--cache` asks a stream of
other questions in a cgroup with so many GiB of page cache, which needs the right to make one.
Results are kept in FOLDER/large.json, and `--table` and `--picture FILE` show all that are
there.  Graphs are removed unless `--keep`.  A thousand million links need 50 GB of disk.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import whatsrelated as wr
from benchmarks.generate import Web
from benchmarks.measure import table
from whatsrelated.graph import advice
from whatsrelated.graph.degrees import degree_pieces
from whatsrelated.graph.saving import repack
from whatsrelated.graph.store import Store
from whatsrelated.stream import NumberedLinks

LINKS_A_PAGE = 21
DEGREES = (10, 100, 1000, 2000)
METHODS = ("companion", "cocitation", "blend")
STORES = {"unadvised": "plain", "plain": "plain", "packed": "packed"}
"""What is asked in a cgroup: plain links as the kernel reads them by itself, and with advice."""
WARM, STREAM = 9, 40
MEMORY = 4 << 30
CGROUPS = Path("/sys/fs/cgroup")


class Drawn:
    """The links of a generated Web, and how much CPU was spent on drawing them."""

    def __init__(self, pages: int, links: int) -> None:
        self._web = Web(pages, links)
        self._pages = pages
        self.user = self.system = 0.0

    def __iter__(self) -> Iterator[NumberedLinks]:
        chunks = self._web.chunks()
        while True:
            before = os.times()
            drawn = next(chunks, None)
            after = os.times()
            self.user += after.user - before.user
            self.system += after.system - before.system
            if drawn is None:
                return
            sources, targets = (side.astype(np.uint64) for side in drawn)
            yield NumberedLinks(sources, targets, self._pages)


def build(path: Path, links: int) -> dict[str, float]:
    """Build with plain links, then pack; what both cost."""
    drawn = Drawn(links // LINKS_A_PAGE, links)
    before = os.times()
    store = wr.build(drawn, path, memory=MEMORY, store="plain").store
    after = os.times()
    found = {"links": store.n_links, "pages": store.n_pages, "plain": bytes_a_link(store)}
    user = after.user - before.user - drawn.user
    system = after.system - before.system - drawn.system
    found["build"] = 1e9 * (user + system) / store.n_links
    found["system"] = 1e9 * system / store.n_links
    found["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    packed = path.with_name("packed.graph")
    shutil.copytree(path, packed, copy_function=os.link)
    begun = time.process_time()
    found["packed"] = bytes_a_link(repack(packed, packed=True))
    found["pack"] = 1e9 * (time.process_time() - begun) / store.n_links
    return found


def bytes_a_link(store: Store) -> float:
    return sum(store.arrays[name].nbytes for name in store.link_arrays) / store.n_links


def pages_of_degree(store: Store, degree: int, count: int) -> list[int]:
    """Some pages with about so many parents, from all over the graph."""
    found: list[int] = []
    for low, degrees in degree_pieces(store, backward=True):
        near = np.flatnonzero((degrees >= 0.95 * degree) & (degrees <= 1.05 * degree))
        found += (low + near).tolist()
    numbers = np.random.default_rng(degree)
    return numbers.permutation(found)[:count].tolist() if found else []


def ask(graphs: dict[str, wr.Graph], count: int, warm: bool) -> dict[str, float]:
    """Median milliseconds of questions, stores in turns.

    `warm`: each is asked once before, and timed by the CPU that it takes; else by the clock.
    """
    found = {}
    clock = time.thread_time if warm else time.perf_counter
    store = next(iter(graphs.values())).store
    for degree in DEGREES:
        pages = [store.url(page) for page in pages_of_degree(store, degree, count)]
        for method in METHODS if pages else ():
            times: dict[str, list[float]] = {name: [] for name in graphs}
            for page in pages:
                for name, graph in graphs.items():
                    if warm:
                        graph.related(page, by=method)
                    begun = clock()
                    graph.related(page, by=method)
                    times[name].append(1e3 * (clock() - begun))
            for name, own in times.items():
                found[f"{name} {method} {degree}"] = statistics.median(own)
    return found


def warm(folder: Path) -> dict[str, float]:
    """Opening, questions that were asked before, PageRank."""
    found = {}
    graphs = {}
    for name in ("plain", "packed"):
        wr.open(folder / f"{name}.graph")
        begun = time.perf_counter()
        graphs[name] = wr.open(folder / f"{name}.graph")
        found[f"{name} open"] = 1e3 * (time.perf_counter() - begun)
    found |= ask(graphs, WARM, warm=True)
    for name, graph in graphs.items():
        shutil.rmtree(folder / f"{name}.graph" / "ranks", ignore_errors=True)
        begun = time.process_time()
        rank = graph.rank(by="pagerank", tolerance=1e-6)
        found[f"{name} pagerank"] = time.process_time() - begun
        found[f"{name} rounds"] = rank.rounds
    return found


def in_cgroup(folder: Path, name: str, gib: float) -> dict[str, float]:
    """A stream of different questions in a cgroup that may take so much memory."""
    version = CGROUPS / "memory" if (CGROUPS / "memory").is_dir() else CGROUPS
    group = version / f"related-{os.getpid()}"
    group.mkdir()
    limit = "memory.limit_in_bytes" if version.name == "memory" else "memory.max"
    try:
        (group / limit).write_text(str(int(gib * 2**30)))
        drop_from_cache(folder / f"{STORES[name]}.graph")
        command = [sys.executable, "-m", "benchmarks.large", str(folder), "--ask", name]
        made = subprocess.run(
            ["sh", "-c", f'echo $$ > {group}/cgroup.procs && exec "$@"', "sh", *command],
            capture_output=True,
            text=True,
            check=True,
        )
    finally:
        group.rmdir()
    return {f"{gib:g} GiB {key}": value for key, value in json.loads(made.stdout).items()}


def drop_from_cache(path: Path) -> None:
    """Have the files of a graph read from the disk again."""
    for file in path.rglob("*.npy"):
        handle = os.open(file, os.O_RDONLY)
        os.fdatasync(handle)
        os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(handle)


def measure(
    folder: Path, links: int, caches: list[float], keep: bool, before: dict[str, float]
) -> dict[str, float]:
    """All costs at one size; of graphs that were kept, not what it took to build them."""
    place = folder / str(links)
    place.mkdir(parents=True, exist_ok=True)
    try:
        there = (place / "packed.graph" / "current").exists()
        found = dict(before) if there else build(place / "plain.graph", links)
        found |= warm(place)
        gc.collect()  # what is mapped stays in the cache
        for gib in caches:
            for name in STORES:
                found |= in_cgroup(place, name, gib)
        return found
    finally:
        if not keep:
            shutil.rmtree(place)


def show(results: list[dict[str, float]]) -> None:
    """One row for each cost, one column for each size."""
    names = {name: None for result in results for name in result if name not in ("links", "pages")}
    head = ["", *(f"{result['links'] / 1e6:,.0f} M" for result in results)]
    table("Large graphs", head, [[name, *(r.get(name, "") for r in results)] for name in names])


def draw(results: list[dict[str, float]], file: Path) -> None:
    """The growth of every cost, on logarithmic axes."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4.5))
    shown = ("packed companion 100", "packed companion 1000", "packed blend 100", "packed open")
    for name in (*shown, *(one.replace("packed", "plain") for one in shown)):
        rows = [(r["links"], r[name]) for r in results if name in r]
        axes.plot(
            *zip(*rows, strict=True), marker="o", ls="-" if "packed" in name else ":", label=name
        )
    axes.set(xscale="log", yscale="log", xlabel="links", ylabel="milliseconds, warm")
    axes.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--links", type=int, nargs="*", default=[])
    parser.add_argument("--cache", type=float, nargs="*", default=[], help="GiB of page cache")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--ask", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.ask:
        if chosen.ask == "unadvised":
            advice.FAR = math.inf
        file = chosen.folder / f"{STORES[chosen.ask]}.graph"
        print(json.dumps(ask({chosen.ask: wr.open(file, verify="none")}, STREAM, warm=False)))
        return
    file = chosen.folder / "large.json"
    results: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
    for links in chosen.links:
        results[str(links)] = measure(
            chosen.folder, links, chosen.cache, chosen.keep, results.get(str(links), {})
        )
        file.write_text(json.dumps(results, indent=1))
    ordered = [results[key] for key in sorted(results, key=int)]
    if chosen.table or chosen.links:
        show(ordered)
    if chosen.picture:
        draw(ordered, chosen.picture)


if __name__ == "__main__":
    main()
