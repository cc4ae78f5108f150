"""Nodes and edges: pages named by an attribute if it is unique, else by id."""

from __future__ import annotations

from pathlib import Path

from tests.sources import links_of, write
from whatsrelated.sources.files import File
from whatsrelated.sources.nodes import Nodes
from whatsrelated.sources.reader import ReadContext


def nodes(tmp_path: Path, **names: str | None) -> tuple[Nodes, ReadContext]:
    context = ReadContext()
    made = Nodes("label", File(write(tmp_path / "x", "")), context)
    for key, name in names.items():
        made.add(key, {"label": name, "title": name.upper()} if name else {})
    made.link("a", "b")
    made.link("b", "c")
    return made, context


def test_pages_have_the_names_of_their_nodes(tmp_path: Path) -> None:
    made, _ = nodes(tmp_path, a="tea", b="milk", c="jam")
    (batch,) = made.links(both_ways=False)
    assert links_of([batch]) == [("tea", "milk"), ("milk", "jam")]
    assert batch.titles == {0: "TEA", 1: "MILK", 2: "JAM"}
    assert links_of(made.links(both_ways=True)) == [
        ("tea", "milk"),
        ("milk", "tea"),
        ("milk", "jam"),
        ("jam", "milk"),
    ]


def test_pages_keep_their_ids_if_names_repeat_or_are_missing(tmp_path: Path) -> None:
    for third in ("tea", None):
        made, _ = nodes(tmp_path, a="tea", b="milk", c=third)
        assert links_of(made.links(both_ways=False)) == [("a", "b"), ("b", "c")]


def test_nodes_without_ids_and_edges_without_ends_are_counted(tmp_path: Path) -> None:
    made, context = nodes(tmp_path, a="tea", b="milk", c="jam")
    made.add(None, {"label": "nobody"})
    made.link("a", None)
    assert context.refused.counts == {
        "a node without an id": 1,
        "an edge without a source or target": 1,
    }
