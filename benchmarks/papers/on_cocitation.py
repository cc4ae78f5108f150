"""Xie and Huang 2014: Example 1, whether HITS is unique, and agreement with HITS."""

from __future__ import annotations

import tempfile
from fractions import Fraction
from pathlib import Path

import whatsrelated as wr
from benchmarks.measure import table
from benchmarks.papers.graphs import with_data
from benchmarks.xh14 import NAMED, NUMBERED, topic
from whatsrelated.ranks.comparison import TOPS, compare_ranks

EXAMPLE = {"a": ["j1", "j2", "j3"], "b": ["j1", "j2"], "c": ["j1", "j2"]}
TABLE_4 = {
    "authorities": ["100%", "80%", "96.7%", "85%", "90%"],
    "hubs": ["90%", "90%", "90%", "92.5%", "96%"],
}


def print_example_1() -> None:
    graph = wr.Graph.from_links([(page, link) for page, links in EXAMPLE.items() for link in links])
    pages = ["j1", "j2", "j3"]
    counts = graph.similarity(pages, by="cocitation", siblings="all").scores[0]
    weights = graph.similarity(pages, by="cocitation", count="share").scores[0]
    shares = [str(Fraction(weight).limit_denominator(100)) for weight in weights.tolist()]
    rows = [
        ["Q", "3, 3, 1", ", ".join(f"{count:.0f}" for count in counts.tolist())],
        ["W", "3/7, 3/7, 1/7", ", ".join(shares)],
    ]
    table("Table 1: j1 with j1, j2 and j3 in Example 1", ["", "paper", "here"], rows)


def print_parts() -> None:
    """Section 2.3: two equal parts."""
    links = [("a", "x"), ("a", "y"), ("b", "x"), ("b", "y"), ("c", "p"), ("c", "q"), ("d", "p")]
    graph = wr.Graph.from_links([*links, ("d", "q"), ("e", "z")])
    rows = [
        [
            name,
            paper,
            "no" if any("not unique" in note for note in ranking.notes) else "yes",
            int((ranking.scores < 1e-10).sum()),
        ]
        for name, paper in (("hits", "not always"), ("mbcc", "yes"), ("pagerank", "yes"))
        for ranking in [graph.rank(name)]
    ]
    title = "Section 2.3: two equal parts and a smaller one, ten pages"
    table(title, ["rank", "unique in the paper", "unique here", "pages at 0"], rows)


def print_table_4(data: Path) -> None:
    """Table 4: the share of HITS' best that MBCC has."""
    rows = [["the paper's", of, *shares] for of, shares in TABLE_4.items()]
    unique = []
    with tempfile.TemporaryDirectory() as made:
        for name in (*NAMED, *NUMBERED):
            graph = topic(data / "toronto" / name, Path(made) / f"{name}.graph")
            for of, hubs in (("authorities", False), ("hubs", True)):
                compared = compare_ranks(graph.store, ["hits", "mbcc"], hubs=hubs)
                (pair,) = compared.pairs()
                rows.append([name, of, *(f"{pair.shares[top]:.0%}" for top in TOPS)])
            notes = graph.rank("hits").notes
            zero = next((note for note in notes if note.startswith("Pages")), ": none.")
            count = zero.partition(": ")[2].partition(".")[0]
            unique.append([name, "no" if any("not unique" in n for n in notes) else "yes", count])
    title = "Table 4: the share of HITS' best that MBCC has"
    table(title, ["graph", "of", *map(str, TOPS)], rows)
    head = ["graph", "HITS is unique", "pages with in-links left at 0"]
    table("Section 2.3 on the same graphs", head, unique)


def main(data: Path | None) -> None:
    print_example_1()
    print_parts()
    with_data(data, print_table_4)
