"""PageSim against its definition, LLK06's numbers, and the loss that it states."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.graphs import graph_of
from tests.kernels.asking.test_pagesim import power_law
from tests.methods.against import assert_same, graph_from
from tests.reference.graphs import LinkLists, link_lists, questions
from tests.reference.pagesim import pagesim
from tests.reference.plain_graph import PlainGraph
from whatsrelated.api import Graph
from whatsrelated.errors import OptionError
from whatsrelated.stream import NumberedLinks

FIGURE = ("1 -> 2 3", "2 -> 3 4 5", "4 -> 2", "3 -> 6")
"""LLK06's example graph."""


def results(graph: Graph, query: str, **options: Any) -> list[tuple[str, float]]:
    answer = graph.related(query, by="pagesim", limit=10_000, **options)
    return [(result.url, result.score) for result in answer]


@settings(max_examples=60)
@given(questions(max_pages=10), st.sampled_from([1, 2, 3, 4]), st.sampled_from([0.0, 0.3, 0.85]))
def test_pagesim_is_what_its_definition_says(
    asked: tuple[LinkLists, str, frozenset[str]], radius: int, damping: float
) -> None:
    lists, query, stop = asked
    plain = PlainGraph(lists)
    scores = pagesim(plain, query, radius=radius, damping=damping)
    listed = {page: score for page, score in scores.items() if query in stop or page not in stop}
    answer = graph_from(lists).related(
        query, by="pagesim", radius=radius, damping=damping, prune=0, limit=1000, stop=stop
    )
    assert_same(answer, plain, listed)
    assert answer.details.get("lost", 0) == 0


@settings(max_examples=30)
@given(link_lists(max_pages=7))
def test_without_a_radius_all_simple_paths_count(lists: LinkLists) -> None:
    plain = PlainGraph(lists)
    graph = graph_from(lists)
    for query in plain.pages:
        answer = graph.related(query, by="pagesim", radius="none", prune=0, limit=1000, chop=False)
        assert_same(answer, plain, pagesim(plain, query, radius=None))


def test_the_figure_of_llk06_has_its_lists() -> None:
    graph = graph_of(*FIGURE)
    alike: dict[str, list[set[str]]] = {}
    for query in "123456":
        places: dict[float, set[str]] = {}
        for page, score in results(graph, query, radius="none"):
            places.setdefault(round(score, 9), set()).add(page)
        alike[query] = list(places.values())
    assert alike["1"][0] == {"3", "6"}
    assert alike["2"][:2] == [{"4"}, {"3", "6"}]
    assert alike["3"][:2] == [{"6"}, {"2"}]
    assert alike["4"][:2] == [{"2"}, {"3", "5", "6"}]
    assert alike["5"][0] == {"2", "3", "4", "6"}
    assert alike["6"][:2] == [{"3"}, {"2"}]


def test_radius_one_is_weighted_cocitation() -> None:
    graph = graph_of("p -> u v", "q -> u v w")
    rank = graph.rank("pagerank")
    assert dict(results(graph, "u", radius=1)) == pytest.approx(
        {
            "v": rank["p"] / 2 + rank["q"] / 3,
            "w": rank["q"] / 3,
            "p": rank["p"] / 2,
            "q": rank["q"] / 3,
        }
    )


@pytest.fixture(scope="module")
def large() -> Graph:
    """A graph that takes long."""
    arrays = power_law(3000, 5)
    sources = np.repeat(np.arange(3000, dtype=np.uint64), arrays.degrees())
    return Graph.from_pages([NumberedLinks(sources, arrays.links.astype(np.uint64), 3000)])


def test_a_pruned_answer_stays_within_its_stated_loss(large: Graph) -> None:
    for query in ("3", "17", "40"):
        exact = dict(results(large, query, prune=0))
        answer = large.related(query, by="pagesim", limit=3000)
        lost = answer.details["lost"]
        assert 0 < lost <= 0.1 * answer[0].score
        assert f"up to {lost:.3g} too low" in " ".join(answer.notes)
        assert answer.details["followed"] < answer.details["sources"]
        missing = [exact[result.url] - result.score for result in answer]
        assert min(missing) >= -1e-12
        assert max(missing) <= lost
        best = sorted(exact, key=lambda page: -exact[page])[:10]
        assert len({result.url for result in answer[:10]} & set(best)) >= 9


def test_a_smaller_loss_takes_more_time(large: Graph) -> None:
    lost = [
        large.related("17", by="pagesim", prune=prune).details["lost"]
        for prune in (0.5, 0.1, 0.01, 0)
    ]
    assert lost == sorted(lost, reverse=True)
    assert lost[-1] == 0 < lost[-2]


def test_a_small_graph_loses_nothing() -> None:
    answer = graph_of("a -> b c d", "b -> c a", "c -> d a", "d -> e f", "f -> a").related(
        "a", by="pagesim"
    )
    assert answer.details["lost"] == 0
    assert answer.notes == []


def complete(n: int) -> Graph:
    pages = np.arange(n, dtype=np.uint64)
    return Graph.from_pages([NumberedLinks(np.repeat(pages, n), np.tile(pages, n))])


@pytest.mark.parametrize("prune", [0, 0.1])
def test_a_complete_graph_without_a_radius_is_answered_in_time(prune: float) -> None:
    graph = complete(60)
    begun = time.monotonic()
    answer = graph.related("7", by="pagesim", radius="none", prune=prune, seconds=1)
    assert time.monotonic() - begun < 60  # without an end it would take ages
    assert len(answer) == 10
    assert answer.details["lost"] > 0
    assert "Time ran out" in " ".join(answer.notes)
    # By hand: from any page, a page gets 1/59 over one link and 58/59² over two.
    least = (1 / 60) * 2 * (1 / 59 + 58 / 59**2)
    assert answer[0].score >= least


def test_a_deadline_of_the_question_ends_it(large: Graph) -> None:
    begun = time.monotonic()
    answer = large.related("17", by="pagesim", prune=0, radius=5, deadline=begun + 0.3)
    assert time.monotonic() - begun < 60  # without an end it would take ages
    exact = dict(results(large, "17", radius=3, prune=0))
    lost = answer.details["lost"]
    assert all(exact.get(result.url, 0) <= result.score + lost for result in answer)


def test_out_of_time_a_pruned_answer_keeps_to_its_bound(large: Graph) -> None:
    exact = dict(results(large, "17", prune=0))
    shares = []
    for seconds in (1e-6, 1e-4, 1e-3, 1e-2, 600.0):
        answer = large.related("17", by="pagesim", prune=0.01, seconds=seconds, limit=3000)
        found = {result.url: result.score for result in answer}
        best, lost = answer[0].score, answer.details["lost"]
        for page, score in exact.items():
            assert -1e-12 <= score - found.get(page, 0.0) <= lost + 0.0001 * best
        assert (lost > 0.01 * best) == ("Time ran out" in " ".join(answer.notes))
        shares.append(lost / best)
    assert shares[0] > 0.2
    assert shares[-1] < 0.01


def test_the_evidence_names_sources_and_paths() -> None:
    graph = graph_of("s -> a u", "a -> u v", "t -> v u w")
    (result,) = [r for r in graph.related("u", by="pagesim") if r.url == "v"]
    told = result.evidence
    rank = graph.rank("pagerank")
    gives = {
        # To u and to v; s sends to u directly and through a.
        "s": (rank["s"] / 2 + rank["s"] / 4, rank["s"] / 4),
        "a": (rank["a"] / 2, rank["a"] / 2),
        "t": (rank["t"] / 3, rank["t"] / 3),
    }
    assert told["score"] == pytest.approx(result.score)
    assert told["score"] == pytest.approx(sum(min(pair) for pair in gives.values()))
    assert told["shared_sources"] == 3
    for source in told["sources"]:
        assert (source["gives"], source["gives_other"]) == pytest.approx(gives[source["url"]])
    by_name = {source["url"]: source for source in told["sources"]}
    assert [path["urls"] for path in by_name["s"]["paths"]] == [["s", "u"], ["s", "a", "u"]]
    assert by_name["s"]["paths"][1]["carries"] == pytest.approx(rank["s"] / 4)
    assert [path["urls"] for path in by_name["s"]["paths_other"]] == [["s", "a", "v"]]
    assert (
        told["sentence"]
        == "You can reach both “u” and “v” from “a” and 2 other pages by following links."
    )


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("radius", 0),
        ("radius", 2.5),
        ("radius", "some"),
        ("prune", -0.1),
        ("prune", 1.5),
        ("damping", 1.2),
        ("seconds", 0),
        ("seconds", float("nan")),
    ],
)
def test_values_out_of_range_are_rejected(option: str, value: Any) -> None:
    with pytest.raises(OptionError, match=f"^pagesim: {option} must be "):
        graph_of("a -> b").related("b", by="pagesim", **{option: value})


def test_pages_without_parents_have_what_they_send() -> None:
    graph = graph_of("top -> a b", "a -> b")
    rank = graph.rank("pagerank")
    assert dict(results(graph, "top")) == pytest.approx(
        {"a": rank["top"] / 2, "b": rank["top"] / 2 + rank["top"] / 2}
    )
