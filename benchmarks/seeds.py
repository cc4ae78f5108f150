"""How much does a hub's answer depend on the seed that samples its parents?

    python -m benchmarks.seeds GRAPH [--pages 20] [--seeds 5]

GRAPH is a graph's folder, or one made by benchmarks.generate.  The queries are pages with
several times as many parents as a method samples, each with several seeds.  The figure is
the average number of the first ten results that two seeds share.
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
    """The number of the first ten results that two seeds share, over all pairs of seeds."""
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
    options = parser.parse_args()
    graph = wr.open(options.graph)
    degrees = np.diff(graph.store.in_offsets.astype(np.int64))
    rows = []
    for by in SAMPLING:
        sampled = METHODS[by]().settings()["parents"]
        row: list[Any] = [by, f"{sampled:,}"]
        for times in TIMES:
            near = np.flatnonzero(abs(degrees / (times * sampled) - 1) < 0.2)
            drawn = np.random.default_rng(0).permutation(near)[: options.pages].tolist()
            overlaps = [shared(graph, graph.url(page), by, options.seeds) for page in drawn]
            row.append(f"{mean(overlaps):.1f} ({len(drawn)} pages)" if overlaps else "–")
        rows.append(row)
    table(
        f"Of ten results, how many two seeds share, on {graph.n_links:,} links",
        ["method", "parents sampled", *(f"{times:g} times as many" for times in TIMES)],
        rows,
    )


if __name__ == "__main__":
    main()
