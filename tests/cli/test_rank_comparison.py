"""`related rank --compare` as people type it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from tests.cli.commands import related

WORDS = ("rank", "-g", "sample", "--compare", "hits,mbcc,in-degree")


def test_ranks_are_compared_in_three_tables(tmp_path: Path) -> None:
    done = related(*WORDS, "--top", "5", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    took, agree, best = done.stdout.split("\n\n")
    assert [line.split("\t")[0] for line in took.splitlines()[2:]] == ["hits", "mbcc", "in-degree"]
    assert agree.splitlines()[1] == ("shared in the top\t10\t20\t30\t40\t50\tKendall\tRBO")
    assert best.splitlines()[1:3] == [
        "hits\tmbcc\tin-degree\tlinks in\tpage",
        "1\t>5\t>5\t19\thttps://yellowweb.example/",
    ]


def test_everything_is_json_and_the_places_are_csv(tmp_path: Path) -> None:
    told = json.loads(related(*WORDS, "--json", "--max-rounds", "9", cwd=tmp_path).stdout)
    assert [(one["by"], one["rounds"]) for one in told["ranks"]] == [
        ("hits", 9),
        ("mbcc", 9),
        ("in-degree", 0),
    ]
    assert len(told["pages"]) == 20
    assert (told["pairs"][0]["x"], told["pairs"][0]["y"]) == ("hits", "mbcc")
    rows = list(csv.reader(io.StringIO(related(*WORDS, "--csv", cwd=tmp_path).stdout)))
    assert rows[0] == ["url", "links", "hits", "mbcc", "in-degree"]
    assert [int(row[2]) for row in rows[1:]] == sorted(int(row[2]) for row in rows[1:])


def test_convergence_is_drawn(tmp_path: Path) -> None:
    done = related(*WORDS, "--picture", "ranks.svg", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    drawn = (tmp_path / "ranks.svg").read_text()
    assert all(f"<!-- {name}: " in drawn for name in ("hits", "mbcc"))
    assert "<!-- in-degree" not in drawn
    done = related("rank", "-g", "sample", "--picture", "ranks.svg", cwd=tmp_path)
    assert done.returncode == 2
    assert "--picture needs --compare" in done.stderr
