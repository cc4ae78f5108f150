"""What a study shows: one rating of each page, agreement, and the tables of an evaluation."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.apps.study import GRAPH, small_study
from whatsrelated.apps.evaluate import tables
from whatsrelated.apps.evaluate.gold import read_gold
from whatsrelated.apps.study.journal import Rating
from whatsrelated.apps.study.results import StudyResults, combined


@pytest.mark.parametrize(
    ("said", "one"),
    [([1], 1), ([1, 0], 0), ([1, 1, 0], 1), ([2, 1, 0], 1), ([-1, -1, 1], -1), ([-1, 1], 1)],
)
def test_several_ratings_become_one(said: list[int], one: int) -> None:
    assert combined(said) == one


@pytest.fixture
def results(tmp_path: Path) -> StudyResults:
    said = {
        "ann": {"cup": 1, "coffee": 1, "milk": 1, "sugar": 0},
        "bob": {"cup": 1, "coffee": 0, "milk": 1, "sugar": -1},
    }
    with small_study(tmp_path / "my.study", "ann", "bob") as journal:
        for judge, ratings in said.items():
            journal.rate([Rating(judge, "tea", page, n) for page, n in ratings.items()])
        journal.rate([Rating("ann", "milk", "tea", 1), Rating("ann", "milk", "not pooled", 1)])
    return StudyResults(journal)


def test_the_tables_count_every_rated_query_and_take_the_ratings(results: StudyResults) -> None:
    outcome = results.findings.outcome
    assert outcome.golds == {
        "tea": {"cup": 1.0, "coffee": 0.0, "milk": 1.0, "sugar": 0.0},
        "milk": {"tea": 1.0},
    }
    assert outcome.scores["cpa"]["tea"].precision == 2 / 10
    assert tables.coverage(outcome).rows[0][1:3] == (2, 7)
    assert len(tables.all_tables(outcome, results.findings.tests)) > 5


def test_a_query_that_nobody_rated_is_left_out_of_the_tables(tmp_path: Path) -> None:
    with small_study(tmp_path / "my.study", "ann") as journal:
        journal.rate([Rating("ann", "milk", "tea", 0)])
    results = StudyResults(journal)
    assert results.queries == ["milk"]
    outcome = results.findings.outcome
    assert outcome.golds == {"milk": {"tea": 0.0}}
    assert tables.coverage(outcome).rows[0][1:3] == (1, 3)


def test_agreement_is_over_what_both_rated(results: StudyResults) -> None:
    ((one, two, pages, kappa),) = results.pairs()
    # Agreement 2 of 4; ann has three 1s and a 0, bob two 1s, a 0 and a -1.
    assert (one, two, pages) == ("ann", "bob", 4)
    assert kappa == pytest.approx((1 / 2 - 7 / 16) / (1 - 7 / 16))
    assert results.fleiss()[0] == 4
    assert results.agreement().rows[-1][:3] == ("all", "Fleiss", 4)
    assert results.as_dict()["judges"] == [
        {"name": "ann", "rated": 5, "to_rate": 7},
        {"name": "bob", "rated": 4, "to_rate": 7},
    ]


def test_evaluate_reads_the_written_ratings(results: StudyResults, tmp_path: Path) -> None:
    results.write(tmp_path / "out")
    for name in ("qrels.txt", "ratings.tsv"):
        assert read_gold(tmp_path / "out" / name, GRAPH).queries == results.findings.outcome.golds
    lines = (tmp_path / "out" / "judges.tsv").read_text().splitlines()
    assert lines[0] == "judge\tquery\tpage\trating"
    assert len(lines) == 1 + 9
