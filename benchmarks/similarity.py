"""What do PageSim and SimRank queries cost, and how good are the answers?

    python -m benchmarks.similarity FOLDER [--pages 2000000 --links 40000000] [--asked 9]

FOLDER holds the generated graphs.  Times are medians of CPU time on one core, after a first
query that pays for PageRank and memory.  Exact lists and networkx use a generated graph of
5,000 pages.
"""

from __future__ import annotations

import contextlib
import statistics
import time
from typing import Any

import networkx as nx
import numpy as np

from benchmarks import generate
from benchmarks.measure import sizes_asked_for, table
from whatsrelated.api import Graph
from whatsrelated.methods import simrank

CLASSES = {"10": (9, 11), "100": (90, 110), "1,000": (900, 1100)}
SMALL = 5_000
ROUNDS = 4
"""Repeats of networkx, which takes many seconds each time."""


def chosen(graph: Graph, asked: int) -> dict[str, list[int]]:
    """Pages grouped by in-degree; hubs are those with the most parents."""
    degrees = np.diff(graph.store.in_offsets.astype(np.int64))
    rng = np.random.default_rng(1)
    classes = {
        name: rng.choice(np.flatnonzero((degrees >= low) & (degrees <= high)), asked).tolist()
        for name, (low, high) in CLASSES.items()
    }
    hubs = np.argsort(-degrees, kind="stable")[:asked].tolist()
    return {**classes, f"hubs, to {degrees.max():,}": hubs}


def timed(graph: Graph, page: int, **options: Any) -> tuple[float, Any]:
    begun = time.thread_time()
    answer = graph.related(graph.url(page), **options)
    return 1000 * (time.thread_time() - begun), answer


def questions(graph: Graph, asked: int) -> None:
    """Compare pages of each in-degree with all others."""
    classes = chosen(graph, asked)
    for by, bound in (("simrank", "within"), ("pagesim", "lost")):
        timed(graph, classes["1,000"][0], by=by)
        rows = []
        for name, pages in classes.items():
            found = [timed(graph, page, by=by) for page in pages]
            times = [took for took, _ in found]
            parts = [answer.details[bound] / answer[0].score for _, answer in found]
            rows.append(
                [
                    name,
                    statistics.median(times),
                    max(times),
                    f"{statistics.median(parts):.1%}",
                    f"{max(parts):.1%}",
                ]
            )
        head = ["in-degree", "median ms", "longest ms", f"median {bound}", f"largest {bound}"]
        table(f"{by}, one page against {len(graph):,}", head, rows)


def overlap(graph: Graph, asked: int) -> None:
    """How many of an estimate's first ten are among the exact first ten."""
    exact = simrank.all_pairs(graph.store, 0.8).scores
    degrees = np.diff(graph.store.in_offsets.astype(np.int64))
    rows = []
    rng = np.random.default_rng(1)
    small, simrank.SMALL = simrank.SMALL, 0
    for name, (low, high) in {
        "1 to 10": (1, 10),
        "11 to 100": (11, 100),
        "more": (101, SMALL),
    }.items():
        pages = rng.permutation(np.flatnonzero((degrees >= low) & (degrees <= high)))
        for error in (0.05, 0.01):
            shared, missed = [], []
            for page in pages[: 5 * asked].tolist():
                own = exact[page].copy()
                own[page] = 0
                tenth = np.sort(own)[-10]
                answer = graph.related(graph.url(page), by="simrank", error=error, chop=False)
                # Any page that ties with the tenth may be among the ten.
                shared.append(sum(own[r.page] >= tenth - 1e-9 for r in answer))
                missed += [abs(own[r.page] - r.score) / own.max() for r in answer]
            off = np.mean(np.array(missed) > error)
            rows.append([name, error, len(shared), float(np.mean(shared)), f"{off:.1%}"])
    simrank.SMALL = small
    head = ["in-degree", "error", "questions", "shared of 10", "off by more than the error"]
    table(f"simrank, estimated and exact, {len(graph):,} pages", head, rows)


def against_networkx(graph: Graph) -> None:
    """Seconds of one round over all pairs."""
    known = nx.DiGraph()
    known.add_nodes_from(range(len(graph)))
    for page in range(len(graph)):
        known.add_edges_from((page, int(link)) for link in graph.links_from(page))
    begun = time.process_time()
    with contextlib.suppress(nx.ExceededMaxIterations):
        nx.simrank_similarity(known, importance_factor=0.8, max_iterations=ROUNDS, tolerance=0)
    theirs = (time.process_time() - begun) / ROUNDS
    before, simrank.MAX_ROUNDS = simrank.MAX_ROUNDS, ROUNDS
    begun = time.process_time()
    simrank.all_pairs(graph.store, 0.8001, settled=0)
    ours = (time.process_time() - begun) / ROUNDS
    simrank.MAX_ROUNDS = before
    row = [f"{len(graph):,}", f"{graph.n_links:,}", theirs, ours, theirs / ours]
    head = ["pages", "links", "networkx, s a round", "whatsrelated, s a round", "times"]
    table("All pairs of SimRank, CPU time", head, [row])


def main() -> None:
    parser = sizes_asked_for(__doc__, pages=2_000_000, links=40_000_000, asked=9)
    parser.add_argument("--only", choices=("questions", "overlap", "networkx"))
    given = parser.parse_args()
    if given.only in (None, "questions"):
        graph = generate.opened(given.folder, given.pages, given.links)
        questions(graph, given.asked)
    small = generate.opened(given.folder, SMALL, 10 * SMALL)
    if given.only in (None, "overlap"):
        overlap(small, given.asked)
    if given.only in (None, "networkx"):
        against_networkx(small)


if __name__ == "__main__":
    main()
