"""How long do companion, extended cocitation and lli take, and how does other code compare?

    python -m benchmarks.queries FOLDER [--pages 2000000 --links 40000000] [--times 5]

FOLDER holds the generated graphs; the second is `--times` as large.  Times are medians of
CPU time on one core, for whole answers without evidence, to repeated (warm) queries.
Only the queries per second are wall time, and need an idle machine.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one core is one core for SciPy too

import argparse
import gc
import statistics
import time
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np

import whatsrelated as wr
from benchmarks import generate, rivals
from benchmarks.measure import interleaved, table
from whatsrelated import kernels
from whatsrelated.methods.companion import Companion
from whatsrelated.stream import NamedLinks, Names
from whatsrelated.vicinity.gathering import VicinityGraph

TURNS = 11
"""Number of interleaved runs of one thread, two threads and two processes."""
ASKED = {
    ("companion", 100): 0.6,
    ("companion", 1000): 4.0,
    ("companion", 2000): 8.0,
    ("extended-cocitation", 200): 5.0,
    ("lli", 200): 15.0,
}
"""The target milliseconds of a query, by method and in-degree."""


def in_degrees(graph: wr.Graph) -> Any:
    return np.diff(graph.store.in_offsets.astype(np.int64))


def pages_of(graph: wr.Graph, wanted: int, count: int) -> list[int]:
    """Random pages whose in-degree is within 5% of the given one."""
    degrees = in_degrees(graph)
    near = np.flatnonzero(abs(degrees - wanted) <= 0.05 * wanted)
    chosen: list[int] = np.random.default_rng(wanted).permutation(near)[:count].tolist()
    return chosen


def answer_times(
    graphs: list[wr.Graph], by: str, asked: list[list[int]], repeats: int
) -> list[float]:
    """The median milliseconds of a query on each graph, interleaved."""
    urls = [list(map(graph.url, pages)) for graph, pages in zip(graphs, asked, strict=True)]
    taken: list[dict[str, list[float]]] = [{url: [] for url in listed} for listed in urls]
    for turn in range(repeats + 1):
        for together in zip(*urls, strict=False):
            for graph, url, times in zip(graphs, together, taken, strict=True):
                begun = time.thread_time()
                graph.related(url, by=by)
                if turn:  # the first run warms the cache
                    times[url].append((time.thread_time() - begun) * 1e3)
    return [
        statistics.median(statistics.median(seen) for seen in times.values() if seen)
        for times in taken
    ]


def speeds(graphs: list[wr.Graph], count: int, repeats: int) -> None:
    """Each method on each graph, by in-degree."""
    rows = []
    for (by, wanted), bound in ASKED.items():
        asked = [pages_of(graph, wanted, count) for graph in graphs]
        medians = answer_times(graphs, by, asked, repeats)
        row: list[Any] = [by, f"{wanted:,}"]
        for graph, pages, median in zip(graphs, asked, medians, strict=True):
            answers = [graph.related(graph.url(page), by=by) for page in pages]
            links = statistics.median(answer.vicinity["links"] for answer in answers)
            row += [f"{links:,.0f}", median]
        rows.append([*row, medians[-1] / medians[0], bound])
    head = ["method", "in-degree"]
    for graph in graphs:
        head += ["links around", f"ms on {graph.n_links / 1e6:,.0f} M links"]
    table("One question, one core", [*head, "larger / smaller", "ms asked"], rows)


def against_scipy(graph: wr.Graph, count: int, repeats: int) -> None:
    """Compare the whole query with the same in NumPy and SciPy."""
    store, sites = graph.store, graph.store.hosts
    rows = []
    for wanted in (100, 1000, 2000):
        taken: dict[str, list[float]] = {"ours": [], "SciPy": []}
        for page in pages_of(graph, wanted, count):
            url = graph.url(page)
            answer = graph.related(url, by="companion", site="host")
            theirs = rivals.companion(store, url, sites)
            assert [result.url for result in answer] == [other for other, _ in theirs], url
            scores = [score for _, score in theirs]
            assert np.allclose([result.score for result in answer], scores, atol=1e-7), url
            competitors = {
                "ours": lambda url=url: graph.related(url, by="companion", site="host"),
                "SciPy": lambda url=url: rivals.companion(store, url, sites),
            }
            for name, seconds in warm_times(competitors, repeats).items():
                taken[name].append(seconds * 1e3)
        ours, scipy = (statistics.median(times) for times in taken.values())
        rows.append([f"{wanted:,}", ours, scipy, scipy / ours, 7])
    table(
        f"Companion with NumPy and SciPy, the same answers, on {graph.n_links:,} links",
        ["in-degree", "ms", "NumPy and SciPy, ms", "times ours", "asked"],
        rows,
    )


def warm_times(competitors: dict[str, Callable[[], Any]], repeats: int) -> dict[str, float]:
    return interleaved(competitors, repeats, time.thread_time, warm=True)


def against_networkx(graph: wr.Graph, count: int, repeats: int) -> None:
    """Compare the iteration of hubs and authorities on one vicinity, without weights."""
    rows = []
    for wanted in (100, 1000, 2000):
        taken: dict[str, list[float]] = {"ours": [], "networkx": [], "whole": []}
        for page in pages_of(graph, wanted, count):
            url = graph.url(page)
            vicinity = Companion().authorities(graph.question([page], site="host")).vicinity
            handed = rivals.networkx_graph(vicinity)
            authority, theirs = hits(vicinity)[0], nx.hits(handed)[1]
            authority /= authority.sum()
            assert all(abs(authority[place] - value) < 1e-6 for place, value in theirs.items())
            competitors = {
                "ours": lambda vicinity=vicinity: hits(vicinity),
                "networkx": lambda handed=handed: nx.hits(handed),
                "whole": lambda url=url: graph.related(url, by="companion"),
            }
            for name, seconds in warm_times(competitors, repeats).items():
                taken[name].append(seconds * 1e3)
        ours, networkx, whole = (statistics.median(times) for times in taken.values())
        rows.append([f"{wanted:,}", ours, networkx, networkx / ours, 20, networkx / whole])
    table(
        "HITS on the vicinity of a page, ready in memory, the same authorities",
        [
            "in-degree",
            "ms",
            "networkx, ms",
            "times ours",
            "asked",
            "times our whole query, with gathering and merging",
        ],
        rows,
    )


def hits(vicinity: VicinityGraph) -> Any:
    return kernels.authorities.authorities(
        vicinity.starts, vicinity.targets, None, None, 1e-9, 1000
    )


def answered(graph: wr.Graph, urls: list[str], until: float) -> int:
    """The number of queries answered one after another before this time."""
    count = 0
    while time.perf_counter() < until:
        graph.related(urls[count % len(urls)], by="companion")
        count += 1
    return count


def throughput(graph: wr.Graph, seconds: float) -> None:
    """Queries per second from one thread, two threads and two processes, interleaved.

    The runs are short, and ratios are medians of neighbouring runs, because the load of the
    machine changes from second to second.
    """
    at_least_50 = np.flatnonzero(in_degrees(graph) >= 50)
    rows = []
    for name, pages in (
        ("50 and more", np.random.default_rng(5).permutation(at_least_50)[:2000].tolist()),
        ("1,000", pages_of(graph, 1000, 200)),
    ):
        urls = list(map(graph.url, pages))
        for url in urls:
            graph.related(url, by="companion")
        rates: dict[str, list[float]] = {"one": [], "threads": [], "processes": []}
        for _ in range(TURNS):
            rates["one"].append(rate(ThreadPoolExecutor(1), graph, [urls], seconds))
            shares = [urls[0::2], urls[1::2]]
            rates["threads"].append(rate(ThreadPoolExecutor(2), graph, shares, seconds))
            forked = ProcessPoolExecutor(2, get_context("fork"), _hold, (graph,))
            rates["processes"].append(rate(forked, None, shares, seconds))
        row: list[Any] = [name]
        for measured in rates.values():
            pairs = zip(measured, rates["one"], strict=True)
            row += [statistics.median(measured), statistics.median(a / b for a, b in pairs)]
        rows.append([*row[:2], *row[3:]])
    table(
        "Companion questions a second (asked: 2,500 on 2 cores; two threads 1.8 times one)",
        ["in-degree", "one thread", "two threads", "times one", "two processes", "times one"],
        rows,
    )


def rate(pool: Executor, graph: wr.Graph | None, shares: list[list[str]], seconds: float) -> float:
    """Queries per second, with the pages divided among the workers of the pool."""
    processors = sorted(os.sched_getaffinity(0))
    with pool:
        for turn in (0.05, seconds):  # the first run starts the workers
            begun = time.perf_counter()
            asking = [
                pool.submit(_ask, graph, share, turn, processor)
                for share, processor in zip(shares, processors, strict=False)
            ]
            counts = [asked.result() for asked in asking]
        return sum(counts) / (time.perf_counter() - begun)


def _ask(graph: wr.Graph | None, urls: list[str], seconds: float, processor: int) -> int:
    os.sched_setaffinity(0, {processor})  # one per thread
    return answered(graph or _held[0], urls, time.perf_counter() + seconds)


_held: list[wr.Graph] = []


def _hold(graph: wr.Graph) -> None:
    """The initial state of a process: the graph, whose arrays all share."""
    _held[:] = [graph]


def web_of(lists: list[Any], hosts: Any) -> wr.Graph:
    """The graph in memory whose page i links to lists[i], on the host hosts[i]."""
    urls = (f"https://h{host:06}.org/{page:06}" for page, host in enumerate(hosts))
    names = Names.of([url.encode() for url in urls])
    sources = np.repeat(np.arange(len(lists)), list(map(len, lists))).astype(np.uint32)
    return wr.Graph.from_pages([NamedLinks(names, sources, np.concatenate(lists))])


def mirrors() -> wr.Graph:
    """A page with 2,000 parents of 500 links: 20 lists, each in 100 near-copies."""
    rng = np.random.default_rng(5)
    others, lists = 200_000, []
    for _ in range(20):
        listed = rng.choice(np.arange(1, others), 499, replace=False)
        for _ in range(100):
            copy = listed.copy()
            copy[rng.choice(499, 10, replace=False)] = rng.integers(1, others, 10)
            lists.append(np.insert(rng.permutation(copy), rng.integers(499), 0))
    lists = [np.empty(0, np.int64)] * others + lists
    return web_of([links.astype(np.uint32) for links in lists], np.arange(len(lists)) // 3)


def dense() -> wr.Graph:
    """1,000 pages, each of which links to 800 of the others."""
    rng = np.random.default_rng(6)
    lists = [rng.permutation(np.delete(np.arange(1000), page))[:800] for page in range(1000)]
    return web_of([links.astype(np.uint32) for links in lists], np.arange(1000))


def crowded(repeats: int) -> None:
    """Two vicinities that are hard to merge."""
    rows = []
    for name, graph, asked in (("mirrors", mirrors(), 50), ("dense", dense(), 40)):
        answer = graph.related(graph.url(0), by="companion", site="host")
        ms = answer_times([graph], "companion", [[0]], repeats)[0]
        sizes = [f"{answer.vicinity[what]:,}" for what in ("pages", "links")]
        rows.append([name, *sizes, f"{answer.details['merged']:,}", ms, asked])
    table("Crowded vicinities", ["", "pages", "links", "merged", "ms", "ms asked"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=2_000_000)
    parser.add_argument("--links", type=int, default=40_000_000)
    parser.add_argument("--times", type=int, default=5, help="relative size of the second graph")
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.6, help="of each turn of the threads")
    options = parser.parse_args()
    gc.disable()  # as in timeit: a collection would slow a random run
    graph = generate.opened(options.folder, options.pages, options.links)
    crowded(options.repeats)
    throughput(graph, options.seconds)
    against_scipy(graph, options.questions // 3, options.repeats)
    against_networkx(graph, options.questions // 3, options.repeats)
    graphs = [graph]
    if options.times > 1:
        graphs.append(
            generate.opened(
                options.folder, options.times * options.pages, options.times * options.links
            )
        )
    speeds(graphs, options.questions, options.repeats)


if __name__ == "__main__":
    main()
