"""Arrays kept with a graph are computed once, and again if they are damaged or of another graph."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from whatsrelated.api import Graph, build
from whatsrelated.graph.kept_arrays import INDEX, KeptArrays
from whatsrelated.graph.store import Store
from whatsrelated.stream import Page

Arrays = dict[str, np.ndarray[Any, Any]]


def is_sound(arrays: Arrays, store: Store) -> bool:
    return len(arrays["degrees"]) == store.n_pages


KEPT = KeptArrays("ranks", 1, {"degrees": "<u4"}, is_sound)


class Degrees:
    """Computes the arrays, and counts how often."""

    def __init__(self, store: Store) -> None:
        self.store, self.computed = store, 0

    def __call__(self) -> Arrays:
        self.computed += 1
        return {"degrees": self.store.in_degree(np.arange(self.store.n_pages)).astype(np.uint32)}


@pytest.fixture
def graph(tmp_path: Path) -> Graph:
    return build([Page("tea", ["milk", "lemon"])], tmp_path / "g")


def test_arrays_are_computed_once(graph: Graph) -> None:
    degrees = Degrees(graph.store)
    first = KEPT.obtain(graph.store, degrees)
    assert KEPT.obtain(graph.store, degrees)["degrees"].tolist() == first["degrees"].tolist()
    assert degrees.computed == 1


def test_a_graph_in_memory_keeps_nothing() -> None:
    degrees = Degrees(Graph.from_links([("tea", "milk")]).store)
    assert KEPT.obtain(degrees.store, degrees)["degrees"].tolist() == [1, 0]
    assert KEPT.read(degrees.store) is None


@pytest.mark.parametrize("name", ["degrees.npy", INDEX])
def test_damaged_arrays_are_computed_again(graph: Graph, tmp_path: Path, name: str) -> None:
    degrees = Degrees(graph.store)
    KEPT.obtain(graph.store, degrees)
    file = tmp_path / "g/ranks" / name
    file.write_bytes(file.read_bytes()[:-1] + b"\x07")
    assert KEPT.read(graph.store) is None
    assert KEPT.obtain(graph.store, degrees)["degrees"].tolist() == degrees()["degrees"].tolist()
    assert KEPT.read(graph.store) is not None


def test_arrays_of_another_graph_are_not_read(graph: Graph, tmp_path: Path) -> None:
    KEPT.obtain(graph.store, Degrees(graph.store))
    other = build([Page("tea", ["milk", "mint"])], tmp_path / "g").store
    assert KEPT.read(other) is None
    assert KEPT.read(graph.store) is not None


def test_unsound_arrays_are_not_read(graph: Graph) -> None:
    KEPT.obtain(graph.store, lambda: {"degrees": np.zeros(1, np.uint32)})
    assert KEPT.read(graph.store) is None
