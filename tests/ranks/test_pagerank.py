"""PageRank against its definition and networkx."""

from __future__ import annotations

import tracemalloc

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.graphs import graph_of
from tests.ranks.definitions import assert_scores, built, in_both_precisions, scores_by_name
from tests.reference import ranks as reference
from tests.reference.graphs import LinkLists, link_lists
from whatsrelated.api import Graph
from whatsrelated.graph import Store
from whatsrelated.ranks.hubrank import HubRank
from whatsrelated.ranks.pagerank import PageRank


@in_both_precisions
@given(lists=link_lists(), damping=st.sampled_from([0.0, 0.5, 0.85, 0.99]))
def test_pagerank_is_its_definition(
    lists: LinkLists, damping: float, tolerance: float, within: float
) -> None:
    assume(lists)
    graph, plain = built(lists)
    ranking = graph.rank("pagerank", damping=damping, tolerance=tolerance, max_rounds=5000)
    loose = within / (1 - damping)
    assert_scores(graph, ranking, reference.pagerank(plain, damping), loose)


@in_both_precisions
@given(lists=link_lists(), data=st.data())
def test_personalized_pagerank_is_its_definition(
    lists: LinkLists, data: st.DataObject, tolerance: float, within: float
) -> None:
    assume(lists)
    graph, plain = built(lists)
    pages = data.draw(st.lists(st.sampled_from(plain.pages), min_size=1, max_size=3))
    ranking = graph.rank("pagerank", teleport=pages, tolerance=tolerance)
    assert_scores(
        graph, ranking, reference.pagerank(plain, teleport=dict.fromkeys(pages, 1.0)), within
    )


@given(lists=link_lists())
def test_pagerank_agrees_with_networkx(lists: LinkLists) -> None:
    assume(lists)
    graph, plain = built(lists)
    whole = nx.DiGraph()
    whole.add_nodes_from(plain.pages)
    whole.add_edges_from((p, q) for p in plain.pages for q in plain.links[p])
    expected = nx.pagerank(whole, tol=1e-13, max_iter=1000)
    assert scores_by_name(graph, graph.rank("pagerank").scores) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("tolerance", [1e-6, 1e-10])
def test_without_jumps_every_part_of_the_graph_keeps_what_it_started_with(tolerance: float) -> None:
    graph = graph_of("a -> b c", "b -> c", "c -> a", "v -> x", "w -> v x", "x -> v w y", "y -> w x")
    ranking = graph.rank("pagerank", damping=1, tolerance=tolerance)
    assert sum(ranking[page] for page in "abc") == pytest.approx(3 / 7, abs=1e-5)


def test_single_precision_is_used_from_a_tolerance_of_a_millionth() -> None:
    graph = graph_of("a -> b c", "b -> c")
    assert graph.rank("pagerank", tolerance=1e-6).scores.dtype == np.float32
    assert graph.rank("pagerank", tolerance=9e-7).scores.dtype == np.float64


@pytest.fixture(scope="module")
def store() -> Store:
    pages = 60_000
    names = [f"http://h{page // 20:04}.org/{page:05}" for page in range(pages)]
    pairs = np.random.default_rng(6).integers(0, pages, (2 * pages, 2)).tolist()
    store = Graph.from_links((names[a], names[b]) for a, b in pairs).store
    PageRank(tolerance=1e-6).compute(store)  # load what is loaded once
    return store


@pytest.mark.parametrize(
    ("rank", "most"),
    [
        (PageRank(tolerance=1e-6), 13),
        (HubRank(tolerance=1e-6), 13),
        (PageRank(), 36),
        (HubRank(), 36),
        (HubRank(bias="in"), 44),
    ],
    ids=repr,
)
def test_memory_is_as_many_bytes_per_page_as_documented(
    store: Store, rank: PageRank | HubRank, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("whatsrelated.ranks.parallel.CHUNK", 1 << 15)
    tracemalloc.start()
    rank.compute(store, threads=2)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # On a graph this small, what does not grow with it is up to 2 bytes per page; another
    # vector would be 4.
    assert peak / store.n_pages < most + 2.5
