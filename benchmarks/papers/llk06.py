"""Lin, Lyu and King 2006: the six-page figure, PageSim and SimRank."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import whatsrelated as wr
from benchmarks.measure import table
from tests.reference.llk06 import FIGURE, PAGESIM, SIMRANK

PAGES = list("123456")
PAGERANK = [0.08, 0.23, 0.18, 0.14, 0.14, 0.23]
LISTS = {
    "PageSim": ["3 6", "4 36", "6 2", "2 356", "2346 1", "3 2"],
    "SimRank": ["none", "3 6", "45 2", "5 3", "4 3", "245 3"],
}
"""top(v, 2) as printed; pages with the same place are written together."""


def best(row: list[float], page: int, count: int = 2) -> str:
    """The first places of a row; pages with the same place are together."""
    places: dict[float, str] = {}
    for other, score in enumerate(row):
        if other != page and score > 1e-6:
            key = -round(score, 6)
            places[key] = places.get(key, "") + PAGES[other]
    return " ".join(places[key] for key in sorted(places)[:count]) or "none"


def main(data: Path | None) -> None:
    graph = wr.Graph.from_links([(page, link) for page, links in FIGURE.items() for link in links])
    ranks = graph.rank("pagerank")
    here = [round(ranks[page], 2) for page in PAGES]
    rows = [
        [f"v{page}", *pair]
        for page, pair in zip(PAGES, zip(PAGERANK, here, strict=True), strict=True)
    ]
    table("Section 4: PageRank of the figure", ["page", "paper", "here"], rows)
    simrank = [
        [round(SIMRANK.get("".join(sorted(a + b)), float(a == b)), 2) for b in PAGES] for a in PAGES
    ]
    rows = []
    lists = []
    measures: dict[str, tuple[list[list[float]], dict[str, Any]]] = {
        "PageSim": (PAGESIM, {"by": "pagesim", "radius": "none"}),
        "SimRank": (simrank, {"by": "simrank", "decay": 1}),
    }
    for name, (printed, options) in measures.items():
        scores = graph.similarity(PAGES, **options).scores.tolist()
        equal = sum(
            abs(round(ours, 2) - theirs) < 0.001
            for row, paper in zip(scores, printed, strict=True)
            for ours, theirs in zip(row, paper, strict=True)
        )
        rows.append([name, 36, equal])
        for number, row in enumerate(scores):
            lists.append([name, f"v{number + 1}", LISTS[name][number], best(row, number)])
    table(
        "Section 4: entries of the matrices, to two decimals",
        ["matrix", "paper", "equal here"],
        rows,
    )
    table("Section 4: top(v, 2)", ["measure", "page", "paper", "here"], lists)
