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
    st.sampled_from(["page", "window", "share"]),
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


def test_shares_are_the_weights_of_example_1_of_xh14() -> None:
    graph = graph_of("a -> j1 j2 j3", "b -> j1 j2", "c -> j1 j2")
    pages = ["j1", "j2", "j3"]
    counts = graph.similarity(pages, by="cocitation", siblings="all").scores.tolist()
    assert counts == [[3, 3, 1], [3, 3, 1], [1, 1, 1]]
    weights = graph.similarity(pages, by="cocitation", count="share").scores.tolist()
    assert weights == [[3 / 7, 3 / 7, 1 / 7], [3 / 7, 3 / 7, 1 / 7], [1 / 3, 1 / 3, 1 / 3]]
    assert results(graph, "j1", count="share") == [("j2", 3 / 7), ("j3", 1 / 7)]


def test_a_page_shares_all_its_parents_with_itself_even_if_no_other_page_does() -> None:
    graph = graph_of("a -> u", "b -> u", "c -> d")
    assert graph.similarity("u", "u", by="cocitation") == 2
    assert graph.similarity("u", "u", by="cocitation", count="share") == 1
    assert graph.similarity("a", "a", by="cocitation", count="share") == 0


def test_chopping_counts_parents_when_scores_are_shares() -> None:
    graph = web("$hub.example/1 -> $x.org/a/b $y.org/", "$hub.example/2 -> $x.org/a/b $y.org/")
    for count in ("page", "share"):
        options = {"count": count, "enough": 1, "shared": 2}
        answer = graph.related("https://x.org/a/b", by="cocitation", chop=True, **options)
        assert answer.answered_for == ["https://x.org/a/b"]


def test_the_evidence_names_the_most_specific_shared_parents_first() -> None:
    graph = graph_of("long -> v x y z u", "short -> u v", "other -> u w")
    (result,) = [r for r in graph.related("u", by="cocitation") if r.url == "v"]
    assert result.evidence == {
        "sentence": "2 of the 3 pages that link to “u” also link to “v”, for example “short”.",
        "named": [{"url": name, "title": None, "name": name} for name in ("u", "v", "short")],
        "shared_parents": 2,
        "sampled_parents": 3,
        "parents": [
            {"url": "short", "links": 2, "distance": 1},
            {"url": "long", "links": 5, "distance": -4},
        ],
    }


def web(*lines: str) -> Graph:
    return graph_of(*(line.replace("$", "https://") for line in lines))
