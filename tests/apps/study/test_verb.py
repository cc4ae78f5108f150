"""`related study` as people type it: made, rated, exported, evaluated."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.cli.commands import related
from tests.waiting import PATIENCE

QUERIES = "https://www.bmw.com/\nhttps://www.debian.org/\nhttps://nowhere.example/\n"
MAKE = ("study", "sample", "--into", "my.study", "--by", "companion,cocitation", "--port", "0")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study that two judges have rated."""
    made = tmp_path_factory.mktemp("study")
    (made / "queries.txt").write_text(QUERIES)
    command = [sys.executable, "-m", "whatsrelated", *MAKE]
    command += ["--queries", "queries.txt", "--judges", "ann, bob", "--depth", "3"]
    with subprocess.Popen(
        command, cwd=made, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        links = [re.findall(r"http\S+", process.stdout.readline())[0] for _ in range(2)]
        for judge, link in enumerate(links):
            for query in (1, 2):
                places = len(
                    re.findall(r"<fieldset", httpx.get(f"{link}/{query}", timeout=PATIENCE).text)
                )
                ratings = {f"r{n}": str((n + judge) % 2) for n in range(1, places + 1)}
                assert (
                    httpx.post(f"{link}/{query}", data=ratings, timeout=PATIENCE).status_code == 303
                )
        process.send_signal(signal.SIGTERM)
        said = process.communicate()[1]
    assert "2 queries; rejected 1: 1 not in the graph." in said
    assert process.returncode in (0, 128 + signal.SIGTERM)
    return made


def serve_study(folder: Path, *words: str) -> tuple[list[str], str]:
    """Serve a study until its links are printed; the links, and what was said."""
    command = [sys.executable, "-m", "whatsrelated", "study", *words, "--port", "0"]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        links = [re.findall(r"http\S+", process.stdout.readline()) for _ in range(2)]
        pages = [httpx.get(link, timeout=PATIENCE).text for (link,) in links]
        process.send_signal(signal.SIGTERM)
        return pages, process.communicate()[1]


def test_judges_bring_pages_or_have_them_from_a_file(tmp_path: Path) -> None:
    by = ("sample", "--by", "companion", "--own", "--depth", "3")
    pages, said = serve_study(tmp_path, *by, "--judges", "ann,bob", "--into", "open.study")
    assert "Judges bring their own pages, at least 2 each." in said
    assert all("at least 2 URLs" in page for page in pages)
    again, said = serve_study(tmp_path, "--into", "open.study")
    assert all("at least 2 URLs" in page for page in again)
    (tmp_path / "pages.tsv").write_text(
        "https://www.bmw.com/\tann\nhttps://www.debian.org/\tann\n"
        "https://www.bmw.com/\tbob\nhttps://www.nytimes.com/\tbob\n"
    )
    (tmp_path / "run.tsv").write_text("https://www.bmw.com/\t1\thttps://www.jaguar.com/\n")
    known = (*by, "--queries", "pages.tsv", "--run", "other=run.tsv")
    (ann, bob), said = serve_study(tmp_path, *known, "--into", "known.study")
    assert "3 queries; rejected none." in said
    assert "Debian" in ann
    assert "Debian" not in bob
    assert "<textarea" not in ann
    few = related("study", *known, "--judges", "cid", "--into", "few.study", cwd=tmp_path)
    assert few.returncode == 2
    assert "cid needs at least 2 pages in the --queries file, got 0." in few.stderr


def test_one_command_gives_tables_agreement_and_files(folder: Path) -> None:
    done = related("study", "--into", "my.study", "--export", "out", cwd=folder)
    assert done.returncode == 0, done.stderr
    for title in ("Table 3.", "Table 4.", "Table 5.", "Table 6.", "Table 7.", "Agreement between"):
        assert title in done.stdout
    assert re.search(r"ann has rated (\d+) of \1 pages\.", done.stderr)
    assert {path.name for path in (folder / "out").iterdir()} == {
        "qrels.txt",
        "ratings.tsv",
        "judges.tsv",
    }


def test_evaluate_reads_the_ratings_and_finds_the_same(folder: Path) -> None:
    words = ("study", "--into", "my.study", "--export", "again", "--json")
    told = json.loads(related(*words, cwd=folder).stdout)
    assert {judge["to_rate"] for judge in told["study"]["judges"]} == {
        told["study"]["fleiss"]["pages"]
    }
    evaluate = ("evaluate", "sample", "--by", "companion,cocitation", "--limit", "3", "--json")
    for file in ("ratings.tsv", "qrels.txt"):
        same = json.loads(related(*evaluate, "--queries", f"again/{file}", cwd=folder).stdout)
        for method in ("companion", "cocitation"):
            for measure in ("average_precision", "precision"):
                ours = told["groups"][0]["methods"][method][measure]
                assert ours == pytest.approx(same["groups"][0]["methods"][method][measure])


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--into", "my.study", "--by", "lli"], "my.study exists; omit --by"),
        (["--into", "no.study"], "no.study does not exist; create it with --by, and"),
        (
            ["--into", "no.study", "--by", "lli"],
            "--queries or --own is required, and --by or --run",
        ),
        (["--into", "no.study", "--own"], "--queries or --own is required, and --by or --run"),
        (
            ["--into", "no.study", "--own", "--run", "queries.txt"],
            "a --run answers only known pages; name the judges' pages with --queries",
        ),
        (["--into", "my.study", "--own"], "my.study exists; omit --by, --queries, --run and --own"),
        (["--into", "no.study", "--export", "x"], "no.study cannot be used: No such file"),
        (["--into", "queries.txt"], "queries.txt, line 1, is not a line of a study"),
        (
            ["--into", "my.study", "--export", "x", "--by", "lli"],
            "--export cannot be combined with --by",
        ),
    ],
)
def test_wrong_use_is_one_line_and_exit_status_two(
    folder: Path, words: list[str], line: str
) -> None:
    done = related("study", *words, cwd=folder)
    assert done.returncode == 2
    assert line in done.stderr
    assert done.stderr.count("\n") == 1
