"""Several query pages at once: some members of a list are given, the others are looked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graphs import graph_of
from whatsrelated.apps.evaluate.contenders import contenders
from whatsrelated.apps.evaluate.experiment import Experiment
from whatsrelated.apps.evaluate.gold import GoldFile, Judgments
from whatsrelated.apps.evaluate.list_members import (
    SEPARATOR,
    MembersOfLists,
    deal,
    lists_of,
    pages_of,
    query_named,
)
from whatsrelated.apps.evaluate.topics import SharedTopics
from whatsrelated.errors import ReadError

GRAPH = graph_of("p -> a b c", "q -> a b d", "r -> c d e", "a -> e")


def test_a_page_and_its_related_pages_form_a_list() -> None:
    gold = {"a": {"b": 1.0, "c": 0.0, "d": -1.0}, "b": {"a": 1.0}}
    assert lists_of(gold) == [frozenset("ab")]
    topics = SharedTopics({"a": {"red", "round"}, "b": {"red"}, "c": {"round"}})
    assert set(lists_of(topics)) == {frozenset("ab"), frozenset("ac")}


def test_pages_in_a_list_with_all_query_pages_are_related() -> None:
    queries = deal([frozenset("abc"), frozenset("abd"), frozenset("ae")], 2, seed=0)
    assert all(len(pages_of(query)) == 2 for query in queries)
    assert f"a{SEPARATOR}e" not in queries
    for seed in range(20):  # the pair a, b is dealt from either list
        for query, gold in deal([frozenset("abc"), frozenset("abd")], 2, seed).items():
            expected = {"ab": "cd", "ac": "b", "bc": "a", "ad": "b", "bd": "a"}
            assert set(gold) == set(expected["".join(pages_of(query))])


@given(
    st.lists(st.frozensets(st.sampled_from("abcdefgh")), max_size=5),
    st.integers(2, 3),
    st.integers(0, 3),
)
def test_each_member_of_a_list_is_dealt_at_most_once(
    lists: list[frozenset[str]], together: int, seed: int
) -> None:
    queries = deal(lists, together, seed)
    assert queries == deal(lists[::-1], together, seed)
    for query, gold in queries.items():
        pages = set(pages_of(query))
        wanted = {page for one in lists if pages <= one for page in one} - pages
        assert set(gold) == wanted != set()
    if len(set(lists)) == 1:
        dealt = [page for query in queries for page in pages_of(query)]
        assert len(dealt) == len(set(dealt))
        size = len(lists[0])
        assert len(queries) == (size // together if size > together else 0)


def test_an_experiment_asks_for_several_pages_at_once(tmp_path: Path) -> None:
    run = tmp_path / "run.tsv"
    run.write_text(f"a{SEPARATOR}b\t1\tc\na{SEPARATOR}b\t2\ta\na{SEPARATOR}zz\t1\tc\n")
    gold = Judgments({f"a{SEPARATOR}b": {"c": 1.0, "e": 1.0}})
    experiment = Experiment(gold, contenders("cocitation"), runs=[f"other={run}"], processes=1)
    findings = experiment.run(GRAPH)
    (trial,) = findings.outcome.answers["cocitation"]
    answer = GRAPH.related(["a", "b"], by="cocitation")
    assert list(trial.urls) == [result.url for result in answer] == ["c", "d"]
    assert findings.outcome.answers["other"][0].urls == ("c",)
    assert findings.runs[0].irregular.counts == {
        "for a query that is not in the graph": 1,
        "that is the query itself": 1,
    }
    assert findings.outcome.in_links == {f"a{SEPARATOR}b": 4}
    unlinked = Experiment(gold, contenders("cocitation"), unlinked=True, processes=1).run(GRAPH)
    assert unlinked.outcome.golds == {f"a{SEPARATOR}b": {"c": 1.0}}


def test_lists_that_are_too_short_are_named(tmp_path: Path) -> None:
    path = tmp_path / "gold.tsv"
    path.write_text("a\tb\na\tc\n")
    gold = MembersOfLists(GoldFile(path), 2)
    assert str(gold) == f"gold {path}, 2 members of each list at once"
    assert len(gold.judge(GRAPH, tmp_path, 0)[1].queries) == 1
    with pytest.raises(ReadError, match="has more than 3 members; lower --together"):
        MembersOfLists(GoldFile(path), 3).judge(GRAPH, tmp_path, 0)


def test_a_query_is_named_by_all_its_pages() -> None:
    assert query_named(GRAPH, "a") == "a"
    assert query_named(GRAPH, f"b{SEPARATOR}a") == f"b{SEPARATOR}a"
    assert query_named(GRAPH, f"b{SEPARATOR}nowhere") is None
