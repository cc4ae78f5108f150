"""Hou and Zhang 2003: Jaguar by four methods, and which pages similarity can distinguish."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from math import comb
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

import whatsrelated as wr
from benchmarks.measure import table
from benchmarks.papers.graphs import graphs, random_urls, sample_web, with_data
from whatsrelated.contract.question import Question
from whatsrelated.methods.lli import Lli, Space
from whatsrelated.vicinity.page_source import HalfSource

JAGUAR = "https://www.jaguar.com/"
METHODS = {"cocitation": 0, "extended-cocitation": 4, "companion": 0, "lli": 6}
"""Pages about Jaguar itself among ten, in the paper's Tables 1 to 4."""
GRAPHS = ("computational_complexity", "randomized_algorithms", "california", "mdn")
QUERIES = 40


def back_half(graph: wr.Graph, page: int) -> tuple[HalfSource, Space]:
    """The parents' half of the page source, and LLI's space for it."""
    lli = Lli()
    question = Question.about(graph.store, (page,), site="auto", seed=0, ranks=graph.rankings)
    back, _ = lli.halves(question)
    return back, Space(back, lli.gap, lli.rank, lli.min_rank)


def numbers(back: HalfSource) -> tuple[list[float], list[float]]:
    """bcp and dd of every page of BS (sec. 4)."""
    density = np.bincount(back.numbers, minlength=back.width) / len(back.pages)
    sums = np.bincount(back.places, density[back.numbers], minlength=len(back.pages))
    return (back.degrees() / back.width).tolist(), (1 - sums / density.sum()).tolist()


def print_jaguar() -> None:
    graph = sample_web()
    lists = {by: graph.related(JAGUAR, by=by) for by in METHODS}
    titles = [[result.title for result in answer] for answer in lists.values()]
    rows = [[number, *row] for number, row in enumerate(zip(*titles, strict=True), 1)]
    table("Tables 1 to 4: www.jaguar.com on the sample Web", ["", *METHODS], rows)
    makers = {url for by in ("cocitation", "companion") for url in [r.url for r in lists[by]]}
    rows = []
    for by, paper in METHODS.items():
        about = [r for r in lists[by] if ".example/" in r.url and r.url not in makers]
        rows.append([by, paper, len(about)])
    table("Pages about Jaguar itself among the first ten", ["method", "paper", "here"], rows)


def print_table_8() -> None:
    """bcp, dd and similarity of ten pages drawn at random from BS."""
    graph = sample_web()
    back, space = back_half(graph, graph.page(JAGUAR))
    bcp, dd = numbers(back)
    drawn = np.random.default_rng(0).choice(len(back.pages), 10, replace=False)
    drawn = sorted(drawn.tolist(), key=lambda place: (-bcp[place], dd[place]))
    rows = [
        [
            f"P{number}",
            graph.url(back.pages[i]),
            f"{bcp[i]:.2f}",
            f"{dd[i]:.2f}",
            f"{space.similarity[i]:.3f}",
        ]
        for number, i in enumerate(drawn, 1)
    ]
    table("Tables 7 and 8, Fig. 4: ten random pages of BS", ["", "page", "bcp", "dd", "sim"], rows)
    sim = [space.similarity[i] for i in drawn]
    rows = [
        ["bcp rises", "yes", f"{spearmanr(sim, [bcp[i] for i in drawn]).statistic:.2f}"],
        ["dd falls", "yes", f"{spearmanr(sim, [dd[i] for i in drawn]).statistic:.2f}"],
    ]
    head = ["similarity rises as", "paper", "rank correlation here"]
    table("Fig. 4: the trend of similarity", head, rows)


def apart(graph: wr.Graph, urls: list[str]) -> list[int]:
    """The number of pairs with equal bcp and dd, of those with the same parents, and of those that
    similarity distinguishes."""
    equal = same = ordered = 0
    for url in urls:
        back, space = back_half(graph, graph.page(url))
        if not len(back.pages):
            continue
        bcp, dd = numbers(back)
        groups: dict[tuple[float, float], list[int]] = {}
        for place, key in enumerate(zip(bcp, np.round(dd, 9).tolist(), strict=True)):
            groups.setdefault(key, []).append(place)
        rows: dict[int, list[int]] = {}
        for place, number in zip(back.places.tolist(), back.numbers.tolist(), strict=True):
            rows.setdefault(place, []).append(number)
        for places in groups.values():
            parents = Counter(frozenset(rows[place]) for place in places)
            values = Counter(np.round(space.similarity[places], 9).tolist())
            equal += comb(len(places), 2)
            same += sum(comb(count, 2) for count in parents.values())
            ordered += comb(len(places), 2) - sum(comb(count, 2) for count in values.values())
    return [equal, same, equal - same, ordered]


def print_apart(data: Path) -> None:
    """Section 4: similarity distinguishes pages with equal bcp and dd."""
    rows = []
    for name, graph in chain([("the sample Web", sample_web())], graphs(data, *GRAPHS)):
        counts = apart(graph, random_urls(graph, QUERIES))
        rows.append([name, "almost all", *(f"{count:,}" for count in counts)])
    head = [
        "graph",
        "paper",
        "pairs with equal bcp and dd",
        "same parents",
        "others",
        "distinguished",
    ]
    table("Section 4: pairs that similarity can distinguish", head, rows)


def main(data: Path | None) -> None:
    print_jaguar()
    print_table_8()
    with_data(data, print_apart)
