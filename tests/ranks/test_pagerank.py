"""PageRank against its definition and networkx; the bound that ends it, and what it costs."""

from __future__ import annotations

import tracemalloc
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.graphs import graph_of
from tests.ranks.definitions import (
    assert_scores,
    built,
    in_both_precisions,
    random_walk,
    scores_by_name,
    web,
)
from tests.reference import ranks as reference
from tests.reference.graphs import LinkLists, link_lists
from whatsrelated.api import Graph
from whatsrelated.graph import Store
from whatsrelated.ranks.hubrank import HubRank
from whatsrelated.ranks.iterative import Convergence
from whatsrelated.ranks.link_matrix import LinkMatrix, Threads
from whatsrelated.ranks.pagerank import PageRank, RandomWalk


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
    assert ranking.converged


def test_single_precision_is_used_from_a_tolerance_of_a_millionth() -> None:
    graph = graph_of("a -> b c", "b -> c")
    assert graph.rank("pagerank", tolerance=1e-6).scores.dtype == np.float32
    assert graph.rank("pagerank", tolerance=9e-7).scores.dtype == np.float64


def walk_on(graph: Graph, damping: float = 0.85, threads: int = 1) -> RandomWalk:
    return RandomWalk(LinkMatrix.of(graph.store, Threads(threads)), damping)


def degrees_of(walk: RandomWalk) -> Any:
    return np.maximum(walk.links.degrees(np.float64), 1)


def test_single_precision_scores_are_summed_in_double() -> None:
    walk = walk_on(graph_of(*map(str, range(1000))))
    x = np.random.default_rng(0).random(1000).astype(np.float32)
    total = float(x.astype(np.float64).sum())
    assert walk.sums(x) == pytest.approx((total, total), rel=1e-14)


def sweep(walk: RandomWalk, x: Any, count: int = 1, residual: Any = None) -> float:
    """Sweep `count` times, in place; the last residual recorded."""
    convergence = Convergence("any", 1e-3, count + 1)
    walk.gauss_seidel(x, 0.0, convergence, residual)
    assert convergence.iterations == count
    return convergence.residual


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("kind", ["plain", "site", "hosts"])
def test_no_iteration_of_the_definition_changes_more_than_the_bound(
    kind: str, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("whatsrelated.ranks.link_matrix.CHUNK", 64)
    graph = web(kind)
    walk = walk_on(graph, threads=threads)
    x = (1 / len(graph) / degrees_of(walk)).astype(np.float32)
    for _ in range(12):
        bound = sweep(walk, x)
        scores = x * degrees_of(walk)
        scores /= scores.sum()
        change = np.abs(random_walk(graph, scores, 1 / len(graph)) - scores).sum()
        assert bound / 20 < change < bound + 1e-7


# For each term of the bound a graph on which the other term is not enough: what the definition
# changes is at least a fifth more.
TERMS = {
    "what has changed since it was read": (("a -> b", "b -> d", "c"), (4, 0, 0, 1), 0.85),
    "what has jumped since": (("a -> c", "b", "c -> d"), (1, 3, 5, 2), 0.5),
}


@pytest.mark.parametrize("term", TERMS)
def test_every_term_of_the_bound_is_needed(term: str) -> None:
    lines, start, damping = TERMS[term]
    graph = graph_of(*lines)
    walk = walk_on(graph, damping)
    x = (np.array(start) / degrees_of(walk)).astype(np.float32)
    bound = sweep(walk, x)
    scores = x * degrees_of(walk)
    scores /= scores.sum()
    change = np.abs(random_walk(graph, scores, 1 / 4, damping) - scores).sum()
    assert 0.84 * bound < change < bound


@pytest.mark.parametrize("kind", ["plain", "hosts"])
def test_the_residual_of_a_correction_is_at_most_what_is_recorded(kind: str) -> None:
    graph = web(kind)
    walk = walk_on(graph)
    residual = np.random.default_rng(4).normal(size=len(graph)).astype(np.float32)
    residual -= residual.mean()
    for count in range(1, 9):
        error = (residual / degrees_of(walk)).astype(np.float32)
        recorded = sweep(walk, error, count, residual)
        scores = error * degrees_of(walk)
        after = random_walk(graph, scores, 1 / len(graph)) + residual
        assert recorded / 20 < np.abs(after - scores).sum() < recorded * (1 + 1e-4)


def test_sweeps_end_when_single_precision_gets_no_nearer() -> None:
    walk = walk_on(web("hosts"))
    convergence = Convergence("any", 1e-30, 10_000)
    x = (1 / 500 / degrees_of(walk)).astype(np.float32)
    walk.gauss_seidel(x, 0.0, convergence)
    assert convergence.iterations < 1000
    assert convergence.residual < 1e-5


def test_double_precision_goes_on_if_single_does_not_converge() -> None:
    cycle = [(f"{page:02}", f"{(page + 1) % 20:02}") for page in range(20)]
    graph = Graph.from_links([*cycle, ("50", "00"), ("51", "50")])
    ranking = graph.rank("pagerank", damping=0.999, tolerance=1e-6, max_rounds=20_000)
    assert ranking.scores.dtype == np.float64
    after = random_walk(graph, ranking.scores, 1 / len(graph), 0.999)
    assert np.abs(after - ranking.scores).sum() < 1e-6


def test_corrections_in_single_precision_reach_double(monkeypatch: pytest.MonkeyPatch) -> None:
    exact: list[float] = []
    residual = RandomWalk.residual

    def watched(walk: RandomWalk, x: Any, out: Any) -> float:
        exact.append(residual(walk, x, out))
        return exact[-1]

    monkeypatch.setattr(RandomWalk, "residual", watched)
    graph = web("hosts")
    ranking = graph.rank("pagerank", tolerance=1e-14)
    after = random_walk(graph, ranking.scores, 1 / len(graph))
    assert np.abs(after - ranking.scores).sum() < 1e-14
    assert ranking.residual == exact[-1] < 1e-14
    # Each correction takes a residual to 1e-5 of it: few rounds are in double precision.
    assert len(exact) == 3
    assert ranking.rounds > 10 * len(exact)


@pytest.mark.parametrize("damping", [0.85, 1])
def test_no_more_rounds_are_made_than_allowed(damping: float) -> None:
    graph = web("hosts")
    for most in range(1, 12):
        ranking = Graph(graph.store).rank(
            "pagerank", damping=damping, tolerance=1e-14, max_rounds=most, accept=True
        )
        assert ranking.rounds == most
        assert ranking.scores.sum() == pytest.approx(1)


@pytest.mark.parametrize("most", range(1, 6))
def test_only_double_precision_calls_scores_converged_that_need_it(most: int) -> None:
    graph = graph_of("c -> b", "b -> a", "d -> a b c")  # one sweep is enough
    ranking = graph.rank("pagerank", max_rounds=most, accept=True)
    after = random_walk(graph, ranking.scores, 1 / 4)
    assert ranking.converged == (np.abs(after - ranking.scores).sum() < 1e-10)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("tolerance", [1e-2, 1e-4, 1e-6, 1e-9])
@pytest.mark.parametrize("kind", ["plain", "site", "hosts"])
@pytest.mark.parametrize("name", ["pagerank", "hubrank"])
def test_what_has_converged_satisfies_the_definition_in_half_of_the_rounds(
    name: str, kind: str, tolerance: float, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = web(kind)
    monkeypatch.setattr("whatsrelated.ranks.link_matrix.CHUNK", 64)
    ranking = graph.rank(name, tolerance=tolerance, threads=threads)
    scores = ranking.scores.astype(np.float64)
    degrees = graph.store.out_degree(np.arange(len(graph), dtype=np.uint32))
    teleport = 1 / len(graph) if name == "pagerank" else degrees / degrees.sum()
    after = random_walk(graph, scores, teleport)
    assert np.abs(after - scores).sum() < tolerance
    power_iteration = 1 + np.log(tolerance) / np.log(0.85)
    assert ranking.rounds < power_iteration / 2


@pytest.fixture(scope="module")
def store() -> Store:
    pages = 60_000
    names = [f"http://h{page // 20:04}.org/{page:05}" for page in range(pages)]
    pairs = np.random.default_rng(6).integers(0, pages, (2 * pages, 2)).tolist()
    store = Graph.from_links((names[a], names[b]) for a, b in pairs).store
    PageRank(tolerance=1e-6).compute(store)  # load what is loaded only once
    return store


@pytest.mark.parametrize(
    ("rank", "most"),
    [
        (PageRank(tolerance=1e-6), 12),
        (HubRank(tolerance=1e-6), 12),
        (PageRank(), 32),
        (HubRank(), 32),
        (HubRank(bias="in"), 32),
    ],
    ids=repr,
)
def test_memory_is_as_many_bytes_per_page_as_documented(
    store: Store, rank: PageRank | HubRank, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("whatsrelated.ranks.link_matrix.CHUNK", 1 << 15)
    tracemalloc.start()
    rank.compute(store, threads=2)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # On a graph this small, what does not grow with it is up to 2 bytes per page; another
    # vector would be 4.
    assert peak / store.n_pages < most + 2.5
