"""The default similarity of two pages against its definition."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.methods.twins import Asked, graph_and_twin
from tests.reference.blend import similarity
from tests.reference.graphs import questions


@given(questions())
def test_the_similarity_of_two_pages_is_the_same_both_ways_and_1_for_a_page_and_itself(
    asked: Asked,
) -> None:
    lists, query, _ = asked
    graph, twin = graph_and_twin(lists)
    names = [query, *(page for page in twin.pages if page != query)][:4]
    matrix = graph.similarity(names).scores
    assert (matrix == matrix.T).all()
    for row, one in enumerate(names):
        for column, other in enumerate(names):
            expected = similarity(twin, one, other)
            assert matrix[row, column] == pytest.approx(expected, rel=0.02, abs=2e-3)
            assert graph.similarity(one, other) == matrix[row, column]
