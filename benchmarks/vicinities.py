"""How large are companion's vicinities on real graphs, and what do queries cost?

    python -m benchmarks.vicinities DATA [--pages 300]

DATA is the folder of real link graphs that tests/sources/test_shared.py reads.  The queries
are random pages of each graph and its most linked pages.  Figures are the median, the 90th
percentile and the maximum; each time is the minimum CPU time of three runs.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import whatsrelated as wr
from benchmarks.measure import table
from tests.sources.test_shared import SETS, built

MAX_LINKED = 20


def measured(graph: wr.Graph, count: int) -> tuple[Any, float]:
    """Pages, links and ms of each vicinity, and the share of answers that are not empty."""
    degrees = np.diff(graph.store.in_offsets.astype(np.int64))
    drawn = np.random.default_rng(0).permutation(len(graph))[:count]
    hubs = np.argsort(-degrees, kind="stable")[:MAX_LINKED]
    rows, answered = [], 0
    for page in np.union1d(drawn, hubs).tolist():
        url, taken = graph.url(page), []
        for _ in range(3):
            begun = time.thread_time()
            answer = graph.related(url, by="companion")
            taken.append((time.thread_time() - begun) * 1e3)
        answered += len(answer) > 0
        rows.append((answer.vicinity["pages"], answer.vicinity["links"], min(taken)))
    return np.array(rows), answered / len(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--pages", type=int, default=300)
    options = parser.parse_args()
    rows = []
    for name in SETS:
        if name == "cnr-2000 as text":
            continue
        with tempfile.TemporaryDirectory() as folder:
            graph = built(name, options.data, Path(folder))
            sizes, answered = measured(graph, options.pages)
        spread = np.percentile(sizes, [50, 90, 100], axis=0).T
        pages, links = ("; ".join(f"{size:,.0f}" for size in row) for row in spread[:2])
        ms = "; ".join(f"{size:.2g}" for size in spread[2])
        row: list[Any] = [name.partition(" ")[0], f"{len(graph):,}", f"{graph.n_links:,}"]
        rows.append([*row, graph.store.auto_site, f"{answered:.0%}", pages, links, ms])
    table(
        "Companion on real graphs: median; 90th percentile; maximum",
        ["graph", "pages", "links", "site", "answered", "pages around", "links", "ms"],
        rows,
    )


if __name__ == "__main__":
    main()
