"""`related to`: a table, JSON, CSV, and the reasons for every result."""

from __future__ import annotations

import csv
import io
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from click.testing import CliRunner

from tests.cli.commands import RELATED, related, related_on_a_terminal
from whatsrelated.cli import to
from whatsrelated.contract.candidates import Candidates
from whatsrelated.contract.question import Question
from whatsrelated.methods import METHODS, Method


def test_an_answer_is_a_table_and_remarks_go_to_the_other_stream(folder: Path) -> None:
    done = related("to", "x.org", "--by", "cocitation", cwd=folder)
    assert done.stdout == "#\tscore\tpage\ttitle\n1\t2\thttps://y.org/\t\n"
    assert "Using https://x.org/ for x.org." in done.stderr
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
    assert rows == [["position", "score", "url", "title"], ["1", "2.0", "https://y.org/", ""]]


def test_the_reasons_are_printed_for_people(folder: Path) -> None:
    done = related("to", "https://x.org/", "--by", "cocitation", "--why", cwd=folder)
    sentence = "“a.org” and “b.org”, the only two pages that link to “x.org”, also link to “y.org”."
    assert f"   - {sentence}\n" in done.stdout
    assert "     shared parents 2, sampled parents 2\n     parents:\n" in done.stdout
    assert "       https://a.org/ (links 2, distance 1)\n" in done.stdout


def test_the_reasons_of_a_blend_are_those_of_its_parts() -> None:
    done = related("to", "https://www.nytimes.com/", "--graph", "sample", "--limit", "1", "--why")
    lines = [line.strip() for line in done.stdout.splitlines()]
    assert lines[1:] == [
        "strength 38%: likely",
        "- 26 of the 34 pages that link to “The New York Times” also link to “The Washington "
        "Post”, often side by side, for example “Xaver sammelt Links”.",
        "- “The New York Times” and “The Washington Post” both link to “apnews.com”.",
        "",
        "strength: about how likely people are to list this page as related; "
        "comparable across graphs.",
        "strong from 40%; likely from 20%; possible from 5%; below that, the evidence is weak.",
    ]
    assert done.stderr == ""


def test_the_reasons_name_merged_pages() -> None:
    asked = ("to", "https://www.nytimes.com/", "--graph", "sample", "--by", "companion")
    done = related(*asked, "--limit", "1", "--why")
    assert "sampled 34, merged 2, rounds 16" in done.stderr
    assert (
        "https://newslinks.example/, "
        "https://ftp.eastbridge.example/mirrors/newslinks/index.html" in done.stderr
    )


@pytest.mark.parametrize(
    ("by", "reason"),
    [
        ("lli", "back: similarity 0.9"),
        ("extended-cocitation", ", bcp 0.8"),
        ("pagesim", "         paths: https://"),
        ("simrank", "(similarity 1, share "),
        ("hubfinder", "     path:"),
    ],
)
def test_the_reasons_have_the_numbers_of_the_method(by: str, reason: str) -> None:
    asked = ("to", "https://www.nytimes.com/", "--graph", "sample", "--by", by)
    assert reason in related(*asked, "--limit", "3", "--why").stdout


def test_the_reasons_for_several_pages_name_each(folder: Path) -> None:
    asked = ("to", "https://x.org/", "https://y.org/", "--by", "walk", "--limit", "1", "--why")
    told = related(*asked, cwd=folder).stdout
    assert "\n   - “a.org” links to “x.org”" in told
    assert "\n   - “a.org” links to “y.org”" in told


def test_several_patterns_can_be_given() -> None:
    asked = ("to", "https://www.nytimes.com/", "--graph", "sample", "--json")
    left = json.loads(related(*asked, "--without", ".com", "--without", ".org").stdout)
    assert left["results"]
    assert not [r["url"] for r in left["results"] if ".com" in r["url"] or ".org" in r["url"]]


def test_a_page_without_an_answer_exits_with_one(folder: Path) -> None:
    done = related("to", "https://a.org/", "--by", "cocitation", cwd=folder)
    assert done.returncode == 1
    assert "no page links to https://a.org/" in done.stderr


@dataclass(frozen=True)
class Invented(Method):
    """A method of another package, with its own evidence."""

    name: ClassVar[str] = "invented"

    def find(self, question: Question) -> Candidates:
        pages = np.array([page for page in range(4) if page != question.page], np.uint32)
        evidence = {"sentence": "I say so.", "moons": [{"url": "luna", "phase": 0.5}], "tides": 2}
        return Candidates(pages, np.ones(3), evidence=lambda page: evidence)


def test_the_evidence_of_a_new_method_is_printed_without_a_line_for_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(METHODS.installed, "invented", f"{__name__}:Invented")
    words = ["https://x.org/", "--graph", str(folder / "web.graph"), "--by", "invented", "--why"]
    done = CliRunner().invoke(to.command, [*words, "--limit", "1"])
    assert done.stdout.splitlines()[1:] == [
        "   score 1",
        "   - I say so.",
        "     tides 2",
        "     moons: luna (phase 0.5)",
    ]


PAGES = "# mine\nhttps://x.org/\tnote\n\nhttps://nowhere.org/\nhttps://y.org/\n"


def test_many_pages_are_answered_one_after_the_other(folder: Path) -> None:
    (folder / "pages.txt").write_text(PAGES)
    words = ("to", "--from-file", "pages.txt", "--by", "cocitation")
    done = related(*words, cwd=folder)
    assert done.returncode == 1, "one of them is not there"
    assert "No page https://nowhere.org/" in done.stderr
    assert done.stdout.splitlines() == [
        "asked\tposition\tscore\turl\ttitle",
        "https://x.org/\t1\t2\thttps://y.org/\t",
        "https://y.org/\t1\t2\thttps://x.org/\t",
    ]
    rows = list(csv.reader(io.StringIO(related(*words, "--csv", cwd=folder).stdout)))
    assert rows[0] == ["asked", "position", "score", "url", "title"]
    assert [row[3] for row in rows[1:]] == ["https://y.org/", "https://x.org/"]
    lines = related(*words, "--json", cwd=folder).stdout.splitlines()
    assert [json.loads(line)["asked"] for line in lines] == [["https://x.org/"], ["https://y.org/"]]
    shown = related(*words, "--why", cwd=folder).stdout
    assert shown.startswith("Related to https://x.org/:\n1. https://y.org/\n")
    assert "\n\nRelated to https://y.org/:\n" in shown


def test_pages_are_read_from_the_standard_input(folder: Path) -> None:
    done = subprocess.run(
        [RELATED, "to", "-", "--by", "cocitation"],
        input=b"https://x.org/\n\xff\n",
        capture_output=True,
        cwd=folder,
        check=False,
    )
    assert done.returncode == 1, "the second is no name"
    assert b"https://x.org/\t1\t2\thttps://y.org/" in done.stdout
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("to",), "Missing argument 'PAGE...'"),
        (("to", "x.org", "--from-file", "links.tsv"), "give pages or --from-file, not both"),
        (("to", "--from-file", "nothing.txt"), "No such file"),
        (("to", "--from-file", "empty.txt"), "the list has no pages"),
    ],
)
def test_no_pages_or_two_kinds_of_them_are_an_error(
    folder: Path, words: tuple[str, ...], said: str
) -> None:
    (folder / "empty.txt").write_text("# none\n")
    done = related(*words, cwd=folder)
    assert done.returncode == 2
    assert said in done.stderr


@pytest.mark.parametrize(("no_color", "styled"), [("1", False), ("", True)])
def test_no_color_is_honoured(folder: Path, no_color: str, styled: bool) -> None:
    shown = related_on_a_terminal("to", "https://x.org/", "--why", cwd=folder, NO_COLOR=no_color)
    assert "1. https://y.org/" in shown
    assert ("\x1b[" in shown) is styled


METHODS_OF_PAPERS = "cocitation,companion,extended-cocitation,lli,pagesim,simrank,cpa,coupling"
SEVERAL = ("www.bmw.com", "www.ferrari.com", "www.wsj.com", "www.nytimes.com", "www.louvre.fr")


@pytest.mark.parametrize(
    "words",
    [
        ("to", "www.bmw.com", "--clusters", "lli"),
        ("compare", "www.bmw.com", "--by", METHODS_OF_PAPERS),
        ("similarity", *SEVERAL),
        ("common", *SEVERAL[:2]),
        ("rank", "--compare", "pagerank,hubrank,hits,in-degree"),
        ("info",),
    ],
    ids=lambda words: words[0],
)
def test_tables_fit_80_columns(words: tuple[str, ...]) -> None:
    shown = related_on_a_terminal(*words, "--graph", "sample", NO_COLOR="1").splitlines()
    assert len(shown) > 3
    assert [line for line in shown if len(line) > 80] == []


def test_pages_have_weights_and_results_move_away_from_a_page(folder: Path) -> None:
    asked = ("to", "https://x.org/", "https://y.org/:0.5", "--unlike", "https://b.org/:2")
    done = related(*asked, "--json", cwd=folder)
    reply = json.loads(done.stdout)
    assert reply["weights"] == {"https://x.org/": 1.0, "https://y.org/": 0.5}
    assert reply["unlike"] == {"https://b.org/": 2.0}
