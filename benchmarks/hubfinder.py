"""What do HubFinder's trimming and filter save, and what do they cost (CON04, sec. 5)?

    python -m benchmarks.hubfinder DATA FOLDER [--queries 100] [--pages N] [--links N]

DATA is the folder of real link graphs that tests/sources/test_shared.py reads; FOLDER holds
a generated one.  Every query runs in four variants, with and without trimming, with and
without the filter by out-degree; CON04's baseline has neither.  The query pages have links
in and out, and the criterion is a stored HubRank.

Figures are medians over the queries; overlaps are means, and times are CPU time:

- pages explored: all pages that a step found, kept or not;
- memory: the peak that a query allocates;
- overlap: the share of another variant's first results that are also among the first of this
  one, 0 if it found nothing;
- hubs: results with enough links to pass the filter at any distance, which are lost only if
  no path to them is left.
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
"""A page with this many links passes the filter at any distance."""


def chosen(graph: wr.Graph, count: int) -> list[int]:
    """Random pages with links in and out."""
    store, every = graph.store, np.arange(len(graph), dtype=np.uint32)
    linked = np.flatnonzero((store.in_degree(every) > 0) & (store.out_degree(every) > 0))
    return np.random.default_rng(0).permutation(linked)[:count].tolist()


def asked(graph: wr.Graph, page: int, method: HubFinder) -> dict[str, Any]:
    """One query: the pages found by each step, and its time and memory."""
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
    """For each variant, a row of pages explored per step, and a row of costs and overlaps."""
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
    """The mean share of the others' first results that are also among the first of this variant."""
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
    options = parser.parse_args()
    explored, costs = [], []
    for name in GRAPHS:
        with tempfile.TemporaryDirectory() as made:
            graph = built(name, options.data, Path(made))
            rows = compared(name.partition(" ")[0], graph, options.queries)
        explored += rows[0]
        costs += rows[1]
    graph = generate.opened(options.folder, options.pages, options.links)
    rows = compared("generated", graph, options.queries)
    explored += rows[0]
    costs += rows[1]
    steps = [f"step {step}" for step in range(STEPS + 1)]
    table("New pages / pages kept, by step", ["graph", "pages", "links", "way", *steps], explored)
    shares = [f"{top} of {other}" for other in ("neither", "unfiltered") for top in TOPS]
    table(
        "Cost, and overlap with the other variants",
        ["graph", "way", "explored", "ms", "MB", *shares, *(f"hubs of {top}" for top in TOPS)],
        costs,
    )


if __name__ == "__main__":
    main()
