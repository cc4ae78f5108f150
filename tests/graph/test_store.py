"""Who links where, under which name, and what is wrong with a graph."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np

from whatsrelated import api
from whatsrelated.api import Graph
from whatsrelated.graph.store import Store


def test_the_first_link_that_stands_in_one_direction_only_is_named(path: Path) -> None:
    store = api.open(path).store
    arrays = dict(store.arrays)
    arrays["in.links"] = np.array(arrays["in.links"])
    target = store.find("7")
    assert target is not None
    arrays["in.links"][int(store.in_offsets[target])] = store.find("https://b.org/")
    broken = Store(arrays, {**store.manifest, "files": {}})
    assert broken.check() == "the link Tea -> 7 has only one direction"


def test_a_graph_can_be_copied_and_moved(path: Path, tmp_path: Path) -> None:
    shutil.copytree(path, tmp_path / "copy.graph")
    shutil.rmtree(path)
    assert api.open(tmp_path / "copy.graph").store.check() is None


def test_a_name_that_was_kept_as_it_came_is_found_as_it_came() -> None:
    names = ["http://a.org", "http://a.org/", "http://A.org/x#top", "http://a.org/%7Ex"]
    graph = Graph.from_links([("p", name) for name in names], urls="keep")
    assert [graph.url(graph.page(name)) for name in names] == names
