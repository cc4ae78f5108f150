"""How much does each idea of the papers contribute?  Each is removed or varied.

    python -m benchmarks.ablations DATA [--parts ideas,seeds,stop,chop] [--queries 400]
        [--seed 0] [--half report]

- companion's four differences from HITS (DH99, sec. 5): the vicinity, link order,
  edge weights, merging; and B=2000, BF=8 against 50 and 50 (sec. 2.1.1), and B falling (sec. 4.3);
- LLI's k, chosen by the gap or set (HZ03, sec. 6);
- cocitation counted on the whole page or in the window (DH99, sec. 2.2);
- how many of the ten answers for the most linked pages stay the same under another seed;
- stop lists (DH99, sec. 2.1.1) and chopping (sec. 2.2), on every set.

The sets are the same as in benchmarks.ground_truth, each with its first measure only.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

import whatsrelated as wr
from benchmarks import manuals
from benchmarks.ground_truth import REQUEST, SETS, Data, TestCollection, add_drawing
from whatsrelated.apps.evaluate.contenders import Contender
from whatsrelated.methods import METHODS, Method

ASKED = ("mdn", "wikispeedia", "polblogs", "search_engines", "california", "hollins")
"""Sets of different kinds, for the ablations and the seeds."""
STOP = {
    "none": {},
    "auto:21": {"stop": "auto:21"},
    "auto:100": {"stop": "auto:100"},
    "web": {"stop": "web"},
}
"""DH99's list had 21 URLs; `auto:N` are the N pages linked from the most sites."""
CHOP = {"off": {"chop": False}, "on": {"chop": True}}
STOPPED = ("cocitation", "companion", "lli", "blend")
CHOPPED = ("cocitation", "companion")


def variants() -> dict[str, list[tuple[str, Method]]]:
    """The variants to compare, by question."""
    companion, hits, cocitation, lli = map(
        METHODS.__getitem__, ("companion", "hits", "cocitation", "lli")
    )
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


def drawn(name: str, data: Data, options: argparse.Namespace) -> TestCollection:
    return next(iter(SETS[name](data))).drawn(options.queries, options.seed, options.half)


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


def print_head(first: str, columns: Iterable[str]) -> None:
    names = [first, *columns]
    print(f"\n| {' | '.join(names)} |\n{'|---' * len(names)}|")


def print_row(name: str, numbers: Iterable[float], digits: int = 3) -> None:
    print(f"| {name} | {' | '.join(f'{n:.{digits}f}' for n in numbers)} |", flush=True)


def print_ideas(data: Data, options: argparse.Namespace) -> None:
    """Remove each idea of a method: one table per question, one column per set."""
    sets = [drawn(name, data, options) for name in ASKED]
    for question, compared in variants().items():
        print_head(question, (one.name for one in sets))
        rivals = [Contender(name, method, tuple(REQUEST.items())) for name, method in compared]
        columns = [one.means(rivals) for one in sets]
        for rival, means in zip(rivals, zip(*columns, strict=True), strict=True):
            print_row(rival.label, means)


def print_seeds(data: Data, options: argparse.Namespace) -> None:
    """How many answers stay the same under another seed."""
    sampled = (500, 200, 50, 20)
    print_head("answers kept under another seed", (f"B={most}" for most in sampled))
    for name in ("mdn", "wikispeedia", "search_engines"):
        one = drawn(name, data, options)
        for by in ("cocitation", "companion", "cpa"):
            kept = [stability(one.graph, by, most) for most in sampled]
            print_row(f"{one.name.split(',')[0]}, {by}", kept, 2)


def print_requests(
    requests: Mapping[str, Mapping[str, Any]],
    methods: Sequence[str],
    data: Data,
    options: argparse.Namespace,
) -> None:
    """Query every set in several ways: one row per set, one column per method and way."""
    compared = [
        Contender(f"{by}, {way}", METHODS[by](), tuple({**REQUEST, **request}.items()))
        for by in methods
        for way, request in requests.items()
    ]
    print_head("set", (each.label for each in compared))
    means = []
    for name in options.sets.split(","):
        one = drawn(name, data, options)
        means.append(one.means(compared))
        print_row(one.name, means[-1])
    print_row("mean", map(mean, zip(*means, strict=True)))


def print_stop(data: Data, options: argparse.Namespace) -> None:
    print_requests(STOP, STOPPED, data, options)


def print_chop(data: Data, options: argparse.Namespace) -> None:
    print_requests(CHOP, CHOPPED, data, options)


PARTS = {"ideas": print_ideas, "seeds": print_seeds, "stop": print_stop, "chop": print_chop}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_drawing(parser)
    parser.add_argument("--parts", default=",".join(PARTS))
    parser.add_argument(
        "--sets", default=",".join(name for name in SETS if name not in manuals.MANUALS)
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        for part in options.parts.split(","):
            graphs = Path(scratch) / part
            graphs.mkdir()
            PARTS[part](Data(options.data, graphs), options)


if __name__ == "__main__":
    main()
