"""The public Graph: its contents, and the queries it delegates."""

from __future__ import annotations

from typing import Any

import pytest

import whatsrelated as wr
from tests.graphs import graph_of

LINES = ("https://a.org/ -> https://x.org/ https://y.org/", "https://b.org/ -> https://y.org/")


def test_a_graph_knows_its_pages_and_links() -> None:
    graph = graph_of(*LINES)
    a, y = graph.page("a.org"), graph.page("https://y.org/")
    assert (len(graph), graph.n_links) == (4, 3)
    assert repr(graph) == "<Graph of 4 pages and 3 links>"
    assert [graph.url(page) for page in graph.links_from(a)] == ["https://x.org/", "https://y.org/"]
    assert len(graph.links_to(y)) == 2
    assert graph.title(a) is None
    assert graph.anchors(a) == {}
    assert (graph.site(a), graph.site(a, by="page")) == ("a.org", "https://a.org/")
    with pytest.raises(wr.PageNotFound, match="No page number 4 in a graph of 4 pages"):
        graph.url(4)


def test_pairs_make_a_graph_and_what_cannot_be_a_page_is_an_error_or_counted() -> None:
    graph = wr.Graph.from_links([("a", "b")], pages=["c"], titles={"b": "Tea"})
    assert len(graph) == 3
    assert graph.title(graph.page("b")) == "Tea"
    with pytest.raises(wr.OptionError, match=r"'mailto:x@y' cannot be a page: not http"):
        wr.Graph.from_links([("a", "mailto:x@y")])
    refused = wr.Refused()
    assert len(wr.Graph.from_links([("a", "mailto:x@y")], refused=refused)) == 1
    assert refused.counts == {"not http": 1}


def test_an_answer_includes_the_query_and_its_options() -> None:
    answer = graph_of(*LINES).related("x.org", by="cocitation", limit=1, stop=["https://b.org/"])
    assert answer.asked == ["x.org"]
    assert answer.answered_for == ["https://x.org/"]
    assert (answer.options["limit"], answer.options["parents"]) == (1, 2000)
    assert answer.options["stop"] == ("https://b.org/",)
    assert answer.by == wr.Cocitation()


@pytest.mark.parametrize(
    ("asked", "options", "error"),
    [
        ([], {}, "related: no pages given"),
        (
            "x.org",
            {"colour": "red"},
            "blend has no option 'colour'; it has: parents, compare_names",
        ),
        ("x.org", {"stop": "auto:many"}, "stop must be a file, web or auto:N, got 'auto:many'"),
        ("x.org", {"stop": "no/such/file"}, "the stop list no/such/file cannot be read"),
        (3, {}, "A page must be named by its URL, got 3"),
    ],
)
def test_a_question_that_cannot_be_asked_is_an_error(
    asked: Any, options: dict[str, Any], error: str
) -> None:
    with pytest.raises(wr.OptionError, match=error):
        graph_of(*LINES).related(asked, **options)


def test_a_question_can_be_created_separately() -> None:
    graph = graph_of(*LINES)
    page = graph.page("x.org")
    question = graph.question([page], site="host", stop="auto:1", seed=3)
    assert (question.pages, question.seed) == ((page,), 3)
    assert question.sites is graph.store.hosts
    assert [graph.url(int(stop)) for stop in question.stop] == ["https://y.org/"]
    assert question.rank("in-degree") is graph.rank("in-degree")
