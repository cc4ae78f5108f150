"""Findings as JSON and as rows have every number, by name."""

from __future__ import annotations

import pytest

from tests.evaluation.outcomes import OUTCOME
from whatsrelated.evaluation import rows
from whatsrelated.evaluation.experiment import Findings


def test_everything_is_in_the_json() -> None:
    written = rows.as_dict(Findings(OUTCOME, {"gold": "by hand"}))
    assert written["groups"][0]["methods"]["y"]["precision_at"][0] == pytest.approx(2 / 3)
    assert written["overlap"][1] == {"method": "x", "with": "y", "answers": 2, "share": 0.4}
    assert written["coverage"][2]["not_opened"] == 1
    assert written["queries"][2]["methods"]["z"]["error"] == "too slow"
    assert written["queries"][0]["methods"]["x"]["average_precision"] == pytest.approx(5 / 6)


def test_rows_have_a_name_for_every_value() -> None:
    for head, *lines in (rows.mean_rows(OUTCOME), rows.query_rows(OUTCOME)):
        assert len(lines) == 9
        assert {len(line) for line in lines} == {len(head)}
