"""Findings as JSON and as rows have every number, by name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.apps.evaluate.outcomes import ANSWERS, OUTCOME
from whatsrelated.apps.evaluate import rows, tables
from whatsrelated.apps.evaluate.experiment import Findings


def test_everything_is_in_the_json() -> None:
    written = rows.as_dict(Findings(OUTCOME, {"gold": "by hand"}))
    assert written["groups"][0]["methods"]["y"]["precision_at"][0] == pytest.approx(2 / 3)
    assert written["overlap"][1] == {"method": "x", "with": "y", "answers": 2, "share": 0.4}
    assert written["coverage"][2]["not_opened"] == 1
    assert written["queries"][2]["methods"]["z"]["error"] == "too slow"
    assert written["queries"][0]["methods"]["x"]["average_precision"] == pytest.approx(5 / 6)


def numbers_in(value: object) -> set[float]:
    """All numbers in lists, tuples and dicts."""
    if isinstance(value, dict | list | tuple):
        inner = value.values() if isinstance(value, dict) else value
        return set().union(*map(numbers_in, inner))
    return {value} if isinstance(value, int | float) else set()


def test_the_json_has_every_number_of_every_table() -> None:
    iterated = {"y": [replace(ANSWERS["y"][0], rounds=17, residual=4e-10), *ANSWERS["y"][1:]]}
    outcome = replace(OUTCOME, answers=ANSWERS | iterated)
    findings = Findings(outcome, {"gold": "by hand"})
    written = numbers_in(rows.as_dict(findings))
    for table in tables.all_tables(outcome, findings.tests):
        assert numbers_in(table.rows) <= written, table.title


def test_rows_have_a_name_for_every_value() -> None:
    for head, *lines in (rows.mean_rows(OUTCOME), rows.query_rows(OUTCOME)):
        assert len(lines) == 9
        assert {len(line) for line in lines} == {len(head)}
