"""The command as people type it: what it prints, where, and with which exit status."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

RELATED = Path(sys.executable).with_name("related")
LINKS = "https://a.org/\thttps://x.org/\nhttps://a.org/\thttps://y.org/\nhttps://b.org/\thttps://y.org/\nhttps://b.org/\thttps://x.org/\n"


def related(
    *words: str, cwd: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [RELATED, *words],
        capture_output=True,
        text=True,
        cwd=cwd,
        check=False,
        env={**os.environ, **environment},
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with links.tsv and the graph made of it."""
    made = tmp_path_factory.mktemp("cli")
    (made / "links.tsv").write_text(LINKS)
    done = related("build", "links.tsv", cwd=made)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "web.graph: 4 pages, 4 links\n"
    return made


def test_an_answer_is_a_table_and_remarks_go_to_the_other_stream(folder: Path) -> None:
    done = related("to", "x.org", "--by", "cocitation", cwd=folder)
    assert done.stdout == "1\t2\thttps://y.org/\t\n"
    assert "x.org is here as https://x.org/." in done.stderr
    assert done.returncode == 0


def test_an_answer_as_json_and_as_csv(folder: Path) -> None:
    done = related("to", "https://x.org/", "--by", "cocitation", "--json", "--why", cwd=folder)
    told = json.loads(done.stdout)
    assert told["version"] == 1
    assert told["results"][0]["url"] == "https://y.org/"
    assert told["results"][0]["evidence"]["shared_parents"] == 2
    assert told["options"]["parents"] == 2000
    done = related("to", "https://x.org/", "--by", "cocitation", "--csv", cwd=folder)
    rows = list(csv.reader(io.StringIO(done.stdout)))
    assert rows == [["place", "score", "url", "title"], ["1", "2.0", "https://y.org/", ""]]


def test_the_reasons_are_printed_for_people(folder: Path) -> None:
    done = related("to", "https://x.org/", "--by", "cocitation", "--why", cwd=folder)
    assert "2 of 2 parents link to both pages" in done.stdout
    assert "https://a.org/: 2 links, these two 1 apart" in done.stdout


def test_the_reasons_of_a_blend_are_those_of_its_parts() -> None:
    done = related("to", "https://www.nytimes.com/", "--graph", "sample", "--limit", "1", "--why")
    first, second = (line.strip() for line in done.stdout.splitlines()[2:4])
    assert first.startswith("cpa, 56%: 26 of 34 parents link to both pages")
    assert second.startswith("walk, 22%: A walk from the page")


def test_the_reasons_say_which_pages_were_taken_as_one() -> None:
    asked = ("to", "https://www.nytimes.com/", "--graph", "sample", "--by", "companion")
    done = related(*asked, "--limit", "1", "--why")
    assert "sampled 34, merged 2, rounds 16" in done.stderr
    assert (
        "near-duplicates, taken as one page: https://newslinks.example/, "
        "https://ftp.eastbridge.example/mirrors/newslinks/index.html" in done.stderr
    )


@pytest.mark.parametrize(
    ("by", "reason"),
    [
        ("lli", "by parents: bcp "),
        ("extended-cocitation", "by parents: bcp "),
        ("pagesim", "source https://"),
        ("simrank", "common parent https://"),
    ],
)
def test_the_reasons_have_the_numbers_of_the_method(by: str, reason: str) -> None:
    asked = ("to", "https://www.nytimes.com/", "--graph", "sample", "--by", by)
    assert reason in related(*asked, "--limit", "3", "--why").stdout


def test_the_reasons_for_several_pages_name_each(folder: Path) -> None:
    asked = ("to", "https://x.org/", "https://y.org/", "--by", "walk", "--limit", "1", "--why")
    told = related(*asked, cwd=folder).stdout
    assert "Of https://x.org/: " in told
    assert "Of https://y.org/: " in told


def test_several_patterns_can_be_given() -> None:
    asked = ("to", "https://www.nytimes.com/", "--graph", "sample", "--json")
    left = json.loads(related(*asked, "--without", ".com", "--without", ".org").stdout)
    assert left["results"]
    assert not [r["url"] for r in left["results"] if ".com" in r["url"] or ".org" in r["url"]]


def test_help_tells_the_default_of_each_method() -> None:
    told = " ".join(related("to", "--help").stdout.split())
    assert "--siblings INT|all" in told
    assert "default 8 [companion]; default 200 [extended-cocitation, lli]" in told
    assert "(γ); default 0.8 [simrank]; or how much fewer to keep farther away (α)" in told


def test_links_are_shown_in_both_directions(folder: Path) -> None:
    done = related("links", "https://b.org/", cwd=folder)
    assert done.stdout == "->\thttps://y.org/\t\n->\thttps://x.org/\t\n"
    done = related("links", "https://x.org/", "--in", "--json", cwd=folder)
    assert json.loads(done.stdout)["in"] == ["https://a.org/", "https://b.org/"]


def test_info_tells_sizes_and_how_the_graph_was_built(folder: Path) -> None:
    told = json.loads(related("info", "--json", cwd=folder).stdout)
    assert (told["pages"], told["links"], told["hosts"]) == (4, 4, 4)
    assert told["built"]["sources"] == ["links.tsv"]
    assert told["degrees"][0] == {"degree": "0", "in": 2, "out": 2}
    assert "link order        known" in related("info", cwd=folder).stdout


def test_check_says_that_all_is_well_or_what_is_not(folder: Path, tmp_path: Path) -> None:
    assert related("check", cwd=folder).stdout == ("4 pages and 4 links: all as it was written.\n")
    related("build", str(folder / "links.tsv"), "-o", str(tmp_path / "bad.graph"))
    file = tmp_path / "bad.graph" / "generation-000001" / "in.links.npy"
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(bytes(data))
    done = related("check", "--graph", str(tmp_path / "bad.graph"))
    assert done.returncode == 2
    assert "in.links.npy does not have the bytes that were written" in done.stderr


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["to", "https://nowhere.org/"], 1, "related: No page https://nowhere.org/ in web.graph; "),
        (["to", "https://x.org/", "--by", "magic"], 2, "related: No method 'magic'; there are: "),
        (
            ["to", "https://x.org/", "--by", "cocitation", "--parents", "0"],
            2,
            "related: cocitation: parents must be at least 1, got 0.",
        ),
        (
            ["to", "https://x.org/", "--limit", "none"],
            2,
            "related: limit must be at least 1",
        ),
        (["to", "https://x.org/", "--graph", "no.graph"], 2, "related: no.graph does not exist; "),
        (["build", "no.tsv"], 2, "no.tsv"),
        (["build", "links.tsv", "--memory", "1M"], 2, "build: memory must be at least 128M"),
        (["sing"], 2, "No such command 'sing'"),
        (["to"], 2, "Missing argument"),
    ],
)
def test_every_error_is_one_line_and_an_exit_status(
    folder: Path, words: list[str], status: int, message: str
) -> None:
    done = related(*words, cwd=folder)
    assert done.returncode == status
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_page_without_an_answer_exits_with_one(folder: Path) -> None:
    done = related("to", "https://a.org/", "--by", "cocitation", cwd=folder)
    assert done.returncode == 1
    assert "no page links to https://a.org/" in done.stderr


def test_the_graph_can_be_named_by_the_environment(folder: Path) -> None:
    done = related("info", RELATED_GRAPH=str(folder / "web.graph"))
    assert done.returncode == 0


def test_the_demo_answers_with_reasons_and_says_what_to_try() -> None:
    done = related("demo")
    assert "The Washington Post" in done.stdout
    assert "parents link to both pages" in done.stdout
    assert "Try next:" in done.stdout


def test_the_plain_twins_serve_where_nothing_is_compiled(folder: Path) -> None:
    done = related("to", "x.org", "--by", "cocitation", cwd=folder, RELATED_KERNELS="plain")
    assert done.stdout == "1\t2\thttps://y.org/\t\n"
    assert "plain kernels" in related("--version", RELATED_KERNELS="plain").stdout


def test_a_pipe_that_closes_is_no_error(folder: Path) -> None:
    done = subprocess.run(
        f"{RELATED} links https://a.org/ | true",
        shell=True,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""


def test_temporary_space_is_said_beforehand_where_memory_may_not_do(tmp_path: Path) -> None:
    (tmp_path / "links.tsv").write_text(LINKS)
    with (tmp_path / "large.tsv").open("wb") as file:
        file.write(b"# " + b"x" * (50 << 20) + b"\n")
    words = ["build", "links.tsv", "large.tsv", "--memory", "128M"]
    done = related(*words, cwd=tmp_path)
    assert "Temporary files may take up to 0.2 GB in web.graph, where " in done.stderr
    assert "Temporary" not in related("build", "links.tsv", cwd=tmp_path).stderr
