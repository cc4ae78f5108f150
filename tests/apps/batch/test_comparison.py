"""Two outputs of `related all` are compared page by page, in any two formats."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.apps.batch.outputs import answer, job_for
from whatsrelated.api import Graph
from whatsrelated.apps.batch.comparison import compare_outputs, rank_biased_overlap
from whatsrelated.apps.batch.job import Shard
from whatsrelated.apps.batch.run import answer_all
from whatsrelated.errors import OptionError, ReadError

pytest.importorskip("pyarrow")

lists = st.lists(st.sampled_from("abcdefgh"), max_size=8, unique=True)


def by_the_book(one: list[str], other: list[str], p: float) -> float:
    """WMZ10, eq. 32, every agreement counted from scratch."""
    short, long = sorted((one, other), key=len)
    if not short:
        return 0.0 if long else 1.0
    s, n = len(short), len(long)
    shared = [len({*short[:d]} & {*long[:d]}) for d in range(n + 1)]
    seen = sum(shared[d] / d * p**d for d in range(1, n + 1))
    beyond = sum(shared[s] * (d - s) / (s * d) * p**d for d in range(s + 1, n + 1))
    return (1 - p) / p * (seen + beyond) + ((shared[n] - shared[s]) / n + shared[s] / s) * p**n


@given(lists, lists, st.floats(0.1, 0.99))
def test_rank_biased_overlap_is_that_of_the_paper(
    one: list[str], other: list[str], p: float
) -> None:
    found = rank_biased_overlap(one, other, p)
    assert found == pytest.approx(by_the_book(one, other, p), abs=1e-12)
    assert found == pytest.approx(rank_biased_overlap(other, one, p), abs=1e-12)
    assert -1e-12 <= found <= 1 + 1e-12


def test_rank_biased_overlap_by_hand() -> None:
    assert rank_biased_overlap(["a", "b"], ["b", "a"]) == pytest.approx(0.9)
    assert rank_biased_overlap(["a", "b"], ["a", "c"]) == pytest.approx(0.1 + 0.045 + 0.405)
    assert rank_biased_overlap([], ["a"]) == 0
    assert rank_biased_overlap([], []) == 1


OLD = [("p", "tea"), ("p", "coffee"), ("q", "tea"), ("q", "milk"), ("r", "salt"), ("r", "pepper")]
NEW = [("p", "tea"), ("p", "coffee"), ("q", "tea"), ("q", "cocoa"), ("s", "ink"), ("s", "pen")]


@pytest.mark.parametrize("ending", ["parquet", "jsonl", "csv.gz", "sqlite"])
def test_what_changed_is_counted_and_the_most_changed_come_first(
    tmp_path: Path, ending: str
) -> None:
    old, new = tmp_path / "old.parquet", tmp_path / f"new.{ending}"
    answer(Graph.from_links(OLD), old)
    answer(Graph.from_links(NEW), new)
    found = compare_outputs(old, new)
    assert (found.pages, found.same, found.changed_pages) == (8, 1, 7)
    assert (found.only_old, found.only_new) == (3, 3)
    changed = {one.url: one for one in found.changed}
    assert set(changed) == {"tea", "milk", "salt", "pepper", "cocoa", "ink", "pen"}
    assert (changed["tea"].shared, changed["tea"].of) == (1, 2)
    assert (changed["tea"].came, changed["tea"].gone) == (["cocoa"], ["milk"])
    assert found.changed[-1].url == "tea"
    assert found.mean_overlap == pytest.approx((1 + 0.5) / 8)


def test_equal_answers_are_the_same_in_every_format(web: Graph, tmp_path: Path) -> None:
    endings = ["parquet", "jsonl.gz", "csv", "sqlite"]
    for ending in endings:
        answer(web, tmp_path / f"all.{ending}", limit=3)
    for ending in endings[1:]:
        found = compare_outputs(tmp_path / "all.parquet", tmp_path / f"all.{ending}")
        assert found.same == found.pages > 1000
        assert found.changed == []
        assert found.settings == []
        assert (found.mean_overlap, found.mean_rbo) == (1, 1)


def test_settings_that_differ_are_named_and_the_limit_is_kept(web: Graph, tmp_path: Path) -> None:
    old, new = tmp_path / "old.csv", tmp_path / "new.csv"
    answer(web, old, limit=3)
    answer(web, new, limit=3, count="window")
    found = compare_outputs(old, new, limit=4)
    assert found.settings == ["count: 'page' -> 'window'"]
    assert len(found.changed) == 4 < found.changed_pages
    rbos = [one.rbo for one in found.changed]
    assert rbos == sorted(rbos)
    every = compare_outputs(old, new, limit=10_000)
    assert every.changed[:4] == found.changed


def test_an_incomplete_output_is_rejected(web: Graph, tmp_path: Path) -> None:
    whole, part = tmp_path / "whole.csv", tmp_path / "part.parquet"
    answer(web, whole)
    answer_all(web, job_for(web, part), shard=Shard(1, 3), processes=1)
    with pytest.raises(OptionError, match="is not complete"):
        compare_outputs(whole, part)
    (tmp_path / "mine.csv").write_text("url\n")
    with pytest.raises(OptionError, match=r"not an output of related all.*mine.csv.manifest.json"):
        compare_outputs(whole, tmp_path / "mine.csv")


@pytest.mark.parametrize("ending", ["parquet", "jsonl", "csv.gz", "sqlite"])
def test_a_damaged_output_is_one_sentence(web: Graph, tmp_path: Path, ending: str) -> None:
    output = tmp_path / f"all.{ending}"
    answer(web, output)
    file = output / "part-000002.parquet" if output.is_dir() else output
    data = file.read_bytes()
    file.write_bytes(b"\0\1" + data[2 : len(data) // 2])
    with pytest.raises(ReadError, match=r"cannot be read|out of order"):
        compare_outputs(output, output)
