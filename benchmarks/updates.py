"""What does it cost to change some pages of a graph, beside building it again?

    python -m benchmarks.updates FOLDER [--pages 900000] [--links 16000000] [--repeats 3]

Updates of 0, 1,000 and 10,000 pages, and a build of the whole from a list of
links, in turns: CPU time.  Each changed page loses its last link and gets a new one.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

import whatsrelated as wr
from benchmarks.generate import opened
from benchmarks.measure import interleaved, sizes_asked_for, table
from whatsrelated.stream import Page


def changed(graph: wr.Graph, count: int) -> list[Page]:
    """Pages as they are after their change."""
    drawn = np.random.default_rng(count).choice(len(graph), count, replace=False)
    return [
        Page(
            graph.url(page),
            [graph.url(link) for link in graph.links_from(page)[:-1].tolist()]
            + [f"https://new.example/{page}"],
        )
        for page in drawn.tolist()
    ]


def update(whole: Path, place: Path, pages: list[Page]) -> None:
    """Update a graph that is hard-linked to the whole: its files are never written to."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(whole, place, copy_function=lambda one, two: Path(two).hardlink_to(one))
    wr.update(place, pages)


def main() -> None:
    given = sizes_asked_for(__doc__, pages=900_000, links=16_000_000, repeats=3).parse_args()
    graph = opened(given.folder, given.pages, given.links)
    assert graph.store.path is not None
    listed = given.folder / "links.tsv"
    if not listed.exists():
        with listed.open("w") as file:
            for page in range(len(graph)):
                url = graph.url(page)
                names = graph.store.urls(graph.links_from(page))
                file.writelines(f"{url}\t{name}\n" for name in names)
    rivals: dict[str, Callable[[], object]] = {
        f"{count:,} pages": partial(
            update, graph.store.path, given.folder / "updated.graph", changed(graph, count)
        )
        for count in (1, 1_000, 10_000)
    }
    rivals["build from text"] = partial(wr.build, [listed], given.folder / "built.graph")
    times = interleaved(rivals, given.repeats, time.process_time)
    table(
        f"Updates of {len(graph):,} pages and {graph.n_links:,} links",
        ["", "CPU s", "ns a link", "times a build"],
        [
            [name, spent, spent / graph.n_links * 1e9, spent / times["build from text"]]
            for name, spent in times.items()
        ],
    )


if __name__ == "__main__":
    main()
