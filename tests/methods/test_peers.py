"""peers against its definition, and what only it finds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.graphs import graph_of
from tests.methods.twins import Asked, graph_and_twin, same
from tests.reference.graphs import questions
from tests.reference.peers import peers


@given(questions(), st.integers(1, 6))
def test_peers_is_what_its_definition_says(asked: Asked, count: int) -> None:
    lists, query, stop = asked
    graph, twin = graph_and_twin(lists)
    scores = peers(twin, query, peers=count, stop=stop)
    same(graph, twin, query, scores, by="peers", peers=count, stop=stop)


def test_peers_finds_what_no_parent_and_no_child_shares() -> None:
    graph = graph_of("u -> a b", "v -> a b wanted", "w -> b wanted", "x -> c")
    answer = graph.related("u", by="peers")
    assert "wanted" in [result.url for result in answer]
    (wanted,) = [result for result in answer if result.url == "wanted"]
    assert wanted.evidence["peers_linking"] == 2
    assert wanted.evidence["nearest"] == ["v", "w"]
