"""Chirita, Olmedilla and Nejdl 2004: the miniature Web of Fig. 1, and HubFinder's claims."""

from __future__ import annotations

import statistics
import tempfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np

import whatsrelated as wr
from benchmarks import ground_truth
from benchmarks.measure import table
from benchmarks.papers.graphs import graphs, random_urls, with_data
from whatsrelated.methods.hubfinder import HubFinder

FIGURE_1 = {
    "Project List": ["Project B", "page 1", "page 2", "page 5", "page 6", "page 7"],
    "Researcher C": ["Project B", "page 5", "page 6", "page 7"],
    "page 1": ["page 6"],
    "page 2": ["page 3"],
    "page 3": ["Project B", "page 4"],
    "page 4": ["Project List", "Project B", "page 2", "page 3"],
    "page 5": ["Project B", "page 6", "page 7"],
    "page 6": ["Project B", "Project C", "page 5"],
    "page 7": ["Project B", "page 5"],
}
"""A graph that gives every place in the text; the paper shows its own only as a picture, without
    its links."""
GRAPHS = ("harvard500", "computational_complexity", "california", "wikispeedia")
QUERIES = 40
BASELINES = {
    "HubFinder": HubFinder(),
    "extension, then HITS": HubFinder(trim=False, min_out=False, criterion="local"),
    "extension, then Randomized HITS": HubFinder(
        trim=False, min_out=False, criterion="randomized-hits:hubs"
    ),
}
CRITERIA = ("hubrank", "pagerank", "in-degree", "hits:hubs", "out-degree")


def place(scores: np.ndarray, page: int) -> int:
    return 1 + int((scores > scores[page] + 1e-9).sum())


def figure_1() -> dict[str, dict[str, int]]:
    """The place of every named page under each rank; B's score by HubRank over PageRank's."""
    graph = wr.Graph.from_links(
        [(page, link) for page, links in FIGURE_1.items() for link in links]
    )
    hits, randomized = graph.rank("hits"), graph.rank("randomized-hits")
    assert hits.hubs is not None
    assert randomized.hubs is not None
    scores = {
        "PageRank": graph.rank("pagerank").scores,
        "HubRank": graph.rank("hubrank").scores,
        "HITS": hits.hubs,
        "Randomized HITS": randomized.hubs,
    }
    names = ("Project List", "Researcher C", "Project B", "Project C")
    places = {
        name: {rank: place(values, graph.page(name)) for rank, values in scores.items()}
        for name in names
    }
    best = graph.page("Project B")
    lower = 1 - scores["HubRank"][best] / scores["PageRank"][best]
    places["Project B"]["percent lower"] = round(100 * float(lower))
    return places


def print_figure_1() -> None:
    here = figure_1()
    claims = [
        ("Project List", "HITS", "1"),
        ("Project List", "Randomized HITS", "a top position"),
        ("Project List", "PageRank", "not much importance"),
        ("Project List", "HubRank", "4"),
        ("Researcher C", "HITS", "2"),
        ("Researcher C", "PageRank", "11, the last"),
        ("Researcher C", "HubRank", "8"),
        ("Project B", "PageRank", "1"),
        ("Project B", "HubRank", "1"),
        ("Project B", "percent lower", "about 10"),
        ("Project C", "PageRank", "7"),
        ("Project C", "HubRank", "10"),
    ]
    rows = [[page, rank, paper, here[page][rank]] for page, rank, paper in claims]
    table("Fig. 1: ranks among 11 pages", ["page", "by", "paper", "here"], rows)


def asked(graph: wr.Graph, url: str, method: HubFinder, limit: int = 10) -> wr.Answer:
    return graph.related(url, by=method, limit=limit, chop=False)


def explored(answer: wr.Answer) -> int:
    return sum(step["new"] for step in answer.details["steps"])


def print_subsets(data: Path) -> None:
    """Section 4: the filter's output is a subset, with fewer pages explored."""
    rows = []
    for name, graph in graphs(data, *GRAPHS):
        for trim in (False, True):
            within, fewer = 0, []
            urls = random_urls(graph, QUERIES)
            for url in urls:
                filtered, whole = (
                    asked(graph, url, HubFinder(trim=trim, min_out=min_out), 1_000_000)
                    for min_out in (True, False)
                )
                within += {r.url for r in filtered} <= {r.url for r in whole}
                fewer.append(explored(whole) / max(explored(filtered), 1))
            cells = [
                f"{within} of {len(urls)}",
                f"{statistics.median(fewer):.1f}",
                f"{max(fewer):,.0f}",
            ]
            rows.append([name, "with" if trim else "without", "all; orders of magnitude", *cells])
    head = ["graph", "trimming", "paper", "subset", "times fewer, median", "most"]
    table("Section 4: the filter by out-degree", head, rows)


def print_baselines(data: Path) -> None:
    """Section 5: HubFinder against two extensions of HITS."""
    rows = []
    for name, graph in graphs(data, *GRAPHS):
        urls = random_urls(graph, QUERIES)
        first: dict[str, set[str]] = {}
        for way, method in BASELINES.items():
            pages, peaks, shared = [], [], []
            for url in urls:
                asked(graph, url, method)
                tracemalloc.start()
                answer = asked(graph, url, method)
                peaks.append(tracemalloc.get_traced_memory()[1] / 1e6)
                tracemalloc.stop()
                pages.append(explored(answer))
                found = {result.url for result in answer}
                if way == "HubFinder":
                    first[url] = found
                elif found:
                    shared.append(len(found & first[url]) / len(found))
            overlap = f"{statistics.mean(shared):.0%}" if shared else "–"
            rows.append(
                [name, way, f"{statistics.median(pages):,.0f}", statistics.median(peaks), overlap]
            )
    head = ["graph", "way", "pages explored, median", "MB", "share of its ten in HubFinder's"]
    table("Section 5: the paper reports far fewer pages explored, with similar memory", head, rows)


def print_personalised(data: Path) -> None:
    """Section 5: HubRank is the best criterion for the input of Personalized PageRank."""
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        source = ground_truth.Data(data, Path(scratch))
        sets: dict[str, Callable[[ground_truth.Data], object]] = {
            name: ground_truth.SETS[name] for name in ("polblogs", "cora", "wikispeedia")
        }
        for name, make in sets.items():
            collection = next(iter(make(source)))  # type: ignore[call-overload]
            judged = collection.drawn(QUERIES, 0, "all").judgments.queries
            row = [name]
            for criterion in CRITERIA:
                shares = []
                for query, gold in judged.items():
                    method = HubFinder(criterion=criterion, steps=1)
                    hubs = [result.url for result in asked(collection.graph, query, method)]
                    if not hubs:
                        continue
                    ranking = collection.graph.rank("pagerank", teleport=hubs, tolerance=1e-6)
                    best = [r.url for r in ranking.top(len(hubs) + 11)]
                    best = [url for url in best if url not in hubs and url != query][:10]
                    shares.append(sum(gold.get(url, 0) > 0 for url in best) / 10)
                row.append(f"{statistics.mean(shares):.3f}")
            rows.append(row)
    title = "Section 5: share of the query's topic in the top ten of Personalized PageRank"
    table(title, ["graph", *(f"input by {criterion}" for criterion in CRITERIA)], rows)


def main(data: Path | None) -> None:
    print_figure_1()
    with_data(data, print_subsets, print_baselines, print_personalised)
