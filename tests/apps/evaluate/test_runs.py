"""Answers of other programs are read in both formats, and irregularities are counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.graphs import graph_of
from whatsrelated.apps.evaluate.runs import read_run
from whatsrelated.errors import ReadError

GRAPH = graph_of("a -> b c d e", "b -> c")


def run_of(folder: Path, text: str, **options: bool):  # type: ignore[no-untyped-def]
    path = folder / "other.run"
    path.write_text(text)
    return read_run(str(path), GRAPH, ["a", "b"], **options)


def test_trec_and_columns_say_the_same(tmp_path: Path) -> None:
    trec = run_of(tmp_path, "a Q0 c 1 9.5 lucene\na Q0 b 2 7 lucene\nb Q0 d 1 1 lucene\n")
    columns = run_of(tmp_path, "query\tplace\tpage\na\t1\tc\na\t2\tb\nb\t1\td\n")
    assert [one.urls for one in trec.answers] == [("c", "b"), ("d",)]
    assert trec.answers == columns.answers
    assert (trec.label, columns.label) == ("lucene", "other")
    assert not trec.irregular.counts
    assert not columns.irregular.counts


def test_a_run_may_be_given_a_name(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("a\t1\tb\n")
    assert read_run(f"mine={tmp_path / 'x'}", GRAPH, ["a"]).label == "mine"


def test_gaps_repeats_and_strangers_are_counted(tmp_path: Path) -> None:
    run = run_of(
        tmp_path,
        "a\t1\tb\na\t3\tc\na\t3\td\na\t4\tb\na\t5\ta\na\t6\tnowhere\nc\t1\ta\nnobody\t1\ta\n",
    )
    assert run.answers[0].urls == ("b", "c", "d", "nowhere")
    assert run.unknown == {"nowhere"}
    assert run.irregular.counts == {
        "after a gap": 1,
        "at a position that is taken": 1,
        "twice for one query": 1,
        "that is the query itself": 1,
        "for a query outside the experiment": 1,
        "for a query that is not in the graph": 1,
    }


def test_a_trec_run_is_in_the_order_of_its_scores(tmp_path: Path) -> None:
    run = run_of(tmp_path, "a Q0 c 1 1 x\na Q0 b 2 5 x\n")
    assert run.answers[0].urls == ("b", "c")
    assert run.irregular.counts == {"whose score and position disagree": 1}


def test_pages_already_linked_can_be_left_out(tmp_path: Path) -> None:
    assert run_of(tmp_path, "b\t1\tc\nb\t2\td\n", unlinked=True).answers[1].urls == ("d",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("a\t1\tb\na\tone\tb\n", "line 2: expected query, position and page"),
        ("a Q0 b 1 nan x\n", "line 1: expected query, position and page"),
        ("a b\n", "line 1: expected query, position and page"),
        (
            "c\t1\ta\n",
            "answers none of the 2 queries; rejected 1: 1 for a query outside the experiment",
        ),
    ],
)
def test_a_file_that_is_not_a_run_is_reported(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=said):
        run_of(tmp_path, text)
