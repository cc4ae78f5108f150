"""XH14's Tables 2 to 4: how far MBCC and PageRank agree with HITS on the pages of a topic.

    python -m benchmarks.xh14 DATA

DATA has a folder for each of the Toronto graphs (Borodin, Roberts, Rosenthal
and Tsaparas), the collection that XH14 used.  Page names are unchanged.
It prints the tables of docs/reports/mbcc.md; for any other graph,
`related rank --compare hits,mbcc,pagerank,in-degree` prints them.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np

import whatsrelated as wr
from benchmarks.measure import table
from whatsrelated.ranks.comparison import TOPS, RankComparison, compare_ranks

NAMED = ("computational_complexity", "randomized_algorithms", "search_engines")
NUMBERED = ("movies", "recipes", "genetic")
TITLES = {"mbcc": "MBCC", "pagerank": "PageRank"}
SHOWN = 20
WIDTH = 70


def topic(folder: Path, into: Path) -> wr.Graph:
    """A Toronto graph: lists of links and, for some, the names of the pages."""
    lists = [*folder.glob("adj_list*"), *folder.glob("*.dat")]
    return wr.build(lists, into, names_file=sorted(folder.glob("nodes*")), urls="keep")


def print_best(title: str, compared: RankComparison) -> None:
    """HITS' best pages, and the places that the other ranks give them."""
    shown = [name for name in compared.names if name in TITLES]
    rows = []
    for number, row in enumerate(compared.best(SHOWN), 1):
        places = dict(zip(compared.names, row.places, strict=True))
        others = [f"{places[name]}" if places[name] <= SHOWN else f">{SHOWN}" for name in shown]
        rows.append([number, shortened(row.result.url), row.links, *others])
    links = "links out" if compared.hubs else "links in"
    table(title, ["HITS", "page", links, *(TITLES[name] for name in shown)], rows)


def shortened(name: str) -> str:
    """A URL shortened to fit a table."""
    bare = name.removeprefix("http://")
    return bare if len(bare) <= WIDTH else bare[: WIDTH - 1] + "…"


def print_shares(comparisons: dict[str, list[RankComparison]]) -> None:
    """The share of HITS' best pages that each other rank has among its own best."""
    rows = [
        [name, "hubs" if compared.hubs else "authorities", pair.y]
        + [f"{pair.shares[top]:.0%}" for top in TOPS]
        for name, both in comparisons.items()
        for compared in both
        for pair in compared.pairs()
        if pair.x == "hits"
    ]
    table(
        "Table 4: share of HITS' best pages that other ranks also have",
        ["graph", "of", "by", *map(str, TOPS)],
        rows,
    )


def print_concentration(comparisons: dict[str, list[RankComparison]]) -> None:
    """How few pages dominate HITS: the number that holds 99% of its squared scores."""
    rows = []
    for name, (compared, _) in comparisons.items():
        hits = compared.rankings[0]
        held = [
            int((np.cumsum(np.sort(np.square(hits.scores_of(hubs=hubs)))[::-1]) < 0.99).sum()) + 1
            for hubs in (False, True)
        ]
        rows.append([name, f"{len(hits):,}", *held])
    table(
        "Number of pages that hold 99% of the squared HITS scores",
        ["graph", "pages", "authorities", "hubs"],
        rows,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="the folder with the Toronto graphs")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        comparisons = {}
        for name in (*NAMED, *NUMBERED):
            store = topic(options.data / name, Path(made) / f"{name}.graph").store
            comparisons[name] = [
                compare_ranks(store, ["hits", "mbcc", "pagerank", "in-degree"]),
                compare_ranks(store, ["hits", "mbcc"], hubs=True),
            ]
        for name in NAMED:
            authorities, hubs = comparisons[name]
            print_best(f"Table 2, {name}: HITS' best authorities", authorities)
            print_best(f"Table 3, {name}: HITS' best hubs", hubs)
        print_shares(comparisons)
        print_concentration(comparisons)


if __name__ == "__main__":
    main()
