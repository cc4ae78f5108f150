"""The evidence for a missing link matches the definition, whichever targets are requested."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graphs import graph_of
from tests.reference.gaps import missing_scores
from tests.reference.plain_graph import PlainGraph
from whatsrelated.api import Graph
from whatsrelated.apps.gaps.calibration import Formula
from whatsrelated.apps.gaps.structure import SiteStructure
from whatsrelated.apps.gaps.suggestions import Suggester, Suggestions
from whatsrelated.stream import Page

NAMES = [f"p{number:02}" for number in range(12)]


def suggester_of(graph: Graph) -> Suggester:
    return Suggester(graph.store.links, SiteStructure(graph.store).is_page)


def scores_of(graph: Graph, found: Suggestions | None) -> dict[str, float]:
    if found is None:
        return {}
    scores = Formula().scores(found.signals()).tolist()
    return dict(zip(map(graph.url, found.targets.tolist()), scores, strict=True))


@given(
    st.dictionaries(st.sampled_from(NAMES), st.lists(st.sampled_from(NAMES), max_size=6)),
)
def test_scores_are_those_of_the_definition(lists: dict[str, list[str]]) -> None:
    links = {p: [t for t in dict.fromkeys(ts) if t != p] for p, ts in lists.items()}
    graph = Graph.from_pages([Page(page, targets) for page, targets in links.items()])
    plain = PlainGraph({name: links.get(name, []) for name in graph})
    suggester = suggester_of(graph)
    for page in links:
        scores = scores_of(graph, suggester.suggest(graph.page(page)))
        assert scores == pytest.approx(missing_scores(plain, page, list(links)))


def test_a_page_that_links_here_is_suggested_before_one_that_does_not() -> None:
    graph = graph_of("a -> x y", "b -> x y s", "c -> x y r", "r -> a", "s -> x", "x -> y", "y -> x")
    scores = scores_of(graph, suggester_of(graph).suggest(graph.page("a")))
    assert scores["r"] > scores["s"]


def test_targets_may_be_narrowed_without_changing_scores() -> None:
    graph = graph_of(
        "green -> tea kettle",
        "black -> tea china kettle milk",
        "milk -> tea",
        "tea -> green",
        "china -> green",
    )
    suggester, page = suggester_of(graph), graph.page("green")
    everything = scores_of(graph, suggester.suggest(page))
    only = suggester.suggest(page, np.arange(len(graph)) == graph.page("milk"))
    assert len(everything) > 1
    assert scores_of(graph, only) == {"milk": everything["milk"]}


def test_only_the_strongest_hundred_are_peers_and_equal_ones_by_their_number() -> None:
    lines = ["page -> shelf", *(f"peer{n:03} -> shelf only{n:03}" for n in range(150))]
    graph = graph_of(*lines)
    found = suggester_of(graph).suggest(graph.page("page"))
    assert found is None  # what peers link to was not read
    graph = graph_of(*lines, *(f"only{n:03} -> end" for n in range(150)))
    found = suggester_of(graph).suggest(graph.page("page"))
    assert found is not None
    assert [graph.url(peer) for peer in found.peers.tolist()] == [f"peer{n:03}" for n in range(100)]
