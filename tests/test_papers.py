"""The list of the papers' points names modules, tests and places that exist; its commands run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import click
import httpx
import pytest

from tests.waiting import PATIENCE
from whatsrelated import sample
from whatsrelated.api import build
from whatsrelated.apps.evaluate.contenders import contenders
from whatsrelated.apps.study.journal import Journal, Rating
from whatsrelated.apps.study.plan import plan_study
from whatsrelated.cli import related
from whatsrelated.cli.verbs import VERBS
from whatsrelated.methods import METHODS
from whatsrelated.ranks import RANKS

TOP = Path(__file__).parent.parent
TEXT = (TOP / "docs" / "reports" / "papers.md").read_text(encoding="utf-8")
ROW = re.compile(
    r"\| (?P<place>[^|]+) \| (?P<what>[^|]+) \| (?P<state>[^|]+) "
    r"\| (?:–|\[[^]]+\]\(\.\./\.\./(?P<code>[^)]+)\)) "
    r"\| (?:–|\[[^]]+\]\(\.\./\.\./(?P<tests>[^)]+)\): (?:`(?P<test>\w+)`|the whole file)) "
    r"\| (?:–|`(?P<command>[^`]+)`) \|"
)
STATES = ("exact", "other data", "ours", "gone", "nothing to do")
DIFFERS = re.compile(r"\[differs\]\((?P<page>[^)#]+)#(?P<anchor>differences-from-the-papers?)\)")
POINTS = TEXT[TEXT.index("\n## ") :].splitlines()
ROWS = [line for line in POINTS if line.startswith("| ") and not line.startswith("| in the paper")]


def serves(command: str) -> bool:
    return command.split()[1] in ("serve", "study")


def parts_of(line: str) -> dict[str, str | None]:
    found = ROW.fullmatch(line)
    assert found is not None, f"not a row of the list: {line}"
    return found.groupdict()


@cache
def verb(name: str) -> click.Command:
    command = related.get_command(click.Context(related), name)
    assert command is not None, name
    return command


def wrong_words(command: str) -> list[str]:
    """The words of a command that do not exist: verbs, options, methods, ranks, modules."""
    words = command.split()
    if words[:2] == ["python", "-m"]:
        module = TOP / f"{words[2].replace('.', '/')}.py"
        if not module.is_file():
            module = module.with_suffix("") / "__main__.py"
        text = module.read_text(encoding="utf-8") if module.is_file() else ""
        options = [word for word in words[3:] if word.startswith("--")]
        return [words[2]] * (not text) + [word for word in options if f'"{word}"' not in text]
    if words[0] != "related" or words[1] not in VERBS:
        return words[:2]
    options = {flag for p in verb(words[1]).params for flag in [*p.opts, *p.secondary_opts]}
    options.add("--help")
    wrong = [word for word in words[2:] if word.startswith("--") and word not in options]
    for flag, value in pairwise(words):
        known = RANKS if words[1] == "rank" else METHODS
        if flag in ("--by", "--compare"):
            wrong += [name for name in value.split(",") if name not in known]
    return wrong


@pytest.mark.parametrize("line", ROWS, ids=lambda line: line.split("|")[2].strip()[:50])
def test_what_a_paper_describes_is_there_tested_and_shown(line: str) -> None:
    row = parts_of(line)
    assert row["state"] in STATES or DIFFERS.fullmatch(row["state"] or "")
    assert re.match(r"(sec\. [\d.]+|Table|Fig)", row["place"] or ""), "a place in the paper"
    if row["state"] == "nothing to do":
        return
    assert row["code"] is not None
    assert row["tests"] is not None
    assert row["command"] is not None
    assert (TOP / row["code"]).is_file(), row["code"]
    tests = TOP / row["tests"]
    assert tests.is_file(), row["tests"]
    if row["test"] is not None:
        assert re.search(rf"^def {row['test']}\(", tests.read_text(encoding="utf-8"), re.MULTILINE)
    assert wrong_words(row["command"]) == []


def test_every_difference_has_its_reason() -> None:
    """The linked section exists, and each page with one is linked to."""
    linked = {match["page"] for match in DIFFERS.finditer(TEXT)}
    for page in linked:
        text = (TOP / "docs" / "reports" / page).read_text(encoding="utf-8")
        assert re.search(r"^## Differences from the papers?$", text, re.MULTILINE), page
    folder = TOP / "docs" / "explanation"
    explained = {
        f"../explanation/{path.relative_to(folder).as_posix()}"
        for path in folder.rglob("*.md")
        if "## Differences from the paper" in path.read_text(encoding="utf-8")
    }
    assert explained - linked == {"../explanation/methods/cpa.md"}, "SG16 is not one of the five"


def test_every_paper_has_its_list() -> None:
    papers = re.findall(r"^## (\w+)$", TEXT, re.MULTILINE)
    assert papers == ["DH99", "HZ03", "CON04", "LLK06", "XH14"]
    assert len(ROWS) > 139


@pytest.mark.parametrize(
    ("command", "wrong"),
    [
        ("related to PAGE --by companion", []),
        ("related to PAGE --by magic", ["magic"]),
        ("related to PAGE --wand 3", ["--wand"]),
        ("related rank --compare hits,companion", ["companion"]),
        ("related conjure", ["related", "conjure"]),
        ("python -m benchmarks.magic DATA", ["benchmarks.magic"]),
        ("python -m benchmarks.ablations DATA --wand", ["--wand"]),
    ],
)
def test_a_command_that_does_not_exist_is_found(command: str, wrong: list[str]) -> None:
    assert wrong_words(command) == wrong


# Every command runs.

PAGE = "https://www.debian.org/"
PLACEHOLDERS = {
    "GRAPH": "web.graph",
    "SOURCE": "site",
    "DATA": "data",
    "STUDY": "my.study",
    "OWNED": "owned.tsv",
    "FOLDER": "out",
}
FILES = {"--queries": "rated.tsv", "--run": "run.tsv", "--stop": "stop.txt", "--into": "new.study"}
COMMANDS = sorted({row["command"] or "" for row in map(parts_of, ROWS)} - {""})
OURS = [command for command in COMMANDS if command.startswith("related ")]


def words_of(command: str) -> list[str]:
    """A command with its placeholders filled in; the second PAGE is another one."""
    pages = iter([PAGE, "https://fedoraproject.org/"])
    words: list[str] = []
    for word in command.split()[1:]:
        if word == "PAGE":
            words.append(next(pages))
        elif word.startswith("FILE"):
            words.append(FILES.get(words[-1], word.replace("FILE", "file")))
        else:
            words.append(PLACEHOLDERS.get(word, word))
    return words


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample Web, the files that the commands name, and a rated study."""
    made = tmp_path_factory.mktemp("papers")
    pages = (replace(page, text=page.title) for page in sample.pages())
    graph = build(pages, made / "web.graph", text=True)
    (made / "site").mkdir()
    (made / "site" / "index.html").write_text("<a href=tea.html>Tea</a>")
    (made / "site" / "tea.html").write_text("<a href=index.html>Home</a>")
    related_pages = ("https://fedoraproject.org/", "https://ubuntu.com/", "https://www.gnome.org/")
    (made / "rated.tsv").write_text("".join(f"{PAGE}\t{page}\t1\n" for page in related_pages))
    (made / "owned.tsv").write_text(f"{PAGE}\tann\nhttps://www.bmw.com/\tann\n")
    (made / "run.tsv").write_text(f"{PAGE}\t1\thttps://fedoraproject.org/\n")
    (made / "stop.txt").write_text("https://webatlas.example/\n")
    plan = plan_study(graph, "web.graph", [PAGE], contenders("companion,cocitation"))
    with Journal.create(made / "my.study", plan) as journal:
        journal.add_judges(["ann", "bob"])
        rated = [Rating(judge, PAGE, plan.pools[0].pages[0].url, 1) for judge in ("ann", "bob")]
        journal.rate(rated)
    return made


@pytest.mark.parametrize("command", [one for one in OURS if "--export" in one or not serves(one)])
def test_a_command_of_the_list_runs(
    command: str, place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(place)
    monkeypatch.delenv("RELATED_GRAPH", raising=False)
    status = related.main(words_of(command), prog_name="related", standalone_mode=False)
    assert status in (0, None), capsys.readouterr().err
    assert capsys.readouterr().out


@pytest.mark.parametrize("command", [one for one in OURS if "--export" not in one and serves(one)])
def test_a_server_of_the_list_starts(command: str, place: Path) -> None:
    (place / "new.study").unlink(missing_ok=True)
    words = [sys.executable, "-m", "whatsrelated", *words_of(command), "--port", "0"]
    environment = {name: value for name, value in os.environ.items() if name != "RELATED_GRAPH"}
    with subprocess.Popen(
        words,
        cwd=place,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        address = re.search(r"http://127\.0\.0\.1:\S+", process.stdout.readline())
        status = httpx.get(address[0], timeout=PATIENCE).status_code if address else 0
        process.terminate()
        assert status == 200, process.communicate(timeout=PATIENCE)[1]
