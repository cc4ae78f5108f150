"""`related rank` as people type it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.commands import related
from whatsrelated import api
from whatsrelated.stream import Page


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("rank")
    pages = [Page("guide", ["tea", "coffee", "milk"], "The guide"), Page("fan", ["tea", "guide"])]
    api.build(pages, made / "web.graph")
    return made


def test_the_best_pages_are_a_table(folder: Path) -> None:
    done = related("rank", "--by", "in-degree", "--top", "2", cwd=folder)
    assert done.stdout == "#\tscore\tpage\ttitle\n1\t0.4\ttea\t\n2\t0.2\tcoffee\t\n"
    assert done.returncode == 0


def test_hubs_are_returned_on_request(folder: Path) -> None:
    done = related("rank", "--by", "hits", "--hubs", "--top", "1", cwd=folder)
    assert done.stdout.split("\t")[-2:] == ["guide", "The guide\n"]
    done = related("rank", "--by", "pagerank", "--hubs", cwd=folder)
    assert done.returncode == 2
    assert done.stderr.startswith("related: pagerank has no hubs; ")


def test_a_ranking_as_json_and_as_csv(folder: Path) -> None:
    done = related("rank", "--by", "hubrank", "--bias", "in", "--json", "--top", "3", cwd=folder)
    told = json.loads(done.stdout)
    assert (told["version"], told["by"], told["of"]) == (1, "hubrank", "scores")
    assert told["options"]["bias"] == "in"
    assert told["rounds"] > 1
    assert told["residual"] < 1e-10
    assert told["results"][0]["url"] == "tea"
    done = related("rank", "--by", "out-degree", "--csv", "--top", "1", cwd=folder)
    rows = list(csv.reader(io.StringIO(done.stdout)))
    assert rows == [["position", "score", "url", "title"], ["1", "0.6", "guide", "The guide"]]


def test_a_personal_teleport_names_its_pages(folder: Path) -> None:
    words = ("rank", "--by", "pagerank", "--teleport", "guide", "--teleport", "fan", "--json")
    told = json.loads(related(*words, cwd=folder).stdout)
    assert told["options"]["teleport"] == ["guide", "fan"]
    assert told["results"][0]["url"] == "guide"
    done = related("rank", "--teleport", "nowhere", cwd=folder)
    assert done.returncode == 1
    assert "No page nowhere" in done.stderr


def test_not_converging_is_an_error_unless_accepted(folder: Path) -> None:
    done = related("rank", "--max-rounds", "2", cwd=folder)
    assert done.returncode == 2
    assert done.stderr.startswith("related: pagerank: round 2 still changed the scores ")
    done = related("rank", "--max-rounds", "2", "--accept", cwd=folder)
    assert done.returncode == 0
    assert "The scores still change by" in done.stderr


def test_a_rank_is_stored_with_the_graph_and_read_again(folder: Path) -> None:
    related("rank", "--by", "mbcc", cwd=folder)
    (kept,) = (folder / "web.graph" / "ranks").glob("mbcc-*.scores.npy")
    kept.write_bytes(b"")
    done = related("rank", "--by", "mbcc", cwd=folder)
    assert "is missing or damaged. mbcc was computed again." in done.stderr
    assert related("rank", "--by", "mbcc", cwd=folder).stderr == ""


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--by", "magic"], "related: No rank 'magic'; choose from pagerank, "),
        (["--damping", "1.5"], "related: pagerank: damping must be at least 0 and at most 1"),
        (["--by", "mbcc", "--beta", "-1"], "related: mbcc: beta must be at least 0"),
        (
            ["--by", "randomized-hits", "--epsilon", "0"],
            "related: randomized-hits: epsilon must be",
        ),
        (["--by", "in-degree", "--damping", "0.5"], "related: in-degree has no option 'damping'"),
    ],
)
def test_wrong_use_is_one_line_and_exit_status_two(
    folder: Path, words: list[str], line: str
) -> None:
    done = related("rank", *words, cwd=folder)
    assert done.returncode == 2
    assert done.stderr.startswith(line)
    assert done.stderr.count("\n") == 1


def test_all_scores_as_parquet(folder: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    done = related("rank", "--by", "hits", "--parquet", "hits.parquet", cwd=folder)
    assert done.returncode == 0
    table = parquet.read_table(folder / "hits.parquet").to_pydict()
    expected = api.open(folder / "web.graph").rank("hits")
    assert table["url"] == ["coffee", "fan", "guide", "milk", "tea"]
    assert table["page"] == [0, 1, 2, 3, 4]
    assert table["score"] == expected.scores.tolist()
    assert table["hub"] == expected.hubs.tolist()
    done = related("rank", "--parquet", "no/such/folder.parquet", cwd=folder)
    assert done.returncode == 2
    assert "cannot be written" in done.stderr
