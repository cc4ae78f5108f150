"""A graph as a collection of pages, and in other packages' types."""

from __future__ import annotations

import copy
import pickle
import sys
import xml.etree.ElementTree as ET
from typing import Any

import networkx
import numpy as np
import pytest

import whatsrelated as wr
from tests.graphs import graph_of

PAIRS = [("a", "tea"), ("a", "coffee"), ("b", "coffee"), ("b", "tea"), ("b", "a"), ("tea", "b")]


@pytest.fixture
def graph() -> wr.Graph:
    return wr.Graph.from_links(PAIRS, titles={"tea": "Tea <b>"})


def test_pages_are_in_a_graph_by_their_names(graph: wr.Graph) -> None:
    assert list(graph) == [graph.url(page) for page in range(len(graph))]
    assert sorted(graph) == ["a", "b", "coffee", "tea"]
    assert all(url in graph for url in graph)
    for absent in ("cocoa", 3, None, ["tea"]):
        assert absent not in graph
    assert "x.org" in graph_of("https://x.org/ -> https://y.org/")


def test_names_are_read_by_pieces(graph: wr.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = list(graph)
    monkeypatch.setattr("whatsrelated.api.contents.PIECE", 3)
    assert list(graph) == whole


def test_a_page_has_its_links_and_parents(graph: wr.Graph) -> None:
    page = graph["b"]
    assert (page.url, page.title, page.number) == ("b", None, graph.page("b"))
    assert (page.links, page.parents) == (["coffee", "tea", "a"], ["tea"])
    assert graph["Tea"].title == "Tea <b>"
    assert graph[page.number] == page
    assert repr(page) == f"GraphPage(number={page.number}, url='b', title=None)"
    with pytest.raises(wr.PageNotFound):
        graph["cocoa"]
    with pytest.raises(wr.PageNotFound, match="No page number 4"):
        graph[4]


def test_networkx_has_the_same_pages_and_links(graph: wr.Graph) -> None:
    there = graph.to_networkx()
    assert set(there.edges) == set(PAIRS)
    assert list(there) == list(graph)
    assert dict(there.nodes(data="title")) == {
        "a": None,
        "b": None,
        "coffee": None,
        "tea": "Tea <b>",
    }
    assert networkx.is_directed(there)


def test_scipy_has_a_row_for_the_links_of_a_page(graph: wr.Graph) -> None:
    matrix = graph.to_scipy()
    names = list(graph)
    expected = [[(one, two) in PAIRS for two in names] for one in names]
    assert np.array_equal(matrix.toarray(), np.array(expected, np.int8))
    assert matrix.has_canonical_format
    assert wr.Graph.from_links([]).to_scipy().shape == (0, 0)


def test_the_matrix_does_not_change_the_graph(graph: wr.Graph) -> None:
    graph.to_scipy().data[:] = 7
    assert graph["b"].links == ["coffee", "tea", "a"]


def test_igraph_has_the_same_pages_and_links(graph: wr.Graph) -> None:
    pytest.importorskip("igraph")
    there = graph.to_igraph()
    names = there.vs["name"]
    assert names == list(graph)
    assert there.is_directed()
    assert {(names[edge.source], names[edge.target]) for edge in there.es} == set(PAIRS)
    assert there.vs.find(name="tea")["title"] == "Tea <b>"


@pytest.mark.parametrize("package", ["networkx", "igraph"])
def test_a_missing_package_is_named(
    graph: wr.Graph, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(wr.MissingExtra, match=f"pip install {package}"):
        getattr(graph, f"to_{package}")()


def test_a_notebook_shows_the_size_and_the_degrees(graph: wr.Graph) -> None:
    shown = ET.fromstring(f"<div>{graph._repr_html_()}</div>")
    texts = ["".join(one.itertext()) for one in shown.iter("td")]
    assert texts[:4] == ["pages", "4", "links", "6"]
    bars = [one for one in shown.iter() if one.tag.endswith("rect")]
    assert [bar.attrib["width"] for bar in bars] == ["0.0", "240.0", "240.0"]  # 0, 1 and 2-3


@pytest.mark.parametrize("again", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_graph_in_memory_is_pickled_with_its_arrays(graph: wr.Graph, again: Any) -> None:
    other = again(graph)
    assert other["b"].links == graph["b"].links
    assert other.store.check() is None
    assert [r.url for r in other.related("tea")] == [r.url for r in graph.related("tea")]
