"""The list of the papers' contents names modules, tests and commands that exist."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import click
import pytest

from whatsrelated.cli import related
from whatsrelated.cli.verbs import VERBS
from whatsrelated.methods import METHODS
from whatsrelated.ranks import RANKS

TOP = Path(__file__).parent.parent
TEXT = (TOP / "docs" / "reports" / "papers.md").read_text(encoding="utf-8")
ROW = re.compile(
    r"\| (?P<place>[^|]+) \| (?P<what>[^|]+) \| \[[^]]+\]\(\.\./\.\./(?P<code>[^)]+)\) "
    r"\| \[[^]]+\]\(\.\./\.\./(?P<tests>[^)]+)\): (?:`(?P<test>\w+)`|all of it) "
    r"\| `(?P<command>[^`]+)` \|"
)
LINES = [line for line in TEXT.splitlines() if line.startswith("| ") and "|---" not in line]
ROWS = [line for line in LINES if not line.startswith("| in the paper")]


def parts_of(line: str) -> dict[str, str]:
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
        text = module.read_text(encoding="utf-8") if module.is_file() else ""
        options = [word for word in words[3:] if word.startswith("--")]
        return [words[2]] * (not text) + [word for word in options if f'"{word}"' not in text]
    if words[0] != "related" or words[1] not in VERBS:
        return words[:2]
    options = {flag for p in verb(words[1]).params for flag in [*p.opts, *p.secondary_opts]}
    wrong = [word for word in words[2:] if word.startswith("--") and word not in options]
    for flag, value in pairwise(words):
        known = RANKS if words[1] == "rank" else METHODS
        if flag in ("--by", "--compare"):
            wrong += [name for name in value.split(",") if name not in known]
    return wrong


@pytest.mark.parametrize("line", ROWS, ids=lambda line: line.split("|")[2].strip()[:50])
def test_what_a_paper_describes_is_there_tested_and_shown(line: str) -> None:
    row = parts_of(line)
    assert (TOP / row["code"]).is_file(), row["code"]
    tests = TOP / row["tests"]
    assert tests.is_file(), row["tests"]
    if row["test"] is not None:
        assert re.search(rf"^def {row['test']}\(", tests.read_text(encoding="utf-8"), re.MULTILINE)
    assert wrong_words(row["command"]) == []


def test_every_paper_has_its_list() -> None:
    papers = re.findall(r"^## (\w+)$", TEXT, re.MULTILINE)
    assert papers == ["DH99", "HZ03", "CON04", "LLK06", "XH14"]
    assert len(ROWS) > 100


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
