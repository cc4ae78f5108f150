"""Missing links are scored as by the definition, and ordered over the whole site."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graphs import graph_of
from tests.reference.gaps import missing_scores
from tests.reference.plain_graph import PlainGraph
from whatsrelated.api import Graph
from whatsrelated.gaps.missing import explain, missing_links, suggest
from whatsrelated.gaps.structure import Site
from whatsrelated.stream import Page

NAMES = [f"p{number:02}" for number in range(12)]


@given(
    st.dictionaries(st.sampled_from(NAMES), st.lists(st.sampled_from(NAMES), max_size=6)),
)
def test_scores_are_those_of_the_definition(lists: dict[str, list[str]]) -> None:
    links = {p: [t for t in dict.fromkeys(ts) if t != p] for p, ts in lists.items()}
    graph = Graph.from_pages([Page(page, targets) for page, targets in links.items()])
    plain = PlainGraph({name: links.get(name, []) for name in graph})
    site = Site(graph.store)
    for page in links:
        found = suggest(site, graph.page(page), site.is_page)
        expected = missing_scores(plain, page, list(links))
        if found is None:
            assert not expected
            continue
        scores = dict(
            zip(map(graph.url, found.targets.tolist()), found.scores().tolist(), strict=True)
        )
        assert scores == pytest.approx(expected)


WIKI = graph_of(
    "green -> tea china kettle",
    "black -> tea china kettle milk",
    "oolong -> tea china kettle",
    "milk -> tea",
    "kettle -> tea oolong",
    "tea -> green",
    "china -> tea",
)


def test_the_best_suggestion_of_all_pages_comes_first_with_its_reason() -> None:
    site = Site(WIKI.store)
    ranked = list(missing_links(site, range(len(WIKI)), site.is_page))
    assert [score for score, _, _ in ranked] == sorted((s for s, _, _ in ranked), reverse=True)
    pairs = [(WIKI.url(page), WIKI.url(target)) for _, page, target in ranked]
    assert len(pairs) == len(set(pairs))
    assert not any(t in WIKI[s].links for s, t in pairs)
    assert ("green", "milk") in pairs
    link = explain(site, WIKI.page("green"), WIKI.page("milk"), 0.5)
    assert link.reason.startswith(
        "1 of the 5 pages that link most like it links there, e.g. “black”"
    )
    assert (link.peers_linking, link.links_back, link.examples) == (1, False, ("black",))


def test_a_page_that_links_here_is_suggested_before_one_that_does_not() -> None:
    graph = graph_of("a -> x y", "b -> x y s", "c -> x y r", "r -> a", "s -> x", "x -> y", "y -> x")
    site = Site(graph.store)
    found = suggest(site, graph.page("a"), site.is_page)
    assert found is not None
    scores = dict(zip(map(graph.url, found.targets.tolist()), found.scores(), strict=True))
    assert scores["r"] > scores["s"]
    assert explain(site, graph.page("a"), graph.page("r"), 0.5).reason.endswith(
        "; that page links here."
    )


def test_targets_may_be_narrowed_without_changing_scores() -> None:
    site = Site(WIKI.store)
    page = WIKI.page("green")
    everything = suggest(site, page, site.is_page)
    only = suggest(site, page, np.arange(len(WIKI)) == WIKI.page("milk"))
    assert everything is not None
    assert only is not None
    at = everything.targets.tolist().index(WIKI.page("milk"))
    assert only.scores().tolist() == [everything.scores()[at]]
