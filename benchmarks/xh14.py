"""XH14's Tables 2 to 4: how far MBCC, and PageRank, agree with HITS on a topic's pages.

    python -m benchmarks.xh14 DATA

DATA has a folder for each of the Toronto graphs (Borodin, Roberts, Rosenthal
and Tsaparas), the family that XH14 measured on.  Names are kept as they come.
It prints the tables of docs/reports/mbcc.md, and the same each time.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import whatsrelated as wr
from benchmarks.measure import table

NAMED = ("computational_complexity", "randomized_algorithms", "search_engines")
NUMBERED = ("movies", "recipes", "genetic")
TOPS = (10, 20, 30, 40, 50)
SHOWN = 20
WIDTH = 70


def topic(folder: Path, into: Path) -> wr.Graph:
    """A Toronto graph: lists of links, and for some the names of the pages."""
    lists = [*folder.glob("adj_list*"), *folder.glob("*.dat")]
    return wr.build(lists, into, names_file=sorted(folder.glob("nodes*")), urls="keep")


def placed(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """The place of every page, from 1; equal scores share the first of their places."""
    rounded = np.round(scores / scores.max(), 9)
    return 1 + len(scores) - np.searchsorted(np.sort(rounded), rounded, side="right")


def compared(title: str, graph: wr.Graph, hubs: bool) -> None:
    """HITS' best pages, and the places that the other ranks give them."""
    mbcc = graph.rank("mbcc")
    others = {"MBCC": placed(np.asarray(mbcc.hubs if hubs else mbcc.scores, np.float64))}
    if not hubs:
        others["PageRank"] = placed(np.asarray(graph.rank("pagerank").scores, np.float64))
    degree = graph.store.out_degree if hubs else graph.store.in_degree
    rows = []
    for place, result in enumerate(graph.rank("hits").top(SHOWN, hubs=hubs), 1):
        page = graph.page(result.url)
        places = [int(ranks[page]) for ranks in others.values()]
        links = int(degree(np.array([page], np.uint32))[0])
        told = [f"{at}" if at <= SHOWN else f">{SHOWN}" for at in places]
        rows.append([place, shortened(result.url), links, *told])
    table(title, ["HITS", "page", "links out" if hubs else "links in", *others], rows)


def shortened(name: str) -> str:
    """A URL that fits a table."""
    bare = name.removeprefix("http://")
    return bare if len(bare) <= WIDTH else bare[: WIDTH - 1] + "…"


def shares(graphs: dict[str, wr.Graph]) -> None:
    """How much of HITS' best each of the other ranks has among as many of its own."""
    rows = []
    for name, graph in graphs.items():
        hits = graph.rank("hits")
        for kind, hubs, ranks in (
            ("authorities", False, ("mbcc", "pagerank", "in-degree")),
            ("hubs", True, ("mbcc",)),
        ):
            for rank in ranks:
                row = [name, kind, rank]
                for top in TOPS:
                    best = {result.url for result in hits.top(top, hubs=hubs)}
                    also = {result.url for result in graph.rank(rank).top(top, hubs=hubs)}
                    row.append(f"{len(best & also) / top:.0%}")
                rows.append(row)
    table(
        "Table 4: the share of HITS' best that others have",
        ["graph", "of", "by", *map(str, TOPS)],
        rows,
    )


def concentration(graphs: dict[str, wr.Graph]) -> None:
    """How few pages HITS is about: so many hold 99 % of its squared scores."""
    rows = []
    for name, graph in graphs.items():
        hits = graph.rank("hits")
        held = [
            int((np.cumsum(np.sort(np.square(scores))[::-1]) < 0.99).sum()) + 1
            for scores in (hits.scores, np.asarray(hits.hubs))
        ]
        rows.append([name, f"{len(graph):,}", *held])
    table("What HITS is about", ["graph", "pages", "authorities", "hubs"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="the folder with the Toronto graphs")
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        graphs = {
            name: topic(told.data / name, Path(made) / f"{name}.graph")
            for name in (*NAMED, *NUMBERED)
        }
        for name in NAMED:
            compared(f"Table 2, {name}: HITS' best authorities", graphs[name], hubs=False)
            compared(f"Table 3, {name}: HITS' best hubs", graphs[name], hubs=True)
        shares(graphs)
        concentration(graphs)


if __name__ == "__main__":
    main()
