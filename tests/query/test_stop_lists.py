"""Stop lists: URLs, a file, or the most linked pages."""

from __future__ import annotations

from tests.graphs import graph_of
from whatsrelated.api import Graph


def results(graph: Graph, query: str, **options: object) -> list[tuple[str, float]]:
    answer = graph.related(query, by="cocitation", limit=1000, **options)
    return [(result.url, result.score) for result in answer]


def web(*lines: str) -> Graph:
    return graph_of(*(line.replace("$", "https://") for line in lines))


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
