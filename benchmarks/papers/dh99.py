"""Dean and Henzinger 1999: two examples, overlap, and how fast Companion converges."""

from __future__ import annotations

import time
from pathlib import Path
from statistics import median

from scipy.stats import spearmanr

import whatsrelated as wr
from benchmarks.measure import table
from benchmarks.papers.graphs import graphs, middle, random_urls, sample_web, with_data
from whatsrelated.sample.topics import read_topic

GRAPHS = ("computational_complexity", "search_engines", "california", "wikispeedia", "mdn")
QUERIES = 100
TOLERANCES = (1e-1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-9)
TABLE_4 = ("761", "1,460", "590", "226")
"""The medians of the paper's 50 queries that companion answered, and of cocitation's 58."""
PAPER_OVERLAP = "51%; 44%"


def urls(graph: wr.Graph, page: str, by: str, **options: float) -> list[str]:
    return [result.url for result in graph.related(page, by=by, chop=False, **options)]


def print_table_1() -> None:
    """Companion's and cocitation's lists for the newspaper."""
    page = "https://www.nytimes.com/"
    lists = [urls(sample_web(), page, by) for by in ("companion", "cocitation")]
    rows = [[number, *pair] for number, pair in enumerate(zip(*lists, strict=True), 1)]
    table("Table 1: www.nytimes.com on the sample Web", ["", "companion", "cocitation"], rows)
    papers = {site.url for site in read_topic("newspapers").sites}
    shared = len(set(lists[0]) & set(lists[1]))
    found = [sum(url in papers for url in ten) for ten in lists]
    table(
        "Table 1, counted",
        ["of ten", "paper", "here"],
        [
            ["newspapers, companion", 10, found[0]],
            ["newspapers, cocitation", 10, found[1]],
            ["in both lists", 10, shared],
        ],
    )


def print_table_2() -> None:
    """Pages on CORBA for a page on CORBA and Linux."""
    brokers = {site.url for site in read_topic("orbs").sites}
    rows = []
    for by, paper in (("companion", "9"), ("cocitation", "–")):
        ten = urls(sample_web(), "https://linas.org/linux/corba.html", by)
        rows.append([by, paper, sum(url in brokers for url in ten)])
    title = "Table 2: pages on CORBA among the ten for linas.org/linux/corba.html"
    table(title, ["method", "paper", "here"], rows)


def print_table_4(data: Path) -> None:
    """Table 4: the size of what each method reads, by its median."""
    rows = [["the paper's", *TABLE_4]]
    for name, graph in graphs(data, *GRAPHS):
        answers = {
            by: [
                answer
                for page in random_urls(graph, QUERIES)
                if len(answer := graph.related(page, by=by, chop=False))
            ]
            for by in ("companion", "cocitation")
        }
        sizes = [
            [answer.vicinity["pages"] for answer in answers["companion"]],
            [answer.vicinity["links"] for answer in answers["companion"]],
            [answer.details["siblings"] for answer in answers["cocitation"]],
            [answer.details["cocited"] for answer in answers["cocitation"]],
        ]
        rows.append([name, *(f"{median(size):,.0f}" for size in sizes)])
    head = ["graph", "companion's nodes", "edges", "siblings", "cocited at least twice"]
    table("Table 4: medians over the queries with an answer", head, rows)


def print_overlap(data: Path) -> None:
    """Table 7: how many answers companion and cocitation share."""
    rows = []
    for name, graph in graphs(data, *GRAPHS):
        shared = both = other = 0
        for page in random_urls(graph, QUERIES):
            ours, theirs = (set(urls(graph, page, by)) for by in ("companion", "cocitation"))
            shared, both, other = shared + len(ours & theirs), both + len(ours), other + len(theirs)
        rows.append([name, PAPER_OVERLAP, f"{shared / both:.0%}; {shared / other:.0%}", shared])
    title = "Table 7: results that companion and cocitation share"
    table(title, ["graph", "paper", "here", "shared"], rows)


def print_rounds(data: Path) -> None:
    """Section 4.3: rounds until the top ten is final, and to reach each tolerance."""
    steps, ends = [], []
    for name, graph in graphs(data, *GRAPHS):
        pages = random_urls(graph, QUERIES)
        final = {page: urls(graph, page, "companion") for page in pages}
        for tolerance in TOLERANCES:
            answers = {
                page: graph.related(page, by="companion", chop=False, tolerance=tolerance)
                for page in pages
            }
            rounds = [answer.details["rounds"] for answer in answers.values() if len(answer)]
            same = [
                [result.url for result in answer] == final[page]
                for page, answer in answers.items()
                if len(answer)
            ]
            steps.append([name, f"{tolerance:g}", middle(rounds), f"{sum(same) / len(same):.0%}"])
        settled = [rounds_to_settle(graph, page, final[page]) for page in pages if final[page]]
        within = sum(rounds < 10 for rounds in settled) / len(settled)
        ends.append([name, "typically fewer than 10", middle(settled), f"{within:.0%}"])
    head = ["graph", "paper", "rounds: median; 90%", "fewer than 10"]
    table("Section 4.3: rounds after which companion's top ten is final", head, ends)
    head = ["graph", "tolerance", "rounds: median; 90%", "queries with the final top ten"]
    table("Rounds and the tolerance", head, steps)


def rounds_to_settle(graph: wr.Graph, page: str, final: list[str]) -> int:
    """The number of rounds after which the top ten stay the same, in the same order."""
    converged = graph.related(page, by="companion", chop=False).details["rounds"]
    for rounds in range(converged - 1, 0, -1):
        if urls(graph, page, "companion", max_rounds=rounds) != final:
            return rounds + 1
    return 1


def print_growth(data: Path) -> None:
    """Section 4.3: larger graphs take more rounds, and have more siblings."""
    rows = []
    for name, graph in graphs(data, *GRAPHS):
        edges, rounds, siblings = [], [], []
        for page in random_urls(graph, QUERIES):
            answer = graph.related(page, by="companion", chop=False)
            if len(answer):
                edges.append(answer.vicinity["links"])
                rounds.append(answer.details["rounds"])
                cocited = graph.related(page, by="cocitation", chop=False)
                siblings.append(cocited.details.get("siblings", 0))
        cells = [f"{spearmanr(edges, sizes).statistic:.2f}" for sizes in (rounds, siblings)]
        rows.append([name, "both rise", *cells])
    head = ["graph", "paper", "rounds", "siblings"]
    table("Section 4.3: rank correlation with the edges of companion's vicinity", head, rows)


def print_time(data: Path) -> None:
    """Section 4.3: both methods take less than 200 ms."""
    rows = []
    for name, graph in graphs(data, *GRAPHS):
        slowest = {"companion": 0.0, "cocitation": 0.0}
        for page in random_urls(graph, QUERIES):
            for by, before in slowest.items():
                begun = time.thread_time()
                urls(graph, page, by)
                slowest[by] = max(before, time.thread_time() - begun)
        rows.append(
            [
                name,
                "109; 195 ms on average",
                *("yes" if s < 0.2 else "no" for s in slowest.values()),
            ]
        )
    head = ["graph", "paper", "companion always below 200 ms", "cocitation always below 200 ms"]
    table("Section 4.3: CPU time of a query", head, rows)


def main(data: Path | None) -> None:
    print_table_1()
    print_table_2()
    with_data(data, print_table_4, print_overlap, print_rounds, print_growth, print_time)
