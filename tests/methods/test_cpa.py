"""cpa against its definition, and its evidence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graphs import graph_of
from tests.methods.twins import Asked, graph_and_twin, same
from tests.reference.cpa import cpa
from tests.reference.graphs import questions
from whatsrelated.api import Graph


@given(questions(), st.integers(1, 5), st.floats(0, 2), st.booleans(), st.integers(0, 3))
def test_cpa_is_what_its_definition_says(
    asked: Asked, parents: int, alpha: float, ordered: bool, seed: int
) -> None:
    lists, query, stop = asked
    graph, twin = graph_and_twin(lists, ordered)
    scores = cpa(twin, query, parents=parents, alpha=alpha, seed=seed, stop=stop)
    options = {"parents": parents, "alpha": alpha, "seed": seed, "stop": stop}
    same(graph, twin, query, scores, by="cpa", **options)


def test_cpa_without_link_order_counts_parents_and_says_so() -> None:
    graph = Graph.from_links([("p", "u"), ("p", "x"), ("p", "v")], ordered=False)
    answer = graph.related("u", by="cpa")
    assert [result.score for result in answer] == [1.0, 1.0]
    assert answer.notes == ["The source has no link order, so all links of a page count the same."]


def test_the_evidence_of_cpa_names_the_parent_with_the_nearest_links() -> None:
    graph = graph_of("far -> v a b c u", "near -> x y z w q u v", "other -> u w")
    (result,) = [r for r in graph.related("u", by="cpa") if r.url == "v"]
    assert result.evidence["sentence"] == (
        "2 of the 3 pages that link to “u” also link to “v”, often side by side, "
        "for example “near”."
    )
    assert [page["url"] for page in result.evidence["named"]] == ["u", "v", "near"]
    assert result.score == pytest.approx(1 + 4**-0.85)
