"""Ranks against their definitions on random graphs, networkx, and cases worked by hand."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.graphs import graph_of
from tests.reference import ranks as reference
from tests.reference.graphs import LinkLists, link_lists
from tests.reference.plain_graph import PlainGraph
from whatsrelated.api import Graph
from whatsrelated.ranks.in_place import Walk, _groups
from whatsrelated.ranks.sweeping import Sweeper
from whatsrelated.stream import Page

Kept = dict[str, float]


def built(lists: LinkLists) -> tuple[Graph, PlainGraph]:
    pages = [Page(page, links) for page, links in lists.items()]
    return Graph.from_pages(pages), PlainGraph(lists)


def by_name(graph: Graph, scores: Any) -> Kept:
    return {graph.url(page): score for page, score in enumerate(scores.tolist())}


def same(graph: Graph, ranking: Any, expected: Any, within: float) -> None:
    """Scores, and hubs where there are, as the definition has them."""
    if isinstance(expected, dict):
        assert ranking.hubs is None
        assert by_name(graph, ranking.scores) == pytest.approx(expected, abs=within)
    else:
        assert by_name(graph, ranking.scores) == pytest.approx(expected.scores, abs=within)
        assert by_name(graph, ranking.hubs) == pytest.approx(expected.hubs, abs=within)


in_bits = pytest.mark.parametrize(("tolerance", "within"), [(1e-6, 1e-5), (1e-12, 1e-10)])


@in_bits
@given(lists=link_lists(), damping=st.sampled_from([0.0, 0.5, 0.85, 0.99]))
def test_pagerank_is_its_definition(
    lists: LinkLists, damping: float, tolerance: float, within: float
) -> None:
    assume(lists)
    graph, plain = built(lists)
    ranking = graph.rank("pagerank", damping=damping, tolerance=tolerance, max_rounds=5000)
    loose = within / (1 - damping)
    same(graph, ranking, reference.pagerank(plain, damping), loose)


@in_bits
@given(lists=link_lists(), data=st.data())
def test_personalized_pagerank_is_its_definition(
    lists: LinkLists, data: st.DataObject, tolerance: float, within: float
) -> None:
    assume(lists)
    graph, plain = built(lists)
    pages = data.draw(st.lists(st.sampled_from(plain.pages), min_size=1, max_size=3))
    ranking = graph.rank("pagerank", teleport=pages, tolerance=tolerance)
    same(graph, ranking, reference.pagerank(plain, teleport=dict.fromkeys(pages, 1.0)), within)


@in_bits
@given(
    lists=link_lists(),
    bias=st.sampled_from(["out", "in"]),
    matrix=st.sampled_from(["plain", "transposed"]),
)
def test_hubrank_is_its_definition(
    lists: LinkLists, bias: str, matrix: str, tolerance: float, within: float
) -> None:
    assume(lists)
    graph, plain = built(lists)
    ranking = graph.rank("hubrank", bias=bias, matrix=matrix, tolerance=tolerance)
    same(graph, ranking, reference.hubrank(plain, bias=bias, matrix=matrix), within)


@in_bits
@given(lists=link_lists(), epsilon=st.sampled_from([0.05, 0.15, 0.8, 1.0]))
def test_randomized_hits_is_its_definition(
    lists: LinkLists, epsilon: float, tolerance: float, within: float
) -> None:
    assume(lists)
    graph, plain = built(lists)
    ranking = graph.rank("randomized-hits", epsilon=epsilon, tolerance=tolerance)
    same(graph, ranking, reference.randomized_hits(plain, epsilon), within / epsilon)


@in_bits
@given(lists=link_lists(), beta=st.sampled_from([0.0, 0.5, 0.9]))
def test_mbcc_is_its_definition(
    lists: LinkLists, beta: float, tolerance: float, within: float
) -> None:
    assume(lists)
    graph, plain = built(lists)
    ranking = graph.rank("mbcc", beta=beta, tolerance=tolerance)
    same(graph, ranking, reference.mbcc(plain, beta), within / (1 - beta))


@pytest.mark.parametrize(("tolerance", "rounds"), [(1e-6, 300), (1e-10, 1000)])
@given(lists=link_lists())
def test_hits_is_its_definition(lists: LinkLists, tolerance: float, rounds: int) -> None:
    assume(lists)
    graph, plain = built(lists)
    ranking = graph.rank("hits", tolerance=tolerance, max_rounds=rounds, accept=True)
    assume(ranking.settled)
    expected = reference.hits(plain, tolerance, rounds)
    same(graph, ranking, expected, 100 * tolerance)


@given(lists=link_lists())
def test_degrees_are_shares_of_all_links(lists: LinkLists) -> None:
    assume(lists)
    graph, plain = built(lists)
    same(graph, graph.rank("in-degree"), reference.in_degree(plain), 1e-15)
    same(graph, graph.rank("out-degree"), reference.out_degree(plain), 1e-15)


@given(lists=link_lists())
def test_pagerank_agrees_with_networkx(lists: LinkLists) -> None:
    assume(lists)
    graph, plain = built(lists)
    whole = nx.DiGraph()
    whole.add_nodes_from(plain.pages)
    whole.add_edges_from((p, q) for p in plain.pages for q in plain.links[p])
    expected = nx.pagerank(whole, tol=1e-13, max_iter=1000)
    assert by_name(graph, graph.rank("pagerank").scores) == pytest.approx(expected, abs=1e-8)


def test_hits_agrees_with_networkx() -> None:
    lines = ("a -> b c d", "b -> c", "d -> c a", "e -> d c", "f -> a e")
    graph = graph_of(*lines)
    whole = nx.DiGraph(
        (line[0], target) for line in lines for target in line.partition("->")[2].split()
    )
    hubs, authorities = nx.hits(whole, tol=1e-14)
    ranking = graph.rank("hits", tolerance=1e-12)
    for expected, scores in ((authorities, ranking.scores), (hubs, ranking.hubs)):
        length = math.sqrt(sum(score**2 for score in expected.values()))
        assert by_name(graph, scores) == pytest.approx(
            {page: score / length for page, score in expected.items()}, abs=1e-8
        )


def test_no_score_is_less_than_nothing() -> None:
    graph = graph_of("p1 -> p5 p3", "p2 -> p5", "p5 -> p0 p3")
    assert graph.rank("mbcc", beta=1, accept=True).scores.min() == 0


def test_mbcc_gives_what_xh14s_example_gives() -> None:
    # a, b and c have no parents; each is a third of what jumps bring, a = β 3a/6 + (1-β)/6.
    # j1 and j2 have Q = 3+2+2 = 7, j3 has Q = 3: x(j3) = β (2 x(j1)/7 + x(j3)/3) + a.
    graph = graph_of("a -> j1 j2 j3", "b -> j1 j2", "c -> j1 j2")
    ranking = graph.rank("mbcc", tolerance=1e-13)
    a = (0.1 / 6) / (1 - 0.45)
    assert [ranking[page] for page in "abc"] == pytest.approx([a] * 3, abs=1e-12)
    j1, j2, j3 = (ranking[page] for page in ("j1", "j2", "j3"))
    assert j1 == pytest.approx(j2, abs=1e-15)
    assert j3 == pytest.approx(0.9 * (2 * j1 / 7 + j3 / 3) + a, abs=1e-12)
    # W(j1, ·) = 3/7, 3/7, 1/7: what j1 hands on.
    assert j1 == pytest.approx(0.9 * (3 * j1 / 7 + 3 * j2 / 7 + j3 / 3) + a, abs=1e-12)
    # y = L Lᵀ x: only a, b and c link; Lᵀx is a+b+c, a+b+c, a.
    assert ranking.hubs.tolist() == pytest.approx([7 / 19, 6 / 19, 6 / 19, 0, 0, 0])


def test_a_good_hub_rises_and_an_authority_without_links_falls_from_pagerank_to_hubrank() -> None:
    graph = graph_of(
        "hub -> b1 b2 b3 b4 b5 b6 b7 b8",
        "fan1 -> hub end",
        "fan2 -> end b1",
        "fan3 -> end b2",
        "b1 -> end b5",
        "b2 -> end b6",
        "b3 -> b4",
    )
    before = [result.url for result in graph.rank("pagerank").top(100)]
    after = [result.url for result in graph.rank("hubrank").top(100)]
    assert before[0] == "end"
    assert before.index("hub") > 3
    assert after[0] == "hub"
    assert after.index("end") > before.index("end")


def test_the_top_is_in_the_common_order() -> None:
    graph = graph_of("p -> known rare aaa", "q -> known")
    top = graph.rank("out-degree").top(3)
    assert [(result.url, result.score) for result in top] == [
        ("p", 0.75),
        ("q", 0.25),
        ("aaa", 0.0),
    ]
    assert [result.url for result in graph.rank("in-degree").top()] == [
        "known",
        "aaa",
        "rare",
        "p",
        "q",
    ]


def test_the_top_of_the_hubs_is_another() -> None:
    ranking = graph_of("p -> tea coffee", "q -> tea").rank("hits")
    assert ranking.top(1)[0].url == "tea"
    assert ranking.top(1, hubs=True)[0].url == "p"


def test_scores_are_the_same_to_the_last_bit_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("whatsrelated.ranks.sweeping.CHUNK", 64)
    random = np.random.default_rng(5)
    pairs = random.zipf(1.5, (4000, 2)) % 300
    graph = Graph.from_links((f"p{a}", f"p{b}") for a, b in pairs.tolist())
    for name in ("pagerank", "hubrank", "hits", "randomized-hits", "mbcc"):
        in_place = name in ("pagerank", "hubrank")
        for tolerance in (1e-6, 1e-10):
            found = [
                Graph(graph.store).rank(name, tolerance=tolerance, threads=threads, accept=True)
                for threads in (1, 1, 2, 2, 3, 3, 5, 5)
            ]
            # In place, another number of threads takes another way to the same rest.
            alike = zip(found[::2], found[1::2], strict=True) if in_place else pairwise(found)
            for one, other in alike:
                assert one.rounds == other.rounds
                assert np.array_equal(one.scores, other.scores)
            for other in found[1:]:
                assert np.abs(found[0].scores - other.scores).sum() < 20 * tolerance


def test_32_bits_are_used_from_a_tolerance_of_a_millionth() -> None:
    graph = graph_of("a -> b c", "b -> c")
    assert graph.rank("pagerank", tolerance=1e-6).scores.dtype == np.float32
    assert graph.rank("pagerank", tolerance=9e-7).scores.dtype == np.float64


def web(kind: str) -> Graph:
    """500 pages with plain names, on one host, or on hosts of 1 to 30 pages.

    Half of the links go to a page near by, most of these to an earlier one.
    """
    random = np.random.default_rng(7)
    pairs = random.zipf(1.4, (6000, 2)) % 500
    pairs[:3000, 1] = np.maximum(pairs[:3000, 0] - 20 + random.integers(0, 30, 3000), 0) % 500
    hosts = np.sqrt(np.arange(500) * 2).astype(int) if kind == "hosts" else [0] * 500
    names = [
        f"p{page:03}" if kind == "plain" else f"http://h{host:02}.org/{page:03}"
        for page, host in enumerate(hosts)
    ]
    return Graph.from_links((names[a], names[b]) for a, b in np.unique(pairs, axis=0).tolist())


def next_round(graph: Graph, scores: Any, jumps: Any) -> Any:
    """The scores after a round of the definition."""
    store = graph.store
    degrees = store.out_degree(np.arange(len(graph), dtype=np.uint32))
    after = np.full(len(graph), (0.15 + 0.85 * scores[degrees == 0].sum())) * jumps
    for page in range(len(graph)):
        after[store.links_from(page)] += 0.85 * scores[page] / max(degrees[page], 1)
    return after


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("kind", ["plain", "site", "hosts"])
def test_no_round_of_the_definition_changes_more_than_a_round_in_place_says(
    kind: str, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("whatsrelated.ranks.sweeping.CHUNK", 64)
    graph = web(kind)
    degrees = graph.store.out_degree(np.arange(len(graph), dtype=np.uint32))
    links = np.maximum(degrees, 1)
    with Sweeper(graph.store, threads) as sweeper:
        shares = (sweeper.uniform(np.float32) / links).astype(np.float32)
        walk = Walk(sweeper, sweeper.incoming, sweeper.outgoing, 0.85, shares, None)
        for _ in range(12):
            change = walk.round()
            scores = shares.astype(np.float64) * links
            scores /= scores.sum()
            moved = np.abs(next_round(graph, scores, 1 / len(graph)) - scores).sum()
            assert moved < change + 1e-7
            assert moved > change / 20


@pytest.mark.parametrize(
    ("hosts", "groups"),
    [
        (np.repeat([0, 1, 2], [4, 50, 6]), [0, 4, 54, 60]),  # the hosts
        (np.arange(130), [0, 64, 128, 130]),  # no host has several pages
        (np.repeat([0, 1], [10, 150]), [0, 10, 74, 138, 160]),  # a host is most of the graph
        (np.arange(0), [0]),
    ],
)
def test_groups_are_hosts_neither_too_small_nor_too_large(hosts: Any, groups: list[int]) -> None:
    assert _groups(hosts).tolist() == groups


def test_hosts_that_get_at_once_what_they_hand_to_themselves_save_rounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    graph = web("hosts")
    rounds = graph.rank("pagerank", tolerance=1e-6, threads=1).rounds
    monkeypatch.setattr("whatsrelated.ranks.in_place.EAGER", 0.0)
    assert rounds < Graph(graph.store).rank("pagerank", tolerance=1e-6, threads=1).rounds - 2


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("tolerance", [1e-2, 1e-4, 1e-6, 1e-9])
@pytest.mark.parametrize("kind", ["plain", "site", "hosts"])
@pytest.mark.parametrize("name", ["pagerank", "hubrank"])
def test_rounds_in_place_come_to_the_rest_that_the_definition_asks_for(
    name: str, kind: str, tolerance: float, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = web(kind)
    monkeypatch.setattr("whatsrelated.ranks.sweeping.CHUNK", 64)
    ranking = graph.rank(name, tolerance=tolerance, threads=threads)
    scores = ranking.scores.astype(np.float64)
    degrees = graph.store.out_degree(np.arange(len(graph), dtype=np.uint32))
    jumps = 1 / len(graph) if name == "pagerank" else degrees / degrees.sum()
    after = next_round(graph, scores, jumps)
    assert np.abs(after - scores).sum() < tolerance
    plain = 1 + np.log(tolerance) / np.log(0.85)
    assert ranking.rounds < plain / 2
