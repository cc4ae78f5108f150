"""The plan of a study: pools of answers, in a different order for each judge."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.apps.study import GRAPH, METHODS, small_plan
from whatsrelated.apps.study.plan import plan_study, read_queries
from whatsrelated.errors import OptionError, ReadError
from whatsrelated.stream import Refused


def test_a_pool_is_the_union_of_the_first_answers_of_all() -> None:
    plan = small_plan(depth=1)
    for at, pool in enumerate(plan.pools):
        firsts = {own[at].urls[0] for own in plan.answers.values()}
        assert {page.url for page in pool.pages} == firsts
    deep = small_plan()
    assert [len(pool.pages) for pool in deep.pools] == [4, 3]
    assert deep.pools[0].in_links == 3


def test_answers_of_other_programs_are_pooled_too(tmp_path: Path) -> None:
    run = tmp_path / "search.tsv"
    run.write_text("tea\t1\tfar\ntea\t2\tcup\nmilk\t1\ttea\n")
    plan = small_plan(runs=[str(run)])
    assert "far" in {page.url for page in plan.pools[0].pages}
    assert (plan.runs, plan.unknown) == (["search"], ["far"])
    with pytest.raises(OptionError, match="cpa appears twice"):
        small_plan(runs=[f"cpa={run}"])


def test_every_judge_has_a_different_but_stable_order() -> None:
    pool = small_plan().pools[0]
    orders = {
        name: [page.url for page in pool.order_for(name, seed)]
        for name, seed in [("ann", 0), ("bob", 0), ("cid", 0), ("dan", 0)]
    }
    assert len({tuple(order) for order in orders.values()}) > 1
    assert all(sorted(order) == [page.url for page in pool.pages] for order in orders.values())
    assert [page.url for page in pool.order_for("ann", 0)] == orders["ann"]
    assert len({tuple(p.url for p in pool.order_for("ann", seed)) for seed in range(9)}) > 1


def test_queries_are_lines_or_a_first_column_each_once(tmp_path: Path) -> None:
    file = tmp_path / "queries"
    file.write_text("# mine\ntea\nmilk\tcup\t1\nnowhere\ntea\n")
    refused = Refused()
    assert read_queries(file, GRAPH, refused) == ["tea", "milk"]
    assert refused.counts == {"not in the graph": 1}
    file.write_text("nowhere\n")
    with pytest.raises(ReadError, match="is a page of the graph"):
        read_queries(file, GRAPH, Refused())


def test_a_study_without_answers_is_refused() -> None:
    with pytest.raises(ReadError, match="nothing to rate"):
        plan_study(GRAPH, "", ["p"], METHODS)
