"""Cocitation against its definition, and on graphs worked by hand."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.graphs import graph_of
from tests.reference.cocitation import cocitation
from tests.reference.graphs import LinkLists, questions
from tests.reference.plain_graph import PlainGraph
from whatsrelated.api import Graph
from whatsrelated.contract.sampling import draw
from whatsrelated.stream import Page

Asked = tuple[LinkLists, str, frozenset[str]]


def results(graph: Graph, query: str, **options: object) -> list[tuple[str, float]]:
    answer = graph.related(query, by="cocitation", limit=1000, **options)
    return [(result.url, result.score) for result in answer]


def in_order(plain: PlainGraph, scores: dict[str, float]) -> list[tuple[str, float]]:
    return [(page, scores[page]) for page in plain.ordered_list(scores)]


@given(
    questions(),
    st.integers(1, 5),
    st.integers(0, 6),
    st.sampled_from(["page", "window"]),
    st.integers(0, 3),
)
def test_cocitation_is_what_its_definition_says(
    asked: Asked, parents: int, siblings: int, count: str, seed: int
) -> None:
    lists, query, stop = asked
    options = {"parents": parents, "siblings": siblings, "count": count, "seed": seed}
    plain = PlainGraph(lists, draw=draw)
    scores = cocitation(plain, query, stop=stop, **options)  # type: ignore[arg-type]
    graph = Graph.from_pages(Page(page, links) for page, links in lists.items())
    found = results(graph, query, chop=False, stop=stop, **options)
    assert found == in_order(plain, scores)


def test_a_window_takes_four_links_before_and_after_and_fewer_at_the_ends() -> None:
    graph = graph_of("p -> u 1 2 3 4 5 6 7 8 9", "q -> 1 2 3 4 5 6 7 8 9 u")
    found = [page for page, _ in results(graph, "u")]
    assert found == ["1", "2", "3", "4", "6", "7", "8", "9"]
    assert results(graph, "u", count="page") == [(page, 2.0) for page in found]
    assert results(graph, "u", count="window") == [(page, 1.0) for page in found]


def test_a_page_of_nine_links_is_its_own_window() -> None:
    graph = graph_of("p -> u 1 2 3 4 5 6 7 8")
    assert len(results(graph, "u")) == 8
    assert len(results(graph_of("p -> u 1 2 3 4 5 6 7 8 9"), "u")) == 4


def test_equal_scores_go_to_the_more_specific_page_then_to_the_lower_number() -> None:
    graph = graph_of("p -> u known rare aaa", "q -> known")
    assert [page for page, _ in results(graph, "u")] == ["aaa", "rare", "known"]


def test_the_evidence_names_the_most_specific_shared_parents_first() -> None:
    graph = graph_of("long -> v x y z u", "short -> u v", "other -> u w")
    (result,) = [r for r in graph.related("u", by="cocitation") if r.url == "v"]
    assert result.evidence == {
        "sentence": "2 of the 3 pages that link to it link here too, e.g. “short”.",
        "named": [{"url": "short", "title": None}],
        "shared_parents": 2,
        "sampled_parents": 3,
        "parents": [
            {"url": "short", "links": 2, "distance": 1},
            {"url": "long", "links": 5, "distance": -4},
        ],
    }


def web(*lines: str) -> Graph:
    return graph_of(*(line.replace("$", "https://") for line in lines))
