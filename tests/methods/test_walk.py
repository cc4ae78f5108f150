"""walk against its definition, and the error that it reports."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.methods.twins import Asked, graph_and_twin
from tests.reference.graphs import questions
from tests.reference.walk import probabilities, walk


@given(questions(), st.floats(0.05, 0.9))
def test_walk_is_what_its_definition_says_to_within_its_error(asked: Asked, restart: float) -> None:
    lists, query, stop = asked
    graph, twin = graph_and_twin(lists)
    exact = walk(twin, query, restart=restart, stop=stop)
    for error in (1e-9, 0.01):
        answer = graph.related(
            query, by="walk", restart=restart, error=error, stop=stop, limit=1000, chop=False
        )
        found = {result.url: result.score for result in answer}
        assert set(found) <= set(exact)
        for page, score in exact.items():
            degree = twin.in_degree(page) + twin.out_degree(page)
            assert -1e-9 <= score - found.get(page, 0.0) <= error * degree**0.75 + 1e-9


@given(questions())
def test_the_walk_reports_how_much_a_page_may_miss(asked: Asked) -> None:
    lists, query, _ = asked
    graph, twin = graph_and_twin(lists)
    exact = probabilities(twin, query)
    for result in graph.related(query, by="walk", error=0.02):
        lacking = exact[result.url] - result.evidence["probability"]
        assert -1e-9 <= lacking <= result.evidence["lacks_at_most"] + 1e-9
