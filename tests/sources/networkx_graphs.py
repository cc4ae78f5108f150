"""Random networkx graphs, for the formats that networkx writes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import networkx as nx
from hypothesis import strategies as st

from tests.sources import links_of, pages_of, read

links = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=20)
labels = st.lists(
    st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1, max_size=6).map(
        str.strip
    ),
    min_size=10,
    max_size=10,
    unique=True,
).filter(all)


@st.composite
def networkx_graphs(draw: st.DrawFn) -> Any:
    """A directed or undirected graph of ten named nodes."""
    names = draw(labels)
    graph = draw(st.sampled_from([nx.DiGraph, nx.Graph]))()
    graph.add_nodes_from(names)
    graph.add_edges_from((names[a], names[b]) for a, b in draw(links))
    return graph


def assert_reads_back(graph: Any, write: Callable[[Path], None]) -> None:
    """A graph written by networkx is read with the same pages and links."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "graph"
        write(path)
        source = read(path)
        assert pages_of(source) == set(graph.nodes)
        assert set(links_of(source)) == set(graph.to_directed().edges)
