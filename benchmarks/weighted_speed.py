"""How long does a question with many weighted pages take?

    python -m benchmarks.weighted_speed GRAPH… [--queries 100] [--seed 0]

The query pages are close to each other, as search results are: random pages that a walk from a
random page reaches. Times are CPU time on one core for whole answers without reasons.
"""

from __future__ import annotations

import argparse
import random
import time
from statistics import median, quantiles

import whatsrelated as wr
from benchmarks.default_speed import drawn

SIZES = (1, 5, 20, 100, 500)
METHODS = ("walk", "blend")


def question(graph: wr.Graph, page: str, size: int, seed: int) -> dict[str, float]:
    """A page and `size` - 1 random pages near it, with weights that fall from 1."""
    near = graph.related(page, by="walk", error=1e-6 if size > 20 else 3e-5, limit=5 * size)
    chosen = random.Random(seed).sample([one.url for one in near], min(size - 1, len(near)))
    return {url: 1 / (1 + place / 10) for place, url in enumerate([page, *chosen])}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("graphs", nargs="+")
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print("| links | pages in the question | method | median ms | 95th |\n|---|---|---|---|---|")
    for path in options.graphs:
        graph = wr.open(path)
        starts = drawn(graph, options.queries, options.seed)
        for size in SIZES:
            questions = [question(graph, page, size, seed) for seed, page in enumerate(starts)]
            for method in METHODS:
                took = []
                for pages in questions:
                    graph.related(pages, by=method, chop=False)
                    begun = time.thread_time()
                    graph.related(pages, by=method, chop=False)
                    took.append((time.thread_time() - begun) * 1000)
                late = quantiles(took, n=20)[-1]
                print(
                    f"| {graph.n_links:,} | {size} | {method} | {median(took):.2f} | {late:.2f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
