"""How do packed links compare with plain ones: size, packing, queries and PageRank?

    python -m benchmarks.packing GRAPH… [--questions 30]
    python -m benchmarks.packing --build 10000000

GRAPHs have plain links; each is packed in a temporary folder beside it.  Times are medians of
CPU time, plain and packed interleaved, with everything in memory.  For a new query, no list is
decoded yet except those it shares with others; for a repeated one, all are.  Each query runs
in several rounds, and the minimum counts.

--build builds a generated Web of this many links, with plain and with packed links in turn;
the links are generated beforehand.
"""

from __future__ import annotations

import argparse
import math
import os
import shutil
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np

import whatsrelated as wr
from benchmarks.large import drawn_links
from benchmarks.measure import table
from whatsrelated import kernels
from whatsrelated.graph.saving import repack
from whatsrelated.graph.store import Store
from whatsrelated.kernels.scratch import scratch_of

DEGREES = (10, 100, 1000)
METHODS = ("companion", "cocitation", "walk", "blend")
DAMPINGS = (0.85, 0.84, 0.83)
"""PageRank is computed again for each."""

BUILDS = 9
ROUNDS = 5
"""Number of rounds over all queries; the minimum time of each query counts."""

Row = list[object]


def bytes_a_link(store: Store) -> float:
    return sum(store.arrays[name].nbytes for name in store.link_arrays) / store.n_links


def compared(what: str, times: list[list[float]]) -> Row:
    """A row of the table: median milliseconds of plain and packed links."""
    plain, packed = (1e3 * statistics.median(own) for own in times)
    return [what, plain, packed, packed / plain]


def forget() -> None:
    """Drop decoded lists, so they are decoded again."""
    scratch_of(kernels.links.Arena).serve(object())


def ask(graph: wr.Graph, page: str, method: str) -> float:
    """The CPU time of one question."""
    begun = time.thread_time()
    graph.related(page, by=method)
    return time.thread_time() - begun


def questions(
    graphs: list[wr.Graph], degree: int, method: str, count: int
) -> dict[str, list[list[float]]]:
    """The time of new and repeated queries at about this in-degree, for each graph."""
    store = graphs[0].store
    degrees = np.diff(store.in_offsets.astype(np.int64))
    near = np.flatnonzero(np.abs(degrees - degree) <= 0.05 * degree)
    pages = store.urls(np.random.default_rng(degree).permutation(near)[:count].astype(np.uint32))
    found = {when: [[math.inf] * len(pages) for _ in graphs] for when in ("new", "again")}
    for _ in range(ROUNDS):
        for at, graph in enumerate(graphs):
            forget()
            for place, page in enumerate(pages):
                for times in found.values():
                    times[at][place] = min(times[at][place], ask(graph, page, method))
    return found


def ranks(graphs: list[wr.Graph]) -> list[list[float]]:
    """The time of PageRank on one thread, for each graph."""
    times: list[list[float]] = [[], []]
    for damping in DAMPINGS:
        for graph, own in zip(graphs, times, strict=True):
            begun = time.process_time()
            graph.rank(by="pagerank", damping=damping, threads=1)
            own.append(time.process_time() - begun)
    return times


def builds(links: int) -> None:
    """The CPU time of builds with plain and with packed links, interleaved."""
    drawn = list(drawn_links(links, links // 20))
    times: dict[str, list[tuple[float, float]]] = {"plain": [], "packed": []}
    for _ in range(BUILDS):
        for form, own in times.items():
            with tempfile.TemporaryDirectory() as folder:
                before = os.times()
                built = wr.build(iter(drawn), Path(folder, "graph"), memory=3 << 30, store=form)
                after = os.times()
            user, system = after.user - before.user, after.system - before.system
            own.append((1e9 * user / built.n_links, 1e9 * system / built.n_links))
    user, system = (
        [statistics.median(taken[at] for taken in own) for own in times.values()] for at in (0, 1)
    )
    both = [statistics.median(sum(taken) for taken in own) for own in times.values()]
    table(
        f"builds of {links:,} links, ns of CPU per link",
        ["", "plain", "packed", "times"],
        [
            ["by the program", *user, user[1] / user[0]],
            ["by the system", *system, system[1] / system[0]],
            ["both", *both, both[1] / both[0]],
        ],
    )


def measure(path: Path, count: int) -> None:
    """Print everything about one graph, whose files are linked, not copied."""
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
                ["bytes per link", plain, packed, packed / plain],
                ["packing, ns of CPU per link", "", packing / links, ""],
                *(
                    compared(f"{method} at {degree}, {when}, ms", times)
                    for degree in DEGREES
                    for method in METHODS
                    for when, times in questions(graphs, degree, method, count).items()
                    if times[0]
                ),
                compared("pagerank, ms", ranks(graphs)),
            ],
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graphs", type=Path, nargs="*", metavar="GRAPH")
    parser.add_argument("--questions", type=int, default=30)
    parser.add_argument("--build", type=int, metavar="LINKS")
    chosen = parser.parse_args()
    if chosen.build:
        builds(chosen.build)
    for path in chosen.graphs:
        measure(path, chosen.questions)


if __name__ == "__main__":
    main()
