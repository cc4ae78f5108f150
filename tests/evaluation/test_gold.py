"""Gold is read in both forms, and what cannot be used is counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.graphs import graph_of
from whatsrelated.errors import ReadError
from whatsrelated.evaluation.gold import read_gold

GRAPH = graph_of("a -> b c d", "b -> c")


@pytest.mark.parametrize("text", ["a 0 b 2\na 0 c 0\n", "a\tb\t2\na\tc\t0\n"])
def test_qrels_and_columns_say_the_same(text: str, tmp_path: Path) -> None:
    path = tmp_path / "gold"
    path.write_text(text)
    assert read_gold(path, GRAPH).queries == {"a": {"b": 2.0, "c": 0.0}}


def test_what_cannot_be_used_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "gold"
    path.write_text("a\tb\na\tb\na\ta\na\tnowhere\nnobody\tb\nb\tc\t0\n# a remark\n\n")
    judged = read_gold(path, GRAPH)
    assert judged.queries == {"a": {"b": 1.0}}
    assert judged.refused.counts == {
        "said before": 1,
        "of a page for itself": 1,
        "for a page that is not in the graph": 1,
        "for a query that is no page of the graph": 1,
        "of a query without a related page": 1,
    }


def test_a_sample_is_drawn_by_its_seed_from_queries_with_enough_gold(tmp_path: Path) -> None:
    path = tmp_path / "gold"
    path.write_text("a\tb\na\tc\nb\tc\nc\ta\nd\ta\n")
    judged = read_gold(path, GRAPH)
    assert list(judged.sample(None, least=2).queries) == ["a"]
    assert judged.sample(2, seed=1).queries == judged.sample(2, seed=1).queries
    drawn = {tuple(judged.sample(2, seed=seed).queries) for seed in range(9)}
    assert len(drawn) > 1


@pytest.mark.parametrize("text", ["a\n", "a\tb\tmuch\n", "a 0 b 1 run\n"])
def test_a_line_that_is_no_gold_is_named(text: str, tmp_path: Path) -> None:
    path = tmp_path / "gold"
    path.write_text("a\tb\n" + text)
    with pytest.raises(ReadError, match=r"line 2: query, page and a rating are wanted"):
        read_gold(path, GRAPH)


def test_an_empty_gold_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "gold"
    path.write_text("")
    with pytest.raises(ReadError, match="has no query with a related page"):
        read_gold(path, GRAPH)
