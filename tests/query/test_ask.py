"""From a request to an answer: chopping, notes, and results in order."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graphs import graph_of
from tests.reference.chopping import chopped
from tests.reference.cocitation import cocitation, enough
from tests.reference.graphs import LinkLists, questions
from tests.reference.plain_graph import PlainGraph
from whatsrelated.api import Graph
from whatsrelated.api import open as open_graph
from whatsrelated.contract.sampling import draw
from whatsrelated.errors import PageNotFound
from whatsrelated.stream import Page

Asked = tuple[LinkLists, str, frozenset[str]]


def in_order(plain: PlainGraph, scores: dict[str, float]) -> list[tuple[str, float]]:
    return [(page, scores[page]) for page in plain.ordered_list(scores)]


def web(*lines: str) -> Graph:
    return graph_of(*(line.replace("$", "https://") for line in lines))


CHOPPED = (
    "$hub1.org/ -> $news.org/ $a.org/ $b.org/",
    "$hub2.org/ -> $b.org/ $a.org/ $news.org/",
    "$hub3.org/ -> $news.org/world/paris.html $z.org/",
    "$news.org/ -> $news.org/world/",
)


def test_the_parent_folder_answers_if_there_are_too_few_results() -> None:
    answer = web(*CHOPPED).related("https://news.org/world/paris.html", by="cocitation", enough=2)
    assert answer.answered_for == ["https://news.org/"]
    assert [result.url for result in answer] == ["https://a.org/", "https://b.org/"]
    assert answer.notes == ["Too few results; these are for the page above."]


def test_if_no_page_has_enough_results_the_first_with_any_answers() -> None:
    answer = web(*CHOPPED).related("https://news.org/world/paris.html", by="cocitation", enough=9)
    assert answer.answered_for == ["https://news.org/world/paris.html"]
    assert [result.url for result in answer] == ["https://z.org/"]


def test_a_missing_page_is_chopped_unless_that_is_off() -> None:
    graph = web(*CHOPPED)
    asked = "https://news.org/sports/today?page=2"
    answer = graph.related(asked, by="cocitation", enough=2)
    assert answer.answered_for == ["https://news.org/"]
    assert any(asked in note for note in answer.notes)
    with pytest.raises(PageNotFound):
        graph.related(asked, by="cocitation", chop=False)


def test_a_page_that_was_tried_in_between_may_be_a_result() -> None:
    graph = web(
        "$p1.org/ -> $n.org/a/b/c $x.org/",
        "$p2.org/ -> $n.org/a/ $n.org/a/b/ $x.org/",
        "$p3.org/ -> $n.org/a/ $x.org/ $y.org/",
        "$p4.org/ -> $n.org/a/ $y.org/",
    )
    options = {"by": "cocitation", "enough": 2, "shared": 2, "site": "host"}
    answer = graph.related("https://n.org/a/b/c", **options)
    assert answer.answered_for == ["https://n.org/a/"]
    assert [(result.url, result.score) for result in answer] == [
        ("https://y.org/", 2.0),
        ("https://x.org/", 2.0),
        ("https://n.org/a/b/", 1.0),
    ]
    # Neither n.org/a/b/d nor n.org/a/b/ answers, and only the first was asked for.
    missing = graph.related("https://n.org/a/b/d", **options, chop=True)
    assert [result.url for result in missing] == [result.url for result in answer]


def test_the_pages_that_answer_for_several_are_left_out_of_every_list() -> None:
    graph = web(
        "$p1.org/ -> $n.org/ $m.org/a $x.org/",
        "$p2.org/ -> $n.org/ $m.org/a $x.org/",
        "$p3.org/ -> $m.org/a/b $y.org/",
    )
    asked = ["https://n.org/", "https://m.org/a/b"]
    answer = graph.related(asked, by="cocitation", enough=1, shared=2, site="host")
    assert answer.answered_for == ["https://n.org/", "https://m.org/a"]
    assert [result.url for result in answer] == ["https://x.org/"]


def test_the_notes_report_if_only_the_other_query_page_was_found() -> None:
    graph = graph_of("p -> u v", "q -> v w")
    answer = graph.related(["u", "v"], by="cocitation")
    assert [result.url for result in answer] == ["w"]
    nothing = "nothing was found except the query pages"
    assert answer.notes == [f"Nothing was found for u: {nothing}."]


@given(questions(kinds=("web",)), st.integers(1, 4), st.sampled_from([None, True]))
def test_chopping_is_what_its_definition_says(asked: Asked, least: int, chop: bool | None) -> None:
    lists, query, _ = asked
    plain = PlainGraph(lists, draw=draw)
    page, scores = chopped(
        plain, query, lambda page: cocitation(plain, page), lambda s: enough(s, siblings=least)
    )
    graph = Graph.from_pages(Page(page, links) for page, links in lists.items())
    options = {"enough": least, "chop": chop, "site": "host"}
    answer = graph.related(query, by="cocitation", limit=1000, **options)
    assert answer.answered_for == [page or query]
    assert [(result.url, result.score) for result in answer] == in_order(plain, scores)


def test_without_link_order_the_answer_says_so() -> None:
    graph = Graph.from_links([("p", "u"), ("p", "v")], ordered=False)
    assert "no link order" in graph.related("u", by="cocitation").notes[0]


@pytest.mark.parametrize("method", ["blend", "cocitation", "companion", "walk"])
@given(asked=questions(), limit=st.integers(1, 6), new=st.booleans())
def test_best_has_the_pages_and_scores_of_the_answer(
    method: str, asked: Asked, limit: int, new: bool
) -> None:
    lists, query, stop = asked
    graph = Graph.from_pages((Page(name, list(links)) for name, links in lists.items()))
    options = {"by": method, "limit": limit, "new": new, "stop": sorted(stop)}
    answer = graph.related(query, **options)
    best, answered_for = graph.asker(**options).best(graph.page(query))
    assert [graph.url(answered_for)] == answer.answered_for
    assert best.pages.tolist() == [result.page for result in answer]
    assert best.scores.tolist() == [result.score for result in answer]
    for result in answer:
        assert best.evidence(result.page) == result.evidence


def test_best_falls_back_to_the_parent_folder_if_there_are_too_few_results() -> None:
    graph = web(*CHOPPED)
    page = graph.page("https://news.org/world/paris.html")
    best, answered_for = graph.asker("cocitation", enough=2).best(page)
    assert graph.url(answered_for) == "https://news.org/"
    assert [graph.url(other) for other in best.pages.tolist()] == [
        "https://a.org/",
        "https://b.org/",
    ]


def test_threads_that_share_an_asker_get_the_same_answers() -> None:
    graph = open_graph("sample")
    asker = graph.asker()
    pages = range(0, len(graph), 5)

    def answers() -> list[tuple[list[int], list[float]]]:
        return [(one.pages.tolist(), one.scores.tolist()) for one, _ in map(asker.best, pages)]

    alone = answers()
    with ThreadPoolExecutor(4) as pool:
        assert [each.result() for each in [pool.submit(answers) for _ in range(4)]] == [alone] * 4
