"""How much a hub's answer depends on the seed that samples its parents.

    python -m benchmarks.seeds GRAPH [--pages 20] [--seeds 5]

GRAPH is a folder, or made by benchmarks.generate.  Pages of about so many times
as many parents as a method samples are asked with several seeds; the figure is
how many of the first ten results two seeds share, on average.
"""

from __future__ import annotations

import argparse
from itertools import combinations
from statistics import mean
from typing import Any

import numpy as np

import whatsrelated as wr
from benchmarks.measure import table
from whatsrelated.methods import METHODS

SAMPLING = ("cocitation", "companion", "hits", "extended-cocitation", "lli")
TIMES = (1.5, 3, 10, 30)


def shared(graph: wr.Graph, url: str, by: str, seeds: int) -> float:
    """How many of the first ten two seeds share, over all pairs of seeds."""
    lists = [
        {result.page for result in graph.related(url, by=by, seed=seed, chop=False)}
        for seed in range(seeds)
    ]
    return mean(len(one & other) for one, other in combinations(lists, 2))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graph")
    parser.add_argument("--pages", type=int, default=20)
    parser.add_argument("--seeds", type=int, default=5)
    told = parser.parse_args()
    graph = wr.open(told.graph)
    degrees = np.diff(graph.store.in_offsets.astype(np.int64))
    rows = []
    for by in SAMPLING:
        sampled = METHODS[by]().settings()["parents"]
        row: list[Any] = [by, f"{sampled:,}"]
        for times in TIMES:
            near = np.flatnonzero(abs(degrees / (times * sampled) - 1) < 0.2)
            drawn = np.random.default_rng(0).permutation(near)[: told.pages].tolist()
            overlaps = [shared(graph, graph.url(page), by, told.seeds) for page in drawn]
            row.append(f"{mean(overlaps):.1f} ({len(drawn)} pages)" if overlaps else "–")
        rows.append(row)
    table(
        f"Of ten results, how many two seeds share, on {graph.n_links:,} links",
        ["method", "parents sampled", *(f"{times:g} times as many" for times in TIMES)],
        rows,
    )


if __name__ == "__main__":
    main()
