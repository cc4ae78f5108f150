"""How fast are the ranks, compared with other libraries and with a loop that only reads?

    python -m benchmarks.ranks FOLDER [--only peers,rounds,memory,large,queries,small]
        [--rivals SciPy,GraphBLAS,NetworKit,IGraph,ScikitNetwork]
        [--ranks PageRank,HubRank] [--data DATA]

FOLDER holds the generated graphs; DATA is the folder of real link graphs, with cnr-2000.
Rivals run interleaved.  `rank_rivals` lists them; those that are not installed are left out
(pip install python-graphblas networkit igraph scikit-network).  A rival that takes more than
10 s runs only once, on one thread.

"One thread" is CPU time, "all" is wall time on all processors; both are medians.  The error is
the L1 distance to SciPy's power iteration in 64 bits, to 1e-10.  A round is the difference
between many rounds and few, so one-off work does not count.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import whatsrelated as wr
from benchmarks import generate, rank_rivals
from benchmarks.measure import interleaved, table
from whatsrelated.ranks import RANKS, Rank
from whatsrelated.ranks.hubrank import HubRank
from whatsrelated.ranks.link_matrix import LinkMatrix, Threads
from whatsrelated.ranks.pagerank import PageRank, Sweeps
from whatsrelated.ranks.vectors import uniform

SLOW = 10.0
"""A rival that takes this many seconds runs only once."""
REPEATS = 7
SINGLE = 1e-6
OURS = "whatsrelated, float32"
PROCESSORS = len(os.sched_getaffinity(0))


def peers(graph: wr.Graph, names: list[str], ranks: list[str]) -> None:
    """PageRank and HubRank to 1e-6 with every rival, on one thread and on all."""
    store = graph.store
    degrees = store.out_degree(np.arange(len(graph), dtype=np.uint32)).astype(np.float64)
    tasks: dict[str, tuple[Rank, Any]] = {
        "PageRank": (PageRank(tolerance=SINGLE), None),
        "HubRank": (HubRank(tolerance=SINGLE), degrees / degrees.sum()),
    }
    tasks = {task: tasks[task] for task in ranks}
    exact = rank_rivals.SciPy(store, np.float64)
    expected = {task: exact.scores(jumps, 1e-10) for task, (_, jumps) in tasks.items()}
    del exact
    rivals = []
    for name in names:
        try:
            rivals.append(getattr(rank_rivals, name)(store))
        except ImportError:
            print(f"{name} is not installed; its row is left out")
    for task, (rank, jumps) in tasks.items():
        able = [rival for rival in rivals if jumps is None or rival.teleports]
        rows: dict[str, list[Any]] = {}
        slow: set[str] = set()
        for threads, clock in ((1, time.process_time), (PROCESSORS, time.perf_counter)):
            runs: dict[str, Callable[[], Any]] = {
                OURS: lambda threads=threads, rank=rank: rank.compute(store, threads=threads).scores
            }
            for rival in able:
                rival.threads(threads)
                if threads == 1 or (rival.threaded and rival.name not in slow):
                    runs[rival.name] = lambda rival=rival, jumps=jumps: rival.scores(jumps, SINGLE)
            taken, found = in_turns(runs, clock)
            slow = {name for name, times in taken.items() if times[0] > SLOW}
            for name, times in taken.items():
                error = distance(found[name], expected[task])
                row = rows.setdefault(name, [name, len(times), f"{error:.1e}"])
                row.append(statistics.median(times))
        first = rows[OURS]
        for row in rows.values():
            row += [""] * (5 - len(row))
            pairs = zip(first[3:5], row[3:5], strict=True)
            row += [theirs and theirs / ours for ours, theirs in pairs]
        head = ["", "times", "error", "one thread, s", "all, s", "times ours", "times ours, all"]
        table(f"{task} to 1e-6 on {graph.n_links:,} links", head, list(rows.values()))


def distance(scores: NDArray[Any], expected: NDArray[Any]) -> float:
    return float(np.abs(scores.astype(np.float64) - expected).sum())


def in_turns(
    runs: dict[str, Callable[[], Any]], clock: Callable[[], float]
) -> tuple[dict[str, list[float]], dict[str, Any]]:
    """The seconds and the result of each run; slow rivals run once."""
    taken: dict[str, list[float]] = {name: [] for name in runs}
    found: dict[str, Any] = {}
    for _ in range(REPEATS):
        for name, run in runs.items():
            if taken[name] and taken[name][0] > SLOW:
                continue
            begun = clock()
            found[name] = run()
            taken[name].append(clock() - begun)
    return taken, found


class LinkGather:
    """The loop of gather.c, compiled."""

    def __init__(self, graph: wr.Graph) -> None:
        self.links = graph.store.in_links
        self.values = np.random.default_rng(0).random(len(graph))
        source = Path(__file__).with_name("gather.c")
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / "gather.so"
            subprocess.check_call(["cc", "-O3", "-shared", "-fPIC", source, "-o", made])
            self.library = ctypes.CDLL(str(made))

    def run(self, name: str, kind: Any) -> Callable[[], float]:
        loop = getattr(self.library, name)
        loop.restype = ctypes.c_double
        values = self.values.astype(kind)
        return lambda: loop(
            ctypes.c_void_p(self.links.ctypes.data),
            ctypes.c_size_t(len(self.links)),
            values.ctypes.data_as(ctypes.c_void_p),
        )


def a_round(graph: wr.Graph, rank: str, tolerance: float, few: int, many: int) -> float:
    """CPU seconds of one round by one thread."""
    kind = RANKS[rank]

    def run(rounds: int) -> float:
        begun = time.process_time()
        kind(tolerance=tolerance, max_rounds=rounds).compute(graph.store, threads=1, accept=True)
        return time.process_time() - begun

    return (run(many) - run(few)) / (many - few)


def rounds(graph: wr.Graph, repeats: int) -> None:
    """Compare a round of each rank with the gather loop, and with a round of PageRank."""
    gather = LinkGather(graph)
    taken: dict[str, list[float]] = {}

    def note(name: str, seconds: float) -> None:
        taken.setdefault(name, []).append(seconds)

    loops = {
        "gather, 32 bits": (gather.run("single", np.float32),),
        "gather, 32 bits, with prefetch": (gather.run("single_ahead", np.float32),),
    }
    for _ in range(repeats):
        for name, (loop,) in loops.items():
            begun = time.process_time()
            loop()
            note(name, time.process_time() - begun)
        for rank in ("pagerank", "hubrank"):
            note(f"{rank}, 32 bits", a_round(graph, rank, SINGLE, 2, 8))
            note(f"{rank}, 64 bits", double_round(graph, rank))
        for rank in ("mbcc", "randomized-hits"):
            note(f"{rank}, 32 bits", a_round(graph, rank, SINGLE, 2, 8))
        note("hits", a_round(graph, "hits", SINGLE, 2, 8))
    medians = {name: statistics.median(times) for name, times in taken.items()}
    loop = min(medians[name] for name in loops)
    page_rank = medians["pagerank, 32 bits"]
    rows = [
        [name, 1e3 * seconds, seconds / loop, seconds / page_rank]
        for name, seconds in medians.items()
    ]
    table(
        f"A round on {graph.n_links:,} links, one thread",
        ["", "ms", "times the gather loop", "times PageRank's"],
        rows,
    )


def double_round(graph: wr.Graph, rank: str) -> float:
    """CPU seconds of a round in 64 bits, averaged over all rounds to 1e-10."""
    begun = time.process_time()
    ranking = RANKS[rank](tolerance=1e-10).compute(graph.store, threads=1)
    return (time.process_time() - begun) / ranking.rounds


def large(graph: wr.Graph, repeats: int) -> None:
    """Compare a round with the gather loop, on a graph larger than every cache."""
    gather = LinkGather(graph)
    runs = {
        "gather": gather.run("single", np.float32),
        "gather, with prefetch": gather.run("single_ahead", np.float32),
    }
    links = LinkMatrix.of(graph.store, Threads(1))
    contributions = uniform(len(graph), np.float32) / np.maximum(links.degrees(np.float32), 1)
    sweep = Sweeps(links, contributions).sweep
    settings = {"damping": 0.85, "jump": 0.15 / len(graph), "weights": None, "residual": None}
    runs["PageRank"] = partial(sweep, **settings)
    taken = interleaved(runs, repeats)
    loop = min(taken["gather"], taken["gather, with prefetch"])
    rows = [[name, 1e3 * seconds, seconds / loop] for name, seconds in taken.items()]
    title = f"A round on {graph.n_links:,} links and {len(graph):,} pages, one thread"
    table(title, ["", "ms", "times the gather loop"], rows)


def memory(graph: wr.Graph) -> None:
    """The peak memory of a rank, besides the mapped graph."""
    rows = []
    for rank in (
        PageRank(tolerance=SINGLE),
        HubRank(tolerance=SINGLE),
        HubRank(tolerance=SINGLE, bias="in"),
        PageRank(),
        HubRank(),
        HubRank(bias="in"),
    ):
        tracemalloc.start()
        ranking = rank.compute(graph.store, accept=True)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        bits = 8 * ranking.scores.itemsize
        rows.append([rank.name, getattr(rank, "bias", ""), bits, peak / len(graph)])
    table(f"Memory, {len(graph):,} pages", ["", "bias", "bits", "bytes per page"], rows)


def queries(graph: wr.Graph, count: int) -> None:
    """HubFinder with 2 steps, by a rank from the cache."""
    graph.rank("hubrank")
    every = np.arange(len(graph), dtype=np.uint32)
    linked = np.flatnonzero(
        (graph.store.in_degree(every) > 0) & (graph.store.out_degree(every) > 0)
    )
    times, busy, found = [], [], []
    for page in np.random.default_rng(0).permutation(linked)[:count].tolist():
        url = graph.url(page)
        graph.related(url, by="hubfinder", chop=False)
        begun, worked = time.perf_counter(), time.thread_time()
        answer = graph.related(url, by="hubfinder", chop=False)
        times.append(1e3 * (time.perf_counter() - begun))
        busy.append(1e3 * (time.thread_time() - worked))
        found.append(answer.vicinity["pages"])
    table(
        f"hubfinder, 2 steps, {count} random pages, {graph.n_links:,} links",
        ["", "median ms", "90th of 100", "median pages explored"],
        [
            [clock, statistics.median(ms), float(np.percentile(ms, 90)), statistics.median(found)]
            for clock, ms in (("CPU time", busy), ("wall time", times))
        ],
    )


def small(data: Path) -> None:
    """From the files of cnr-2000 to the first 20 of every rank, with the command."""
    related = str(Path(sys.executable).with_name("related"))
    rows, total = [], 0.0
    with tempfile.TemporaryDirectory() as folder:
        graph = str(Path(folder) / "cnr.graph")
        words = [["build", str(data / "law" / "cnr-2000.graph"), "-o", graph]]
        words += [["rank", "--by", name, "--graph", graph] for name in RANKS]
        for command in words:
            begun = time.perf_counter()
            subprocess.run([related, *command], check=True, capture_output=True)
            seconds = time.perf_counter() - begun
            total += seconds
            rows.append(
                [f"related {command[0]} {command[2] if command[0] == 'rank' else ''}", seconds]
            )
    rows.append(["in all", total])
    table("cnr-2000, from its files to the first 20 of every rank", ["", "s"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="peers,rounds,memory,large,queries,small")
    parser.add_argument("--rivals", default="SciPy,GraphBLAS,NetworKit,IGraph,ScikitNetwork")
    parser.add_argument("--ranks", default="PageRank,HubRank")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--pages", type=int, default=2_000_000)
    parser.add_argument("--links", type=int, default=40_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    chosen = parser.parse_args()
    parts = chosen.only.split(",")
    graph = generate.opened(chosen.folder, chosen.pages, chosen.links)
    if "peers" in parts:
        peers(graph, chosen.rivals.split(","), chosen.ranks.split(","))
    if "rounds" in parts:
        rounds(graph, chosen.repeats)
    if "memory" in parts:
        memory(graph)
    if "queries" in parts:
        queries(graph, 200)
    if "large" in parts:
        large(generate.opened(chosen.folder, 5 * chosen.pages, 5 * chosen.links), chosen.repeats)
    if "small" in parts and chosen.data is not None:
        small(chosen.data)


if __name__ == "__main__":
    main()
