"""Packed links against plain ones: bytes a link, packing, questions and PageRank.

    python -m benchmarks.packing GRAPH… [--questions 12]

GRAPHs have plain links; each is packed in a temporary folder beside it.  Times are medians of
CPU time, plain and packed in turns, of questions that were asked before.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np

import whatsrelated as wr
from benchmarks.measure import table
from whatsrelated.graph.saving import repack
from whatsrelated.graph.store import Store

DEGREES = (10, 100, 1000)
METHODS = ("companion", "cocitation", "walk", "blend")
DAMPINGS = (0.85, 0.84, 0.83)
"""PageRank is computed anew for each."""

Row = list[object]


def bytes_a_link(store: Store) -> float:
    return sum(store.arrays[name].nbytes for name in store.link_arrays) / store.n_links


def compared(what: str, times: list[list[float]]) -> Row:
    """A row of the table: medians of what plain and packed links took, in milliseconds."""
    plain, packed = (1e3 * statistics.median(own) for own in times)
    return [what, plain, packed, packed / plain]


def questions(graphs: list[wr.Graph], degree: int, method: str, count: int) -> list[list[float]]:
    """What questions for pages of about that in-degree took, by graph."""
    store = graphs[0].store
    degrees = np.diff(store.in_offsets.astype(np.int64))
    near = np.flatnonzero(np.abs(degrees - degree) <= 0.05 * degree)
    times: list[list[float]] = [[], []]
    for page in np.random.default_rng(degree).permutation(near)[:count].tolist():
        for graph, own in zip(graphs, times, strict=True):
            graph.related(store.url(page), by=method)
            begun = time.thread_time()
            graph.related(store.url(page), by=method)
            own.append(time.thread_time() - begun)
    return times


def ranks(graphs: list[wr.Graph]) -> list[list[float]]:
    """What PageRank took by one thread, by graph."""
    times: list[list[float]] = [[], []]
    for damping in DAMPINGS:
        for graph, own in zip(graphs, times, strict=True):
            begun = time.process_time()
            graph.rank(by="pagerank", damping=damping, threads=1)
            own.append(time.process_time() - begun)
    return times


def measure(path: Path, count: int) -> None:
    """All of one graph, whose files are linked, not copied."""
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        places = [Path(folder, name) for name in ("plain", "packed")]
        for place in places:
            shutil.copytree(
                path, place, copy_function=os.link, ignore=shutil.ignore_patterns("ranks")
            )
        begun = time.process_time()
        repack(places[1], packed=True)
        packing = 1e9 * (time.process_time() - begun)
        graphs = [wr.open(place) for place in places]
        plain, packed = (bytes_a_link(graph.store) for graph in graphs)
        links = graphs[0].n_links
        table(
            f"{path.name}: {len(graphs[0]):,} pages, {links:,} links",
            ["", "plain", "packed", "times"],
            [
                ["bytes a link", plain, packed, packed / plain],
                ["packing, ns of CPU a link", "", packing / links, ""],
                *(
                    compared(f"{method} at {degree}, ms", times)
                    for degree in DEGREES
                    for method in METHODS
                    if (times := questions(graphs, degree, method, count))[0]
                ),
                compared("pagerank, ms", ranks(graphs)),
            ],
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graphs", type=Path, nargs="+", metavar="GRAPH")
    parser.add_argument("--questions", type=int, default=12)
    chosen = parser.parse_args()
    for path in chosen.graphs:
        measure(path, chosen.questions)


if __name__ == "__main__":
    main()
