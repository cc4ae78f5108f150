"""HubFinder against repeated extension without trimming or filter (CON04, sec. 5).

    python -m benchmarks.hubfinder DATA FOLDER [--queries 100] [--pages N] [--links N]

DATA is the folder of real link graphs that tests/sources/test_shared.py reads;
FOLDER keeps a generated one.  The same pages are asked in four ways, with and
without trimming, with and without the filter by out-degree; CON04's baseline has
neither.  The pages asked have links in and out, the criterion is HubRank,
computed before.  Pages explored are all that a step found, kept or not; memory
is the peak of what a question allocates; the overlap is the share of another
way's first results that are also among as many of this one's, 0 where it found
nothing; hubs are those results with links enough to pass the filter at any
distance, so that only the way to them can have been lost.  Medians over the
queries, means of overlaps; times are CPU time.
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
WAYS = {
    "trim, filter": HubFinder(steps=STEPS),
    "trim": HubFinder(steps=STEPS, min_out=False),
    "filter": HubFinder(steps=STEPS, trim=False),
    "neither": HubFinder(steps=STEPS, trim=False, min_out=False),
}
UNFILTERED = {"trim, filter": "trim", "filter": "neither"}
TOPS = (10, 50)
PASSING = min(2 + STEPS + 1, 10)
"""So many links pass the filter at every distance."""


def chosen(graph: wr.Graph, count: int) -> list[int]:
    """Random pages with links in and out."""
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
        "hubs": {r.url for r in answer if len(graph.links_from(graph.page(r.url))) >= PASSING},
    }


def compared(name: str, graph: wr.Graph, count: int) -> tuple[list[Any], list[Any]]:
    """For each way a row of explored pages per step, and a row of costs and overlaps."""
    graph.rank("hubrank")
    pages = chosen(graph, count)
    asked_by = {way: [asked(graph, page, WAYS[way]) for page in pages] for way in WAYS}
    explored, costs = [], []
    for way, answers in asked_by.items():
        steps = [
            f"{middle(answers, 'new', step):,.0f} / {middle(answers, 'kept', step):,.0f}"
            for step in range(STEPS + 1)
        ]
        explored.append([name, f"{len(graph):,}", f"{graph.n_links:,}", way, *steps])
        whole = [sum(answer["new"]) for answer in answers]
        row: list[Any] = [name, way, f"{statistics.median(whole):,.0f}"]
        row += [statistics.median(answer[what] for answer in answers) for what in ("ms", "MB")]
        for other in ("neither", UNFILTERED.get(way)):
            for top in TOPS:
                same = other in (None, way)
                row.append("–" if same else f"{overlap(answers, asked_by[other], top):.0%}")
        for top in TOPS:
            shared = overlap(answers, asked_by["neither"], top, hubs=True)
            row.append("–" if way == "neither" else f"{shared:.0%}")
        costs.append(row)
    return explored, costs


def middle(answers: list[dict[str, Any]], what: str, step: int) -> float:
    return statistics.median(answer[what][step] for answer in answers)


def overlap(
    answers: list[dict[str, Any]], others: list[dict[str, Any]], top: int, hubs: bool = False
) -> float:
    """The mean share of the others' first results that are among as many of the answers'."""
    shares = []
    for answer, other in zip(answers, others, strict=True):
        theirs = set(other["urls"][:top])
        if hubs:
            theirs &= other["hubs"]
        if theirs:
            shares.append(len(theirs & set(answer["urls"][:top])) / len(theirs))
    return statistics.mean(shares)


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
            graph = built(name, told.data, Path(made))
            rows = compared(name.partition(" ")[0], graph, told.queries)
        explored += rows[0]
        costs += rows[1]
    graph = generate.opened(told.folder, told.pages, told.links)
    rows = compared("generated", graph, told.queries)
    explored += rows[0]
    costs += rows[1]
    steps = [f"step {step}" for step in range(STEPS + 1)]
    table("New pages / pages kept, by step", ["graph", "pages", "links", "way", *steps], explored)
    shares = [f"{top} of {other}" for other in ("neither", "unfiltered") for top in TOPS]
    table(
        "What it costs, and how much of another way's answer it has",
        ["graph", "way", "explored", "ms", "MB", *shares, *(f"hubs of {top}" for top in TOPS)],
        costs,
    )


if __name__ == "__main__":
    main()
