"""Ranks, HubFinder, PageSim and SimRank: the papers' printed numbers, and networkx."""

from __future__ import annotations

import math
from fractions import Fraction

import networkx as nx
import pytest
from hypothesis import assume, given, settings

from tests.reference import llk06, ranks
from tests.reference.graphs import LinkLists, link_lists
from tests.reference.hubfinder import best_first, how_many, hubfinder, local
from tests.reference.llk06 import FIGURE
from tests.reference.pagesim import pagesim, propagated
from tests.reference.plain_graph import PlainGraph
from tests.reference.simrank import all_pairs


def networkx_of(graph: PlainGraph) -> nx.DiGraph:
    whole = nx.DiGraph()
    whole.add_nodes_from(graph.pages)
    whole.add_edges_from((p, q) for p in graph.pages for q in graph.links[p])
    return whole


def test_pagerank_is_what_llk06_prints() -> None:
    scores = ranks.pagerank(PlainGraph(FIGURE))
    assert [round(scores[page], 2) for page in "123456"] == [0.08, 0.23, 0.18, 0.14, 0.14, 0.23]


def test_pagesim_is_the_matrix_that_llk06_prints() -> None:
    graph = PlainGraph(FIGURE)
    sent = propagated(graph, None, ranks.pagerank(graph))
    rows = [
        [
            round(sum(min(sent[s].get(a, 0), sent[s].get(b, 0)) for s in graph.pages), 2)
            for b in graph.pages
        ]
        for a in graph.pages
    ]
    assert rows == llk06.PAGESIM


def test_pagesim_lists_the_most_similar_pages_as_llk06_does() -> None:
    graph = PlainGraph(FIGURE)
    alike = {}
    for page in graph.pages:
        scores = pagesim(graph, page, radius=None)
        places: dict[float, set[str]] = {}
        for other, score in scores.items():
            places.setdefault(round(score, 9), set()).add(other)
        alike[page] = [places[score] for score in sorted(places, reverse=True)]
    assert alike["1"][:2] == [{"3", "6"}, {"2"}]
    assert alike["2"][:2] == [{"4"}, {"3", "6"}]
    assert alike["3"][:2] == [{"6"}, {"2"}]
    assert alike["4"][:2] == [{"2"}, {"3", "5", "6"}]
    assert alike["5"][:1] == [{"2", "3", "4", "6"}]
    assert alike["6"][:2] == [{"3"}, {"2"}]


def test_pagesim_with_radius_one_is_weighted_cocitation() -> None:
    graph = PlainGraph({"p": ["u", "v"], "q": ["u", "v", "w"]})
    rank = ranks.pagerank(graph)
    assert pagesim(graph, "u", radius=1) == pytest.approx(
        {
            "v": rank["p"] / 2 + rank["q"] / 3,
            "w": rank["q"] / 3,
            "p": rank["p"] / 2,
            "q": rank["q"] / 3,
        }
    )


def test_simrank_without_decay_is_what_llk06_prints() -> None:
    pairs = all_pairs(PlainGraph(FIGURE), decay=1.0)
    expected = {"23": 0.25, "26": 0.25, "34": 0.5, "35": 0.5, "36": 0.125, "45": 1.0}
    expected |= {"46": 0.25, "56": 0.25}
    for a in "123456":
        for b in "123456":
            if a < b:
                assert pairs[a, b] == pytest.approx(expected.get(a + b, 0.0), abs=1e-12)


def test_mbcc_weighs_cocitations_as_xh14_does() -> None:
    graph = PlainGraph({"a": ["j1", "j2", "j3"], "b": ["j1", "j2"], "c": ["j1", "j2"]})
    common = {
        page: len(set(graph.parents["j1"]) & set(graph.parents[page])) for page in graph.pages
    }
    assert [common[page] / sum(common.values()) for page in ("j1", "j2", "j3")] == [
        3 / 7,
        3 / 7,
        1 / 7,
    ]
    # Six pages, three of them without parents, each with a = b 3a/6 + (1 - b)/6; that also
    # is what every page gets, beside its share of j1 and j2 (Q = 7) and of j3 (Q = 3).
    beta = 0.9
    a = ((1 - beta) / 6) / (1 - beta / 2)
    scores = ranks.mbcc(graph, beta).scores
    assert scores["a"] == scores["b"] == scores["c"] == pytest.approx(a, abs=1e-12)
    assert scores["j1"] == scores["j2"]
    z = scores["j3"]
    assert z == pytest.approx(beta * (2 * scores["j1"] / 7 + z / 3) + a, abs=1e-12)
    assert scores["j1"] == pytest.approx(beta * (6 * scores["j1"] / 7 + z / 3) + a, abs=1e-12)
    assert sum(scores.values()) == pytest.approx(1)


@settings(max_examples=40, deadline=None)
@given(link_lists(max_pages=14))
def test_pagerank_and_simrank_agree_with_networkx(links: LinkLists) -> None:
    assume(links)
    graph = PlainGraph(links)
    whole = networkx_of(graph)
    expected = nx.pagerank(whole, tol=1e-13, max_iter=1000)
    assert ranks.pagerank(graph) == pytest.approx(expected, abs=1e-9)
    personal = {graph.pages[0]: 1.0, graph.pages[-1]: 3.0}
    expected = nx.pagerank(whole, personalization=personal, tol=1e-13, max_iter=1000)
    assert ranks.pagerank(graph, teleport=personal) == pytest.approx(expected, abs=1e-9)
    pairs = all_pairs(graph)
    similar = nx.simrank_similarity(
        whole, importance_factor=0.8, tolerance=1e-12, max_iterations=1000
    )
    for a in graph.pages:
        for b in graph.pages:
            assert pairs[a, b] == pytest.approx(similar[a][b], abs=1e-4)


@settings(max_examples=30, deadline=None)
@given(link_lists(max_pages=14))
def test_hubrank_is_personalized_pagerank(links: LinkLists) -> None:
    graph = PlainGraph(links)
    whole = networkx_of(graph)
    assume(whole.number_of_edges())
    out = dict(whole.out_degree())
    expected = nx.pagerank(whole, personalization=out, tol=1e-13, max_iter=1000)
    assert ranks.hubrank(graph) == pytest.approx(expected, abs=1e-9)
    into = dict(whole.in_degree())
    expected = nx.pagerank(whole.reverse(), personalization=into, tol=1e-13, max_iter=1000)
    backwards = ranks.hubrank(graph, bias="in", matrix="transposed")
    assert backwards == pytest.approx(expected, abs=1e-9)


def test_hits_agrees_with_networkx() -> None:
    graph = PlainGraph({"a": ["b", "c", "d"], "b": ["c"], "d": ["c", "a"], "e": ["d", "c"]})
    hubs, authorities = nx.hits(networkx_of(graph), tol=1e-14)
    found = ranks.hits(graph)
    for expected, scores in ((authorities, found.scores), (hubs, found.hubs)):
        length = math.sqrt(sum(score**2 for score in expected.values()))
        assert scores == pytest.approx({p: s / length for p, s in expected.items()}, abs=1e-9)


def test_randomized_hits_meets_its_equations_on_a_graph_worked_by_hand() -> None:
    # a -> c, b -> c, b -> d with e = 1/2:  h(c) = h(d) = 1/2, a(a) = a(b) = 1/2,
    # a(c) = 1/2 + h(a)/2 + h(b)/4, a(d) = 1/2 + h(b)/4,
    # h(a) = 1/2 + a(c)/4, h(b) = 1/2 + a(c)/4 + a(d)/2.
    found = ranks.randomized_hits(PlainGraph({"a": ["c"], "b": ["c", "d"]}), epsilon=0.5)
    # x = 1/2 + (1/2 + x/4)/2 + (1/2 + x/4 + y/2)/4 and y = 1/2 + (1/2 + x/4 + y/2)/4.
    y_of_x = (Fraction(5, 8), Fraction(1, 16))
    denominator = 1 - Fraction(1, 8)
    y0, y1 = y_of_x[0] / denominator, y_of_x[1] / denominator
    x = (Fraction(7, 8) + y0 / 8) / (1 - Fraction(3, 16) - y1 / 8)
    y = y0 + y1 * x
    total = Fraction(1) + x + y
    assert found.scores["c"] == pytest.approx(float(x / total), abs=1e-12)
    assert found.scores["d"] == pytest.approx(float(y / total), abs=1e-12)
    h = {
        "a": Fraction(1, 2) + x / 4,
        "b": Fraction(1, 2) + x / 4 + y / 2,
        "c": Fraction(1, 2),
        "d": Fraction(1, 2),
    }
    expected = {page: float(value / sum(h.values())) for page, value in h.items()}
    assert found.hubs == pytest.approx(expected, abs=1e-12)


def test_a_good_hub_with_few_parents_rises_from_pagerank_to_hubrank() -> None:
    links = {"hub": [f"x{i}" for i in range(12)], "p": ["end"], "q": ["end"], "r": ["end", "hub"]}
    graph = PlainGraph(links)
    page, hub = ranks.pagerank(graph), ranks.hubrank(graph)
    assert page["end"] > page["hub"]
    assert hub["hub"] > hub["end"]


def test_hubfinder_keeps_the_share_that_con04_gives() -> None:
    assert how_many(100, 2, 1.0) == 40
    assert how_many(100, 3, 1.0) == 26
    assert how_many(1, 5, 9.0) == 1
    assert how_many(1000, 2, 0.0) == 700


def test_hubfinder_walks_by_hand() -> None:
    links = {
        "u": ["a", "b"],
        "a": ["1", "2", "3"],
        "b": ["1", "2"],
        "1": ["c", "2", "3", "4"],
        "c": ["1", "2", "3", "4", "5"],
        "p": ["u", "x", "y"],
        "q": ["u", "x"],
    }
    graph = PlainGraph(links)
    out = {page: float(graph.out_degree(page)) for page in graph.pages}
    found = hubfinder(graph, "u", lambda pages: out, steps=2, inlinks=1)
    assert found.steps[0] == ({"a", "b", "p"}, {"a", "b", "p"}, {"a", "p"})
    # Of five new pages int(5 (100 - 7) / 2 / 100) = 2 stay: 1 (four links), then 2 by number.
    assert found.steps[1] == ({"1", "2", "3", "x", "y"}, {"1", "2"}, {"1"})
    assert found.steps[2][0] == {"c", "2", "3", "4"}
    assert found.steps[2][1:] == ({"c"}, {"c"})
    assert best_first(graph, found.scores) == ["c", "1", "a", "p"]
    free = hubfinder(graph, "u", lambda pages: out, steps=0, min_out=False)
    assert set(free.scores) == {"a", "b", "p", "q"}


def test_a_local_criterion_reads_only_the_pages_found() -> None:
    graph = PlainGraph({"u": ["a", "b"], "a": ["x", "y", "z"], "b": ["a", "u"]})
    scores = local(graph)({"u", "a", "b"})
    assert scores["a"] == 0
    assert scores["u"] > 0
