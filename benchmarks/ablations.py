"""What are the papers' own ideas worth?  Each taken away, or turned up and down.

    python -m benchmarks.ablations DATA [--queries 400] [--seed 0] [--half report]

- Companion's four differences from HITS (DH99, sec. 5): the vicinity, link order,
  edge weights, merging; and B=2000, BF=8 against 50 and 50, and B falling;
- LLI's k, chosen by the gap or set (HZ03, sec. 3);
- cocitation counted on the whole page or in the window (DH99, sec. 2.2);
- how many of the ten answers for the most linked pages stay under another seed.

The sets are those of benchmarks.ground_truth.
"""

from __future__ import annotations

import argparse
import tempfile
from itertools import combinations
from pathlib import Path
from statistics import mean

import numpy as np

import whatsrelated as wr
from benchmarks.ground_truth import REQUEST, SETS, Data, TestCollection, add_drawing
from whatsrelated.evaluation.contenders import Contender
from whatsrelated.methods import Method, method_named

ASKED = ("mdn", "wikispeedia", "polblogs", "search_engines", "california", "hollins")
"""Sets of different kinds; each its first measure only."""


def variants() -> dict[str, list[tuple[str, Method]]]:
    """What is compared, by question."""
    companion, hits, cocitation, lli = map(method_named, ("companion", "hits", "cocitation", "lli"))
    return {
        "Companion and HITS": [
            ("companion", companion()),
            ("no link order (siblings=all)", companion(siblings="all")),
            ("no edge weights", companion(weights=False)),
            ("no merging", companion(merge=False)),
            ("none of the three", companion(siblings="all", weights=False, merge=False)),
            ("nor its vicinity: hits", hits()),
        ],
        "Parents and siblings of companion": [
            ("B=2000, BF=8", companion()),
            ("B=50, BF=50", companion(parents=50, siblings=50)),
            *((f"B={most}, BF=8", companion(parents=most)) for most in (500, 100, 50, 20, 10, 5)),
        ],
        "Parents of cocitation": [
            (f"B={most}", cocitation(parents=most)) for most in (2000, 500, 100, 50, 20, 10, 5)
        ],
        "LLI's k": [
            ("by the gap, 0.5", lli()),
            ("by the gap, 0.2", lli(gap=0.2, gap_forward=0.2)),
            *((f"k={rank}", lli(rank=rank)) for rank in (1, 2, 3, 5, 10, 50)),
        ],
        "Cocitation counted": [
            ("on the page", cocitation()),
            ("in the window", cocitation(count="window")),
            ("on the page, BF=all", cocitation(siblings="all")),
        ],
    }


def drawn(data: Data, options: argparse.Namespace) -> list[TestCollection]:
    return [
        next(iter(SETS[name](data))).drawn(options.queries, options.seed, options.half)
        for name in ASKED
    ]


def stability(graph: wr.Graph, by: str, most: int, hubs: int = 50, seeds: int = 5) -> float:
    """The share of ten answers that two seeds have in common, over the most linked pages."""
    degrees = graph.store.in_degree(np.arange(len(graph)))
    shared = []
    for page in np.argsort(-degrees, kind="stable")[:hubs].tolist():
        answers = [
            {r.url for r in graph.related(graph.url(page), by=by, parents=most, seed=s, chop=False)}
            for s in range(seeds)
        ]
        shared += [len(a & b) / max(len(a), len(b), 1) for a, b in combinations(answers, 2)]
    return mean(shared)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_drawing(parser)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        data = Data(options.data, Path(scratch))
        sets = drawn(data, options)
        for question, compared in variants().items():
            print(f"\n| {question} | " + " | ".join(one.name for one in sets) + " |")
            print("|---" * (len(sets) + 1) + "|")
            rivals = [Contender(name, method, tuple(REQUEST.items())) for name, method in compared]
            columns = [one.means(rivals) for one in sets]
            for rival, means in zip(rivals, zip(*columns, strict=True), strict=True):
                row = [f"{mean:.3f}" for mean in means]
                print(f"| {rival.label} | " + " | ".join(row) + " |", flush=True)
        print("\n| answers kept under another seed | B=500 | B=200 | B=50 | B=20 |")
        print("|---|---|---|---|---|")
        for one in (sets[0], sets[1], sets[3]):
            for by in ("cocitation", "companion", "cpa"):
                row = [f"{stability(one.graph, by, most):.2f}" for most in (500, 200, 50, 20)]
                print(f"| {one.name.split(',')[0]}, {by} | " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
