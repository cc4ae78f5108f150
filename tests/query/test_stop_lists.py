"""Stop lists: URLs, a file, or the most linked pages."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.graphs import graph_of
from whatsrelated.api import Graph
from whatsrelated.errors import OptionError
from whatsrelated.names.canonical import canonical
from whatsrelated.query.stop_lists import WEB, read_names


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


def test_a_stop_file_is_read_again_when_it_has_changed(tmp_path: Path) -> None:
    graph = graph_of("p -> u v w", "q -> u v w")
    file = tmp_path / "stop.txt"
    file.write_text("v\n")
    assert [page for page, _ in results(graph, "u", stop=str(file))] == ["w"]
    file.write_text("w\n")
    os.utime(file, ns=(1, 1))  # also where the clock of the file system is coarse
    assert [page for page, _ in results(graph, "u", stop=str(file))] == ["v"]
    file.unlink()
    with pytest.raises(OptionError, match=r"the stop list .*stop\.txt cannot be read"):
        results(graph, "u", stop=str(file))


def test_unknown_names_in_a_stop_file_are_noted(tmp_path: Path) -> None:
    graph = graph_of("p -> u v w", "q -> u v w", "r -> #tag")
    file = tmp_path / "stop.txt"
    file.write_text("# pages without a topic\n\n  v  \nno1\nno2\nno3\nno4\n#tag\n")
    answer = graph.related("u", by="cocitation", stop=str(file))
    assert [result.url for result in answer] == ["w"]
    assert answer.notes == [
        f"The stop list {file}: 4 of its 5 names are not in the graph: no1, no2, no3, …."
    ]
    listed = graph.related("u", by="cocitation", stop=["v", "zz"])
    assert listed.notes == ["The stop list: 1 of its 2 names is not in the graph: zz."]
    assert graph.related("u", by="cocitation", stop=["v"]).notes == []


def test_the_stop_list_of_the_web_ignores_pages_in_every_spelling() -> None:
    graph = web(
        "$p.org/ -> $u.org/ http://facebook.com/ $www.facebook.com/ $v.org/",
        "$q.org/ -> $u.org/ http://facebook.com/ $www.facebook.com/ $v.org/",
    )
    assert len(results(graph, "https://u.org/")) == 3
    assert results(graph, "https://u.org/", stop="web") == [("https://v.org/", 2.0)]
    none = graph_of("p -> u v").related("u", by="cocitation", stop="web")
    assert none.notes == ["No page of the stop list web is in the graph."]


def test_the_stop_list_of_the_web_has_each_page_once_in_its_canonical_form() -> None:
    names = read_names(WEB)
    assert len(names) == len(set(names)) > 200
    assert [canonical(name) for name in names] == names
    # The two that DH99, sec. 2.1.1, names.
    assert {"https://www.yahoo.com/", "https://www.microsoft.com/ie/download.html"} <= set(names)
