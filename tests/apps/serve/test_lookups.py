"""Requests that need no method: pages by name, links, the list of methods."""

from __future__ import annotations

import pytest

from tests.apps.serve import PAPER, Client, problem, serving
from whatsrelated.api import Graph
from whatsrelated.apps.serve.parameters import FILES
from whatsrelated.methods import METHODS
from whatsrelated.options import declared_options
from whatsrelated.query.request import Request
from whatsrelated.stream import Page


@pytest.mark.parametrize("name", ["a\x00b", "\x1b[31m", "<script>alert(1)</script>", "../../etc"])
def test_odd_names_are_only_names(client: Client, name: str) -> None:
    for path in ("/api/related", "/api/links"):
        assert name[:4] in problem(client.get(path, params={"url": name}), 404)
    assert client.get("/api/pages", params={"prefix": name}).json()["pages"] == []


def test_links_are_given_in_order_and_in_pieces(client: Client, graph: Graph) -> None:
    page = graph.page(PAPER)
    told = client.get("/api/links", params={"url": "nytimes.com", "limit": 5, "skip": 2}).json()
    parents = [graph.url(other) for other in graph.links_to(page).tolist()]
    assert [link["url"] for link in told["links_in"]] == parents[2:7]
    assert told["in"] == len(parents)
    only = client.get("/api/links", params={"url": PAPER, "way": "out"}).json()
    assert "links_in" not in only
    assert [link["url"] for link in only["links_out"]] == [
        graph.url(other) for other in graph.links_from(page).tolist()
    ]


def test_links_have_their_texts_if_these_were_kept() -> None:
    pages = [
        Page("a", ("tea", "milk"), anchors=("a cup", "")),
        Page("b", ("tea",), anchors=("<b>",)),
    ]
    with serving(Graph.from_pages(pages)) as client:
        told = client.get("/api/links?url=tea").json()
        assert {link["url"]: link["text"] for link in told["links_in"]} == {
            "a": "a cup",
            "b": "<b>",
        }
        out = client.get("/api/links?url=a").json()["links_out"]
        assert {link["url"]: link["text"] for link in out} == {"tea": "a cup", "milk": None}
        assert "<q><bdi>&lt;b&gt;</bdi></q>" in client.get("/?url=tea&show=in").text


def test_every_method_and_option_is_listed_with_its_bounds(client: Client) -> None:
    told = client.get("/api/methods").json()
    listed = {method["name"]: method for method in told["methods"]}
    assert list(listed) == list(METHODS)
    for name in METHODS:
        options = {option["name"]: option for option in listed[name]["options"]}
        assert list(options) == list(declared_options(METHODS[name]))
    assert [option["name"] for option in told["common"]] == [
        name for name in declared_options(Request) if name not in FILES
    ]
