"""`related all`: answers for every page, from the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.commands import related

pytest.importorskip("pyarrow")


def test_every_page_is_answered_as_by_related_to(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "all.jsonl"
    done = related("all", "web.graph", "-o", str(out), "--by", "cocitation", "--why", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert done.stderr == f"{out}: 4 pages, 2 results\n"
    lines = {one["url"]: one["results"] for one in map(json.loads, out.read_text().splitlines())}
    assert set(lines) == {f"https://{name}.org/" for name in "abxy"}
    told = related("to", "x.org", "--by", "cocitation", "--why", "--json", cwd=folder)
    (alone,) = json.loads(told.stdout)["results"]
    (found,) = lines["https://x.org/"]
    assert (found["url"], found["score"]) == (alone["url"], alone["score"])
    assert found["reason"] == alone["evidence"]["sentence"]


def test_a_second_run_goes_on_and_another_is_refused(folder: Path, tmp_path: Path) -> None:
    words = ["all", "-o", str(tmp_path / "all.parquet"), "--by", "walk", "--memory", "1G"]
    assert related(*words, cwd=folder).returncode == 0
    again = related(*words, cwd=folder)
    assert "nothing to do, 4 pages were already answered" in again.stderr
    other = related(*words, "--limit", "3", "--new", cwd=folder)
    assert other.returncode == 2
    assert "options limit was 10, is now 3; options new was false, is now true" in other.stderr


def test_missing_shards_and_names_are_reported(folder: Path, tmp_path: Path) -> None:
    pages = tmp_path / "pages.txt"
    pages.write_text("x.org\nnowhere.org\n")
    words = ["all", "-o", str(tmp_path / "all.csv"), "--by", "cocitation", "--pages", str(pages)]
    second = related(*words, "--shard", "2/2", cwd=folder)
    assert "0 pages, 0 results; parts of other shards are missing" in second.stderr
    first = related(*words, "--shard", "1/2", cwd=folder)
    assert "Skipped 1 names that are not in the graph, such as nowhere.org." in first.stderr
    assert (tmp_path / "all.csv").read_text().splitlines() == [
        "url,position,related_url,score,answered_for",
        "https://x.org/,1,https://y.org/,2.0,",
    ]


def test_two_outputs_are_compared(folder: Path, tmp_path: Path) -> None:
    old, new = tmp_path / "old.csv", tmp_path / "new.sqlite"
    related("all", "-o", str(old), "--by", "cocitation", cwd=folder)
    done = related("all", "-o", str(new), "--by", "walk", "--diff", str(old), cwd=folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("4 pages with results: 0 answers are the same, 4 differ")
    assert "Options that differ: by: 'cocitation' -> 'walk'" in done.stdout
    report = tmp_path / "report.html"
    words = ["diff", str(old), str(new), "--json", "--report", str(report), "--limit", "1"]
    found = json.loads(related(*words, cwd=folder).stdout)
    assert (found["pages"], found["only_new"], len(found["changed"])) == (4, 2, 1)
    assert "Answers that changed most" in report.read_text()
    wrong = related("all", "-o", str(tmp_path / "x.csv"), "--diff", "missing.csv", cwd=folder)
    assert wrong.returncode == 2
    assert "missing.csv does not exist; name an output of related all." in wrong.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["-o", "all.odd"], "unknown format of all.odd"),
        (["-o", "all.csv", "--shard", "3/2"], "shard must be K/N"),
        (["-o", "all.csv", "--memory", "1"], "all: memory must be at least"),
        (["-o", "all.csv", "--by", "walk", "--parents", "3"], "walk has no option 'parents'"),
        (["-o", "all.csv", "--pages", "*.net/*"], "selects no pages"),
    ],
)
def test_wrong_use_is_one_sentence(
    folder: Path, tmp_path: Path, words: list[str], told: str
) -> None:
    done = related("all", str(folder / "web.graph"), *words, cwd=tmp_path)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []
