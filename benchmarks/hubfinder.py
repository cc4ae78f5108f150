"""HubFinder against repeated extension without trimming (CON04, sec. 5).

    python -m benchmarks.hubfinder DATA FOLDER [--queries 100]

DATA is the folder of real link graphs that tests/sources/test_shared.py reads;
FOLDER keeps a generated one of 40 M links.  The same pages are asked with
trimming and without, on the real graphs with links in and out, the criterion
HubRank, computed before.  Pages explored are all that a step found, kept or
not; memory is the peak of what a question allocates; the overlap is the share
of the answer with trimming that is also in the answer without, of as many
results.  Medians over the queries; times are CPU time.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np

import whatsrelated as wr
from benchmarks import generate
from benchmarks.measure import table
from tests.sources.test_shared import built
from whatsrelated.methods.hubfinder import HubFinder

GRAPHS = ("search_engines", "california", "wikispeedia", "mdn", "cnr-2000 as a BVGraph")
STEPS = 3
TRIMMED = HubFinder(steps=STEPS)
UNTRIMMED = HubFinder(steps=STEPS, trim=False)
TOPS = (10, 50)


def chosen(graph: wr.Graph, count: int) -> list[int]:
    """Pages with links in and out, by chance."""
    store, every = graph.store, np.arange(len(graph), dtype=np.uint32)
    linked = np.flatnonzero((store.in_degree(every) > 0) & (store.out_degree(every) > 0))
    return np.random.default_rng(0).permutation(linked)[:count].tolist()


def asked(graph: wr.Graph, page: int, method: HubFinder) -> dict[str, Any]:
    """One question: what each step found, how long it took, and how much memory."""
    name = graph.url(page)

    def ask() -> wr.Answer:
        return graph.related(name, by=method, limit=max(TOPS), chop=False)

    ask()
    begun = time.thread_time()
    answer = ask()
    seconds = time.thread_time() - begun
    tracemalloc.start()
    ask()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return {
        "new": [step["new"] for step in answer.details["steps"]],
        "kept": [step["kept"] for step in answer.details["steps"]],
        "ms": 1e3 * seconds,
        "MB": peak / 1e6,
        "urls": [result.url for result in answer],
    }


def compared(name: str, graph: wr.Graph, count: int) -> tuple[list[Any], list[Any]]:
    """A row of explored pages per step, and a row of costs and overlap."""
    graph.rank("hubrank")
    pages = chosen(graph, count)
    pairs = [(asked(graph, page, TRIMMED), asked(graph, page, UNTRIMMED)) for page in pages]
    explored: list[Any] = [name, f"{len(graph):,}", f"{graph.n_links:,}"]
    for way in (0, 1):
        for step in range(STEPS + 1):
            new = statistics.median(pair[way]["new"][step] for pair in pairs)
            kept = statistics.median(pair[way]["kept"][step] for pair in pairs)
            explored.append(f"{new:,.0f} / {kept:,.0f}")
    costs: list[Any] = [name]
    for what in ("ms", "MB"):
        for way in (0, 1):
            costs.append(statistics.median(pair[way][what] for pair in pairs))
    for top in TOPS:
        shared = [
            len(set(less["urls"][:top]) & set(more["urls"][:top])) / len(less["urls"][:top])
            for less, more in pairs
            if less["urls"]
        ]
        costs.append(f"{statistics.mean(shared):.0%}")
    return explored, costs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--pages", type=int, default=2_000_000)
    parser.add_argument("--links", type=int, default=40_000_000)
    told = parser.parse_args()
    explored, costs = [], []
    for name in GRAPHS:
        with tempfile.TemporaryDirectory() as made:
            rows = compared(
                name.partition(" ")[0], built(name, told.data, Path(made)), told.queries
            )
        explored.append(rows[0])
        costs.append(rows[1])
    generated = generate.opened(told.folder, told.pages, told.links)
    rows = compared("generated", generated, told.queries)
    explored.append(rows[0])
    costs.append(rows[1])
    steps = [f"{way}, step {step}" for way in ("trim", "all") for step in range(STEPS + 1)]
    table("New pages / pages kept, by step", ["graph", "pages", "links", *steps], explored)
    table(
        "What it costs, and how much of the answer is the same",
        ["graph", "trim, ms", "all, ms", "trim, MB", "all, MB", *(f"of {top}" for top in TOPS)],
        costs,
    )


if __name__ == "__main__":
    main()
