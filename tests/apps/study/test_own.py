"""Pages that judges bring: found as people type them, asked at once, at least two."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.apps.study import GRAPH, METHODS, own_plan, small_plan
from tests.graphs import graph_of
from tests.reference import measures
from whatsrelated.apps.study.journal import Journal, Rating
from whatsrelated.apps.study.own import MAX_OWN, OwnPages, PagesRejected, read_own_queries
from whatsrelated.apps.study.pages import JudgesView
from whatsrelated.apps.study.plan import plan_study
from whatsrelated.apps.study.results import StudyResults
from whatsrelated.errors import OptionError, ReadError
from whatsrelated.stream import Refused


def test_a_page_that_a_judge_brings_has_the_pool_of_a_common_query() -> None:
    plan = own_plan()
    brought = OwnPages(GRAPH, plan).bring("ann", " tea \nmilk\ntea")
    common = small_plan()
    assert [one.pool for one in brought] == common.pools
    for at, one in enumerate(brought):
        expected = {label: trials[at].urls for label, trials in common.answers.items()}
        assert {label: trial.urls for label, trial in one.answers.items()} == expected


@pytest.mark.parametrize(
    ("text", "before", "reason"),
    [
        ("", [], "Enter at least 2"),
        ("tea", [], "Enter at least 2"),
        ("tea\ntea", [], "Enter at least 2"),
        ("tea\nbeer", [], "beer"),
        ("tea\nmilk", [f"page {n}" for n in range(MAX_OWN - 1)], f"at most {MAX_OWN}"),
    ],
)
def test_too_few_too_many_and_unknown_pages_are_rejected(
    text: str, before: list[str], reason: str
) -> None:
    with pytest.raises(PagesRejected, match=reason):
        OwnPages(GRAPH, own_plan()).bring("ann", text, before)


def test_one_page_is_enough_for_a_judge_who_has_others() -> None:
    (brought,) = OwnPages(GRAPH, own_plan()).bring("ann", "cup\ntea", ["tea", "milk"])
    assert brought.pool.query.url == "cup"


def test_another_graph_is_refused() -> None:
    with pytest.raises(OptionError, match="name the graph of the study"):
        OwnPages(graph_of("a -> b c"), own_plan())


def test_pages_collected_before_come_with_their_judge(tmp_path: Path) -> None:
    file = tmp_path / "queries"
    file.write_text("tea\tann\nmilk\tann\nmilk\tbob\ncup\tbob\nbeer\tbob\nsugar\n")
    refused = Refused()
    owners = read_own_queries(file, GRAPH, refused)
    assert owners == {"ann": ["tea", "milk"], "bob": ["milk", "cup"]}
    assert refused.counts == {"not in the graph": 1, "without a judge": 1}
    plan = plan_study(GRAPH, "", ["tea", "milk", "cup"], METHODS, owners=owners)
    with Journal.create(tmp_path / "own.study", plan) as journal:
        journal.add_judges(owners)
        for judge, pages in owners.items():
            view = JudgesView(journal, journal.judges[judge])
            assert [pool.query.url for pool in view.pools] == pages
        journal.rate([Rating("ann", "tea", "cup", 1), Rating("bob", "milk", "tea", 1)])
    results = StudyResults(journal)
    assert {judge: results.size(judge) for judge in owners} == {"ann": 7, "bob": 6}
    assert results.queries == ["tea", "milk"]
    assert results.pairs() == [], "no page was rated by both"
    file.write_text("tea\n")
    with pytest.raises(ReadError, match="a page of the graph and a judge"):
        read_own_queries(file, GRAPH, Refused())


@given(st.lists(st.sampled_from([None, 1, 0, -1]), min_size=20, max_size=20))
def test_the_tables_of_own_pages_are_what_their_definitions_say(said: list[int | None]) -> None:
    owners = {"ann": ["tea", "milk"], "bob": ["cup", "sugar"]}
    plan = plan_study(GRAPH, "", ["tea", "milk", "cup", "sugar"], METHODS, owners=owners)
    with TemporaryDirectory() as folder, Journal.create(Path(folder) / "own", plan) as journal:
        journal.add_judges(owners)
        asked = [
            (judge, query, page.url)
            for judge, pages in owners.items()
            for query in pages
            for page in journal.pools[query].pages
        ]
        rated = {one: n for one, n in zip(asked, said, strict=False) if n is not None}
        journal.rate([Rating(*one, n) for one, n in rated.items()])
        outcome = StudyResults(journal).findings.outcome
    gold = {(query, page): n for (_, query, page), n in rated.items()}
    assert set(outcome.golds) == {query for query, _ in gold}
    assume(gold)
    for contender in METHODS:
        found = [
            [
                gold.get((query, result.url), 0)
                for result in GRAPH.related(query, by=contender.method, limit=10)
            ]
            for query in outcome.golds
        ]
        label = contender.label
        assert outcome.precision_at(label, outcome.groups[0]) == pytest.approx(
            [measures.precision_at(r, found) for r in range(1, 11)]
        )
        scores = [outcome.scores[label][query].average_precision for query in outcome.golds]
        assert scores == pytest.approx([measures.average_precision(one) for one in found])


def test_a_line_with_other_methods_is_refused(tmp_path: Path) -> None:
    plan = own_plan()
    path = tmp_path / "own.study"
    (brought, _) = OwnPages(GRAPH, plan).bring("ann", "tea\nmilk")
    Journal.create(path, plan).__exit__()
    line = msgspec.json.encode(msgspec.structs.replace(brought, answers={}))
    path.write_bytes(path.read_bytes() + line + b"\n")
    with pytest.raises(OptionError, match="is not the file of a study of this version"):
        Journal(path)
