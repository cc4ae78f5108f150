"""Conclusions name the best method, and those it is significantly better than."""

from __future__ import annotations

import pytest

from whatsrelated.apps.evaluate.conclusions import conclusions
from whatsrelated.apps.evaluate.experiment import Findings
from whatsrelated.apps.evaluate.outcome import Outcome
from whatsrelated.apps.evaluate.trials import Trial

GOLDS = {f"q{number}": {"a": 1.0} for number in range(20)}
ANSWERS = {"best": ("a",), "close": ("a", "b"), "worst": ("b", "c", "a"), "none": ("b",)}
HOLM = "(sign test with Holm's correction, p < 0.05)"


def sentences(*labels: str) -> list[str]:
    answers = {label: [Trial(query, ANSWERS[label]) for query in GOLDS] for label in labels}
    return conclusions(Findings(Outcome(GOLDS, answers)))


def test_the_method_with_the_highest_recall_comes_first() -> None:
    assert sentences("none", "best")[0] == (
        "best has the highest capped recall@10, 100%; none follows with 0%."
    )
    assert sentences("best") == ["best has a capped recall@10 of 100%."]
    assert sentences("none") == ["No method found a related page."]


@pytest.mark.parametrize(
    ("labels", "significance"),
    [
        (("worst", "best"), "significantly higher than that of worst"),
        (("worst", "best", "none"), "significantly higher than that of every other method"),
        (
            ("best", "close", "worst", "none"),
            "significantly higher than that of worst and none, but not than that of close",
        ),
        (("best", "close"), "not significantly higher than that of close"),
    ],
)
def test_significance_is_shown_for_each(labels: tuple[str, ...], significance: str) -> None:
    assert sentences(*labels)[1] == f"The average precision of best is {significance} {HOLM}."


def test_methods_that_share_the_highest_recall_are_named_together() -> None:
    assert sentences("none", "best", "close")[0] == (
        "best and close share the highest capped recall@10, 100%."
    )
