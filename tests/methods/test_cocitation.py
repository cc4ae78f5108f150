"""Cocitation against its definition, and the cases worked by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graphs import graph_of
from tests.reference.chopping import chopped
from tests.reference.cocitation import cocitation, enough
from tests.reference.graphs import LinkLists, questions
from tests.reference.plain_graph import PlainGraph
from whatsrelated.api import Graph
from whatsrelated.errors import PageNotFound
from whatsrelated.query.sampling import draw
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


def test_a_window_takes_four_links_before_and_four_after_and_makes_none_up_at_the_ends() -> None:
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
        "sentence": "2 of 3 parents link to both pages; the most specific is short.",
        "shared_parents": 2,
        "sampled_parents": 3,
        "parents": [
            {"url": "short", "links": 2, "distance": 1},
            {"url": "long", "links": 5, "distance": -4},
        ],
    }


def web(*lines: str) -> Graph:
    return graph_of(*(line.replace("$", "https://") for line in lines))


CHOPPED = (
    "$hub1.org/ -> $news.org/ $a.org/ $b.org/",
    "$hub2.org/ -> $b.org/ $a.org/ $news.org/",
    "$hub3.org/ -> $news.org/world/paris.html $z.org/",
    "$news.org/ -> $news.org/world/",
)


def test_a_thin_answer_is_looked_for_higher_up() -> None:
    answer = web(*CHOPPED).related("https://news.org/world/paris.html", by="cocitation", enough=2)
    assert answer.answered_for == ["https://news.org/"]
    assert [result.url for result in answer] == ["https://a.org/", "https://b.org/"]
    assert "chopped" in " ".join(answer.notes)


def test_where_nothing_is_enough_the_first_page_with_any_result_answers() -> None:
    answer = web(*CHOPPED).related("https://news.org/world/paris.html", by="cocitation", enough=9)
    assert answer.answered_for == ["https://news.org/world/paris.html"]
    assert [result.url for result in answer] == ["https://z.org/"]


def test_a_page_that_is_not_in_the_graph_is_chopped_unless_told_not_to() -> None:
    graph = web(*CHOPPED)
    asked = "https://news.org/sports/today?page=2"
    answer = graph.related(asked, by="cocitation", enough=2)
    assert answer.answered_for == ["https://news.org/"]
    assert any(asked in note for note in answer.notes)
    with pytest.raises(PageNotFound):
        graph.related(asked, by="cocitation", chop=False)


@given(questions(kinds=("web",)), st.integers(1, 4))
def test_chopping_is_what_its_definition_says(asked: Asked, least: int) -> None:
    lists, query, _ = asked
    plain = PlainGraph(lists, draw=draw)
    page, scores = chopped(
        plain, query, lambda page: cocitation(plain, page), lambda s: enough(s, siblings=least)
    )
    graph = Graph.from_pages(Page(page, links) for page, links in lists.items())
    answer = graph.related(query, by="cocitation", enough=least, chop=True, limit=1000)
    assert answer.answered_for == [page or query]
    assert [(result.url, result.score) for result in answer] == in_order(plain, scores)


def test_a_query_page_on_the_stop_list_empties_it() -> None:
    graph = graph_of("p -> u v w", "q -> u v")
    assert [page for page, _ in results(graph, "u", stop=["v"])] == ["w"]
    assert [page for page, _ in results(graph, "u", stop=["u", "v"])] == ["v", "w"]


def test_stop_pages_can_be_the_most_linked_ones() -> None:
    graph = web(
        "$p.org/ -> $u.org/ $v.org/ $w.org/",
        "$q.org/ -> $u.org/ $v.org/",
        "$q.org/2 -> $w.org/ $v.org/",
    )
    assert [page for page, _ in results(graph, "https://w.org/", stop="auto:1")] == [
        "https://v.org/"
    ]
    assert [page for page, _ in results(graph, "https://u.org/", stop="auto:2")] == [
        "https://v.org/",
        "https://w.org/",
    ]


def test_without_link_order_the_answer_says_so() -> None:
    graph = Graph.from_links([("p", "u"), ("p", "v")], ordered=False)
    assert "no link order" in graph.related("u", by="cocitation").notes[0]
