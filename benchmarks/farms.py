"""How many link-farm pages does it take to push a page into the first ten answers, by method?

    python -m benchmarks.farms [SOURCE …] [--queries 20] [--seed 0] [--methods blend,companion …]
        [--silent]

The attack runs on the sample Web and on the graph of each SOURCE.  The targets are pages
with at least 5 parents.  For each, a spammer wants their own page among its answers.  The
spammer's page links to the target (not with --silent) and copies its first links.  The farm
has k pages on some hosts, which all link to both pages side by side; with *camouflage*,
each of them also links to ten popular pages, before and after.

The table gives the smallest k that puts the spammer's page into the first ten, as the median
over the targets; "none" means that 500 are not enough for at least half of them.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median_low

import numpy as np

import whatsrelated as wr
from whatsrelated import sample
from whatsrelated.stream import Page

SIZES = (0, 5, 10, 20, 50, 100, 200, 500)
HOSTS = (1, 5, 50)
METHODS = "cocitation,companion,hits,extended-cocitation,lli,cpa,coupling,peers,walk,blend"
COPIED = 10
"""Number of the target's links that the spammer's page copies."""
CAMOUFLAGE = 10
NEVER = 10**9


def pages_of(graph: wr.Graph) -> list[Page]:
    """All pages of a graph as a stream, to build a graph with more pages."""
    urls = [graph.url(page) for page in range(len(graph))]
    return [
        Page(url, [urls[link] for link in graph.links_from(page).tolist()])
        for page, url in enumerate(urls)
    ]


def draw_queries(graph: wr.Graph, count: int, seed: int) -> list[int]:
    """Pages with at least 5 parents."""
    able = np.flatnonzero(graph.store.in_degree(np.arange(len(graph))) >= 5).tolist()
    return sorted(random.Random(seed).sample(able, min(count, len(able))))


def owner_of(place: int) -> str:
    """The spammer's page for a target."""
    return f"https://owner-{place}.example/"


def farm(
    graph: wr.Graph,
    query: int,
    place: int,
    size: int,
    hosts: int,
    popular: Sequence[str],
    silent: bool,
) -> Iterable[Page]:
    """The pages of a farm for a target, and the spammer's page."""
    url, owner = graph.url(query), owner_of(place)
    copied = [graph.url(link) for link in graph.links_from(query)[:COPIED].tolist()]
    yield Page(owner, copied if silent else [url, *copied])
    chance = random.Random(f"{place} {size} {hosts}")
    for number in range(size):
        around = chance.sample(popular, min(CAMOUFLAGE, len(popular)))
        half = len(around) // 2
        name = f"https://farm-{place}-{number % hosts}.example/{number}"
        yield Page(name, [*around[:half], url, owner, *around[half:]])


def smallest_farms(
    graph: wr.Graph,
    queries: list[int],
    methods: list[str],
    hosts: int,
    camouflage: bool,
    silent: bool,
) -> dict[str, list[int]]:
    """For each method and target, the smallest farm that puts the spammer into the first ten."""
    pages = pages_of(graph)
    degrees = graph.store.in_degree(np.arange(len(graph)))
    most = np.argsort(-degrees, kind="stable")[:100].tolist()
    popular = [graph.url(page) for page in most] if camouflage else []
    needed = {method: [NEVER] * len(queries) for method in methods}
    for size in SIZES:
        farms = [
            page
            for place, query in enumerate(queries)
            for page in farm(graph, query, place, size, hosts, popular, silent)
        ]
        attacked = wr.Graph.from_pages([*pages, *farms], ordered=graph.store.ordered, urls="keep")
        for method in methods:
            for place, query in enumerate(queries):
                if needed[method][place] == NEVER:
                    answer = attacked.related(graph.url(query), by=method, limit=10, chop=False)
                    if owner_of(place) in [result.url for result in answer]:
                        needed[method][place] = size
    return needed


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sources", nargs="*")
    parser.add_argument("--queries", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--methods", default=METHODS)
    parser.add_argument("--silent", action="store_true")
    asked = parser.parse_args()
    methods = asked.methods.split(",")
    with tempfile.TemporaryDirectory() as folder:
        graphs = {"the sample Web": wr.Graph.from_pages(sample.pages())}
        for number, source in enumerate(asked.sources):
            graphs[Path(source).name] = wr.build([source], Path(folder) / f"{number}.graph")
        for name, graph in graphs.items():
            queries = draw_queries(graph, asked.queries, asked.seed)
            print(f"\n### {name}, {len(queries)} pages\n", flush=True)
            columns = [(hosts, hidden) for hidden in (False, True) for hosts in HOSTS]
            needed = [
                smallest_farms(graph, queries, methods, *column, asked.silent) for column in columns
            ]
            titles = [
                f"{hosts} {'host' if hosts == 1 else 'hosts'}{', camouflage' if hidden else ''}"
                for hosts, hidden in columns
            ]
            print(f"| method | {' | '.join(titles)} |")
            print(f"|---|{'---|' * len(titles)}")
            for method in methods:
                medians = [median_low(column[method]) for column in needed]
                cells = ["none" if size == NEVER else str(size) for size in medians]
                print(f"| {method} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
