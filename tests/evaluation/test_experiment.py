"""Methods are asked for every query, and what they answer is measured."""

from __future__ import annotations

import pytest

from tests.graphs import graph_of
from whatsrelated.evaluation.experiment import Asked, ask, measured, without_linked
from whatsrelated.evaluation.gold import Judged
from whatsrelated.methods.cpa import Cpa

GRAPH = graph_of("p -> u v w", "q -> u w", "u -> w")


def test_an_answer_is_measured_against_its_gold() -> None:
    asked = ask(GRAPH, Cpa(), ["u", "p"])
    assert [one.urls for one in asked] == [("w", "v"), ()]
    found = measured(asked, {"u": {"v": 1.0}, "p": {"u": 1.0}})
    assert (found.answered, found.failed) == (1, 0)
    assert found.recall == 0.5
    assert found.reciprocal_rank == 0.25
    assert found.precision == pytest.approx(0.05)


def test_pages_already_linked_count_neither_as_gold_nor_as_answers() -> None:
    judged = Judged({"u": {"w": 1.0, "v": 1.0}, "q": {"w": 1.0}})
    assert without_linked(GRAPH, judged) == {"u": {"v": 1.0}}
    assert ask(GRAPH, Cpa(), ["u"], limit=1, unlinked=True)[0].urls == ("v",)


def test_a_failure_is_recorded_and_the_rest_goes_on() -> None:
    asked = ask(GRAPH, Cpa(), ["nowhere", "u"])
    assert "No page nowhere" in asked[0].error
    assert asked[1].urls == ("w", "v")
    assert measured([Asked("x", (), error="no")], {"x": {"y": 1.0}}).failed == 1
