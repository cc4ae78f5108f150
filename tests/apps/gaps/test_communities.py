"""Clusters of a site, compared with an independent library by their modularity."""

from __future__ import annotations

import networkx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.apps.gaps.communities import communities

LINKS = st.lists(
    st.tuples(st.integers(0, 14), st.integers(0, 14)).filter(lambda link: link[0] != link[1]),
    min_size=1,
    unique=True,
)


def found(links: list[tuple[int, int]], n_pages: int = 15) -> list[int]:
    ends = np.array(links, np.int64)
    return communities(n_pages, ends[:, 0], ends[:, 1]).tolist()


def test_two_groups_with_one_link_between_them_are_two_clusters() -> None:
    whole = [(a, b) for group in (range(4), range(4, 7)) for a in group for b in group if a < b]
    assert found([*whole, (0, 4)], 8) == [0, 0, 0, 0, 1, 1, 1, -1]


@given(LINKS)
def test_the_division_is_as_good_as_another_implementation_finds(
    links: list[tuple[int, int]],
) -> None:
    graph = networkx.Graph()
    for one, other in links:
        weight = graph.get_edge_data(one, other, {"weight": 0})["weight"]
        graph.add_edge(one, other, weight=weight + 1)
    clusters = found(links)
    ours = [{p for p in graph if clusters[p] == number} for number in range(max(clusters) + 1)]
    assert [len(group) for group in ours] == sorted(map(len, ours), reverse=True)
    theirs = max(
        networkx.community.modularity(graph, networkx.community.louvain_communities(graph, seed=s))
        for s in range(3)
    )
    assert networkx.community.modularity(graph, ours) >= theirs - 0.1
    assert all(clusters[a] >= 0 and clusters[b] >= 0 for a, b in links)
