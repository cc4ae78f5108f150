"""How lli computes its similarities is shown by parents and by children."""

from __future__ import annotations

from tests.apps.evaluate.outcomes import OUTCOME
from tests.graphs import graph_of
from whatsrelated.apps.evaluate import latent
from whatsrelated.apps.evaluate.outcome import Outcome
from whatsrelated.apps.evaluate.trials import Trial

GRAPH = graph_of("p -> u v w", "q -> u w x", "r -> u v x", "u -> k l", "v -> k", "x -> k l")


def test_the_numbers_of_lli_are_those_of_its_evidence() -> None:
    back, forward = latent.similarities(GRAPH, OUTCOME, "u")
    assert (back.by, forward.by) == ("parents", "children")
    shared = {point.url: point.bcp for point in back.points}
    assert shared == {"v": 2 / 3, "w": 2 / 3, "x": 2 / 3}
    assert {point.url: point.bcp for point in forward.points} == {"x": 1.0, "v": 0.5}
    # bd is 2 of 3 siblings for each parent: two of three parents leave a third.
    assert {round(point.dd, 9) for point in back.points} == {round(1 / 3, 9)}


def test_if_no_query_is_chosen_it_is_the_one_with_the_most_gold_found() -> None:
    golds = {"v": {"x": 1.0}, "u": {"w": 1.0}}
    answers = {"cpa": [Trial("v", ()), Trial("u", ("w",))]}
    shown = latent.of_queries(GRAPH, Outcome(golds, answers), [])
    assert {one.query for one in shown} == {"u"}
    assert [point.url for point in shown[0].points if point.related] == ["w"]
