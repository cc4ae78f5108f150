"""How long do the default and each of its signals take to answer a query?

    python -m benchmarks.default_speed GRAPH… [--pages 200] [--seed 0]

*links* is the default from links alone, *names* with names, and *text* also with text, if the
graph has it.
Times are CPU time on one core for whole answers, over random pages with links in and out.
"""

from __future__ import annotations

import argparse
import random
import time
from statistics import median, quantiles

import whatsrelated as wr
from whatsrelated.methods.blend import FORMULA, Blend
from whatsrelated.methods.coupling import Coupling
from whatsrelated.methods.cpa import Cpa
from whatsrelated.methods.walk import Walk


def drawn(graph: wr.Graph, count: int, seed: int) -> list[str]:
    chance, pages = random.Random(seed), []
    while len(pages) < count:
        page = chance.randrange(len(graph))
        if len(graph.links_from(page)) and len(graph.links_to(page)):
            pages.append(graph.url(page))
    return pages


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("graphs", nargs="+")
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(f"{'links':>12}  {'signals':10}{'median ms':>10}{'95th':>8}")
    for path in options.graphs:
        graph = wr.open(path)
        pages = drawn(graph, options.pages, options.seed)
        methods = {
            "walk": Walk(restart=FORMULA.restart),
            "cpa": Cpa(),
            "coupling": Coupling(),
            "links": Blend(compare_names=False, text="off"),
            "names": Blend(text="off"),
        }
        if graph.store.texts is not None:
            methods["text"] = Blend()
        for label, method in methods.items():
            took = []
            for page in pages:
                begun = time.thread_time()
                graph.related(page, by=method, chop=False)
                took.append((time.thread_time() - begun) * 1000)
            late = quantiles(took, n=20)[-1]
            print(f"{graph.n_links:12,}  {label:10}{median(took):10.2f}{late:8.2f}", flush=True)


if __name__ == "__main__":
    main()
