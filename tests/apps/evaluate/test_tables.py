"""The groups, tests and tables of an evaluation, worked by hand."""

from __future__ import annotations

import pytest

from tests.apps.evaluate.outcomes import ANSWERS, GOLDS, OUTCOME
from tests.reference import measures as plain
from whatsrelated.apps.evaluate import tables
from whatsrelated.apps.evaluate.outcome import Outcome
from whatsrelated.apps.evaluate.trials import Trial

ALL, BY_ALL, NOT_X = OUTCOME.groups


def test_table_3_is_coverage() -> None:
    assert tables.coverage(OUTCOME).rows == (
        ("x", 2, 5, 0, 0),
        ("y", 3, 5, 1, 0),
        ("z", 1, 2, 1, 1),
    )


def test_table_4_shows_the_cost_of_each_query() -> None:
    table = tables.per_query(OUTCOME)
    assert table.head == (
        *("query", "in-links", "related"),
        *("x: answers", "x: siblings", "x: cocited twice", "x: ms"),
        *("y: answers", "y: pages", "y: links", "y: ms"),
        "z: answers",
    )
    assert table.rows[0] == ("q1", 7, 2, 3, 4, 3, 2.0, 2, 5, 10, 4.0, 2)
    assert table.rows[2] == ("q3", 1, 1, 0, None, None, 0.0, 2, 1, 2, 3.0, 0)


def test_table_4_has_the_rounds_of_a_method_that_iterates() -> None:
    trial = Trial("q2", ("c",), 1.0, 3, 4, rounds=17, residual=4e-10)
    table = tables.per_query(Outcome({"q2": GOLDS["q2"]}, {"companion": [trial]}))
    read = dict(zip(table.head, table.rows[0], strict=True))
    assert (read["companion: rounds"], read["companion: residual"]) == (17, 4e-10)


def test_table_5_is_average_precision_and_precision_at_10_by_group() -> None:
    means = {row[0]: row[1:] for row in tables.quality(OUTCOME).rows}
    # x: q1 has hits at 1 and 3, (1 + 2/3) / 2; q2 at 2, 1/2; q3 no answer.
    assert means["x"] == pytest.approx([(5 / 6 + 1 / 2) / 3, 5 / 6, 0, 3 / 30, 2 / 10, 0])
    assert means["y"] == pytest.approx([(1 + 1 + 1 / 2) / 3, 1, 1 / 2, 3 / 30, 1 / 10, 1 / 10])
    assert means["z"] == pytest.approx([1 / 3, 1, 0, 1 / 30, 1 / 10, 0])


def test_table_6_asks_every_ordered_pair_in_every_group() -> None:
    tested = tables.pair_tests(OUTCOME)
    assert len(tested) == 3 * 2 * 6
    found = {(t.group, t.measure, t.x, t.y): t for t in tested}
    one = found["all", "average_precision", "y", "x"]
    x, y = [5 / 6, 1 / 2, 0], [1, 1, 1 / 2]
    assert (one.wins, one.losses) == (3, 0)
    assert one.sign == plain.sign_test(y, x) == 1 / 8
    assert one.rank_sum == pytest.approx(plain.rank_sum_test(y, x))
    assert one.delta == pytest.approx(plain.cliffs_delta(y, x))
    assert one.gain == pytest.approx((2.5 - 4 / 3) / 3)
    family = [t for t in tested if (t.group, t.measure) == ("all", "average_precision")]
    assert [t.sign_holm for t in family] == plain.holm([t.sign for t in family])
    assert [t.rank_sum_holm for t in family] == plain.holm([t.rank_sum for t in family])


def test_table_6_is_shown_with_rows_better_than_columns() -> None:
    tested = tables.pair_tests(OUTCOME)
    table = tables.p_values(OUTCOME, tested, ALL, "average_precision")
    assert table.head == ("better than", "x", "y", "z")
    assert [row[0] for row in table.rows] == ["x", "y", "z"]
    assert table.rows[0][1] is None
    assert table.rows[1][1] < table.rows[0][2] == 1


def test_table_6_has_both_tests_raw_and_by_holm() -> None:
    tested = tables.pair_tests(OUTCOME)
    table = tables.all_p_values(tested, ALL, "average_precision")
    rows = [dict(zip(table.head, row, strict=True)) for row in table.rows]
    assert len(rows) == 6
    (one,) = (row for row in rows if (row["X"], row["Y"]) == ("y", "x"))
    x, y = [5 / 6, 1 / 2, 0], [1, 1, 1 / 2]
    assert one["sign"] == 1 / 8
    assert one["rank-sum"] == pytest.approx(plain.rank_sum_test(y, x))
    for test in ("sign", "rank-sum"):
        corrected = [row[f"{test}, Holm"] for row in rows]
        assert corrected == plain.holm([row[test] for row in rows])


def test_table_7_is_what_two_methods_share() -> None:
    assert tables.overlap(OUTCOME).rows == (
        ("x", (5, 1.0), (2, 0.4), (1, 0.2)),
        ("y", (2, 0.4), (5, 1.0), (0, 0.0)),
        ("z", (1, 0.5), (0, 0.0), (2, 1.0)),
    )


def test_the_summary_has_every_measure() -> None:
    table = tables.summary(OUTCOME, ALL)
    row = dict(zip(table.head, table.rows[1], strict=True))
    assert (row["method"], row["answered"], row["ms"]) == ("y", 3, 3.0)
    assert row["capped recall@10"] == pytest.approx((1 / 2 + 1 + 1) / 3)
    assert row["MAP"] == pytest.approx((1 / 2 + 1 + 1 / 2) / 3)
    assert row["MRR"] == pytest.approx((1 + 1 + 1 / 2) / 3)


def test_costs_are_of_methods_not_of_runs() -> None:
    assert [row[0] for row in tables.costs(OUTCOME).rows] == ["x", "y"]
    assert tables.costs(OUTCOME).rows[1] == ("y", 3, 4, 3.0, 4.0, 4.0, 0.008)


def test_an_empty_group_has_no_numbers() -> None:
    outcome = Outcome({"q2": GOLDS["q2"]}, {"y": [ANSWERS["y"][1]]})
    assert outcome.groups[2].queries == ()
    assert tables.quality(outcome).rows == (("y", 1.0, 1.0, None, 0.1, 0.1, None),)
    assert tables.pair_tests(outcome) == []
