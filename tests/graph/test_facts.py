"""What `related info` shows of a graph."""

from __future__ import annotations

from pathlib import Path

from tests.graphs import graph_of
from whatsrelated import api
from whatsrelated.graph.facts import facts


def test_pages_are_counted_by_degree() -> None:
    graph = graph_of("a -> x y z t", "b -> x", "c -> x", "d -> x", "e")
    assert facts(graph.store)["degrees"] == [
        {"degree": "0", "in": 5, "out": 5},
        {"degree": "1", "in": 3, "out": 3},
        {"degree": "2-3", "in": 0, "out": 0},
        {"degree": "4-7", "in": 1, "out": 1},
    ]


def test_the_space_of_links_and_names_is_what_their_files_take(path: Path) -> None:
    shown = facts(api.open(path).store)
    sizes = {file.stem: file.stat().st_size - 128 for file in path.rglob("*.npy")}
    links = sum(size for name, size in sizes.items() if name.startswith(("in.", "out.")))
    names = sum(size for name, size in sizes.items() if name.startswith("names."))
    assert shown["bytes"] == sum(sizes.values())
    assert shown["bytes_per_link"] == round(links / shown["links"], 2)
    assert shown["bytes_per_name"] == round(names / shown["pages"], 2)
    assert (shown["graph"], shown["pages"], shown["links"]) == (str(path), 5, 5)
    assert shown["titles"] == "yes"
    assert shown["read_pages"] == 3
