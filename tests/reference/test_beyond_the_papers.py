"""cpa, walk, coupling, blend, several pages and the measures, worked by hand."""

from __future__ import annotations

from math import log, sqrt

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tests.reference import measures
from tests.reference.coupling import coupling
from tests.reference.cpa import cpa
from tests.reference.graphs import LinkLists, link_lists
from tests.reference.joining import blend, joined
from tests.reference.plain_graph import PlainGraph
from tests.reference.walk import probabilities, walk


def test_cpa_adds_up_distances_over_the_parents() -> None:
    links = {"p": ["a", "b", "u", "c"], "q": ["u", "a"]}
    scores = cpa(PlainGraph(links), "u", alpha=1.0)
    assert scores == pytest.approx({"a": 1 / 2 + 1, "b": 1, "c": 1})
    assert cpa(PlainGraph(links), "u")["a"] == pytest.approx(2**-0.85 + 1)
    unordered = cpa(PlainGraph(links, ordered=False), "u")
    assert unordered == {"a": 2, "b": 1, "c": 1}


def test_walk_on_a_path_by_hand() -> None:
    # a - u - b = b (mutual): from u one third to a, two thirds to b, both send all back.
    graph = PlainGraph({"a": ["u"], "u": ["b"], "b": ["u"]})
    found = probabilities(graph, "u", restart=0.5)
    assert found == pytest.approx({"u": 2 / 3, "a": 1 / 9, "b": 2 / 9})
    assert walk(graph, "u", restart=0.5) == pytest.approx({"a": 1 / 9, "b": 2 / 9 / 2**0.25})


@settings(max_examples=25, deadline=None)
@given(link_lists(max_pages=12))
def test_walk_is_personalized_pagerank_of_the_links_in_both_directions(links: LinkLists) -> None:
    graph = PlainGraph(links)
    both = nx.DiGraph()
    for page in graph.pages:
        for target in graph.links[page]:
            weight = 1 + (page in graph.links[target])
            both.add_edge(page, target, weight=weight)
            both.add_edge(target, page, weight=weight)
    for query in list(both)[:2]:
        expected = nx.pagerank(both, personalization={query: 1}, tol=1e-13, max_iter=1000)
        found = probabilities(graph, query)
        assert {page: found[page] for page in both} == pytest.approx(expected, abs=1e-9)


def test_coupling_counts_rare_children_more_and_long_lists_less() -> None:
    graph = PlainGraph(
        {"u": ["rare", "common"], "v": ["common", "rare"], "w": ["common", "x", "y", "z"]}
    )
    rare, common = 1 / log(4), 1 / log(5)
    expected = {"v": (rare + common) / sqrt(2), "w": common / 2}
    assert coupling(graph, "u") == pytest.approx(expected)


def test_blend_divides_scores_by_the_largest_before_adding_them() -> None:
    assert blend([(1.0, {"a": 4.0, "b": 2.0}), (0.5, {"b": 9.0}), (2.0, {})]) == {
        "a": 1.0,
        "b": 1.0,
    }


def test_pages_in_all_lists_come_first_then_by_geometric_mean() -> None:
    graph = PlainGraph({"h": ["a", "b", "c", "u", "v"]})
    lists = [{"a": 10.0, "b": 1.0, "v": 99.0}, {"c": 5.0, "b": 1.0}, {}]
    ranked = joined(graph, ["u", "v"], lists)
    assert [(page, held) for page, held, _ in ranked] == [("b", 2), ("a", 1), ("c", 1)]
    assert ranked[0][2] == pytest.approx(sqrt(0.1 * 0.2))
    assert ranked[1][2] == pytest.approx(sqrt(1 * 0.1))
    assert ranked[2][2] == pytest.approx(sqrt(0.05 * 1))


def test_precision_counts_queries_without_answers() -> None:
    assert measures.precision_at(2, [[1, 0, 1], []]) == 1 / 4


def test_average_precision_by_hand() -> None:
    assert measures.average_precision([1, 0, 1, 0]) == pytest.approx((1 + 2 / 3) / 2)
    assert measures.average_precision([0, 0]) == measures.average_precision([]) == 0


def test_the_three_groups_of_queries() -> None:
    answered = {"": ["a", "b", "c"], "m": ["a", "b"], "n": ["b", "c"]}
    found = measures.groups(answered, "n")
    assert found == {"all": {"a", "b", "c"}, "answered by all": {"b"}, "rest": {"a"}}


def test_the_sign_test_of_nine_wins_in_ten() -> None:
    x, y = [1.0] * 9 + [0.0, 5.0], [0.0] * 9 + [1.0, 5.0]
    assert measures.sign_test(x, y) == pytest.approx(11 / 1024)


values = st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0]), min_size=3, max_size=30)


@given(values, values)
def test_both_tests_agree_with_scipy(x: list[float], y: list[float]) -> None:
    both = list(zip(x, y, strict=False))
    x, y = [a for a, _ in both], [b for _, b in both]
    wins, losses = sum(a > b for a, b in both), sum(a < b for a, b in both)
    if wins + losses:
        expected = stats.binomtest(wins, wins + losses, alternative="greater").pvalue
        assert measures.sign_test(x, y) == pytest.approx(expected)
    if len({*x, *y}) > 1:
        expected = stats.mannwhitneyu(x, y, alternative="greater", method="asymptotic").pvalue
        assert measures.rank_sum_test(x, y) == pytest.approx(expected)


def test_gold_measures_by_hand() -> None:
    answer, gold = ["x", "a", "y", "b"], {"a", "b", "c"}
    assert measures.recall_at(10, answer, gold) == pytest.approx(2 / 3)
    assert measures.recall_at(2, answer, gold) == pytest.approx(1 / 2)
    assert measures.reciprocal_rank(answer, gold) == 1 / 2
    assert measures.map_over_gold(answer, gold) == pytest.approx((1 / 2 + 2 / 4) / 3)
    ideal = 1 + 1 / log(3, 2) + 1 / 2
    gained = 1 / log(3, 2) + 1 / log(5, 2)
    assert measures.ndcg_at(10, answer, dict.fromkeys(gold, 1.0)) == pytest.approx(gained / ideal)


def test_holm_steps_down() -> None:
    assert measures.holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])


def test_cliffs_delta_is_the_surplus_of_wins() -> None:
    assert measures.cliffs_delta([1, 2], [0, 2]) == (1 - 1 + 1) / 4
