"""Extreme questions: no parents, no children, a million parents, a dominating host."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from tests.graphs import graph_of
from whatsrelated.api import Graph
from whatsrelated.methods import METHODS
from whatsrelated.stream import NamedLinks, Names, NumberedLinks

every_method = pytest.mark.parametrize("by", sorted(METHODS))
PAPERS = ["cocitation", "companion", "extended-cocitation", "hits", "lli"]
papers_methods = pytest.mark.parametrize("by", PAPERS)


def web(*lines: str) -> Graph:
    return graph_of(*(line.replace("$", "https://") for line in lines))


def names(graph: Graph, query: str, by: str, **options: Any) -> list[str]:
    return [result.url for result in graph.related(query, by=by, limit=1000, **options)]


AROUND = (
    "$p.org/ -> $u.org/ $v.org/",
    "$q.org/ -> $u.org/ $v.org/",
    "$u.org/ -> $c.org/ $d.org/",
    "$w.org/ -> $c.org/ $d.org/",
)


@papers_methods
def test_a_page_without_parents_is_known_by_its_children(by: str) -> None:
    graph = web(*AROUND)
    answer = graph.related("https://w.org/", by=by, chop=False)
    found = {result.url for result in answer}
    if by == "cocitation":
        assert not found
        assert answer.notes == ["no page links to https://w.org/"]
    elif by == "hits":  # whose start set has no parents of children in it
        assert found == {"https://c.org/", "https://d.org/"}
    elif by == "companion":
        assert found == {"https://c.org/", "https://d.org/"}
        assert answer.vicinity["pages"] == 4
    else:
        assert found == {"https://u.org/"}


@papers_methods
def test_a_page_without_children_is_known_by_its_parents(by: str) -> None:
    assert names(web(*AROUND), "https://v.org/", by, chop=False) == ["https://u.org/"]


@papers_methods
def test_a_query_page_on_the_stop_list_empties_the_list(by: str) -> None:
    graph = web(*AROUND)
    query = "https://u.org/"
    stopped = names(graph, query, by, stop=["https://v.org/", "https://c.org/"])
    assert not {"https://v.org/", "https://c.org/"} & set(stopped)
    emptied = names(graph, query, by, stop=[query, "https://v.org/", "https://c.org/"])
    assert emptied == names(graph, query, by)
    assert emptied != stopped


@pytest.fixture(scope="module")
def hub() -> Graph:
    """Page 0 has a million parents; each links to one of 997 others before it."""
    parents = np.arange(1001, 1_001_001, dtype=np.uint64)
    sources = np.repeat(parents, 2)
    targets = np.zeros(len(sources), np.uint64)
    targets[0::2] = 1 + parents * 7919 % 997
    return Graph.from_pages([NumberedLinks(sources, targets)])


@every_method
def test_a_hub_with_a_million_parents_is_answered_for_at_once(hub: Graph, by: str) -> None:
    begun = time.process_time()
    answer = hub.related("0", by=by)
    assert time.process_time() - begun < 20
    if by in PAPERS:
        assert len(answer) == 10
        assert all(1 <= int(result.url) <= 1000 for result in answer)
        assert answer.details["parents"] == 1_000_000
        assert answer.details["sampled"] <= 2000
    assert len(answer) or answer.notes


@pytest.fixture(scope="module")
def shouting() -> Graph:
    """100,000 pages of one host with the same links, u among them; two others also link to u."""
    pages = [f"https://big.org/{number}".encode() for number in range(100_000)]
    spam = [f"https://spam{number:02}.net/".encode() for number in range(20)]
    others = [f"https://{name}.org/".encode() for name in "upqv"]
    own = len(pages) + len(spam)  # u, then p, q and v
    links = np.concatenate([[own], np.arange(len(pages), own)])
    sources = np.repeat(np.arange(len(pages)), len(links))
    more = [(own + 1, own), (own + 1, own + 3), (own + 2, own), (own + 2, own + 3)]
    return Graph.from_pages(
        [
            NamedLinks(
                Names.of([*pages, *spam, *others]),
                np.concatenate([sources, [one for one, _ in more]]).astype(np.uint32),
                np.concatenate([np.tile(links, len(pages)), [two for _, two in more]]).astype(
                    np.uint32
                ),
            )
        ]
    )


@every_method
def test_a_host_of_100_000_pages_that_all_link_to_a_page_is_answered_for_at_once(
    shouting: Graph, by: str
) -> None:
    begun = time.process_time()
    answer = shouting.related("https://u.org/", by=by, site="host")
    assert time.process_time() - begun < 20
    assert len(answer) or answer.notes


@pytest.mark.parametrize("by", ["companion", "extended-cocitation", "lli"])
def test_a_host_has_one_vote_even_if_all_its_pages_are_read(shouting: Graph, by: str) -> None:
    begun = time.process_time()
    options: dict[str, Any] = {"parents": 200_000, "site": "host"}
    answer = shouting.related("https://u.org/", by=by, **options)
    assert time.process_time() - begun < 10
    assert answer.details["sampled"] == 100_002
    if by == "companion":
        assert answer.details["merged"] == 99_999
        assert answer[0].evidence["sites"] == 2
    else:
        assert answer.details["merged_parents"] == 3
    if by != "lli":  # which weighs a parent by how much it links to
        assert answer[0].url == "https://v.org/"
        assert shouting.related("https://u.org/", by="hits", **options)[0].url != "https://v.org/"
