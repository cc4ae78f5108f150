"""Random graphs as networkx holds them, for the formats that it writes."""

from __future__ import annotations

from typing import Any

import networkx as nx
from hypothesis import strategies as st

some_graphs = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=20)
labels = st.lists(
    st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1, max_size=6).map(
        str.strip
    ),
    min_size=10,
    max_size=10,
    unique=True,
).filter(all)


def graph_by_networkx(links: list[tuple[int, int]], names: list[str], directed: bool) -> Any:
    graph = nx.DiGraph() if directed else nx.Graph()
    graph.add_nodes_from(names)
    graph.add_edges_from((names[a], names[b]) for a, b in links)
    return graph
