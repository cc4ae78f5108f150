"""Options of the command line: help, the environment, former names."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

import whatsrelated as wr
from tests.cli.commands import related
from whatsrelated.cli.config_files import commands_of, former_options
from whatsrelated.cli.config_files import options_of as options_of_command
from whatsrelated.cli.parameters import GraphChoice, drop_unset, graph_option, options_of
from whatsrelated.cli.verbs import VERBS
from whatsrelated.names.naming import Naming
from whatsrelated.query.filters import Filters
from whatsrelated.sources.names import NamesFile


def test_help_shows_the_default_of_each_method() -> None:
    told = " ".join(related("compare", "--help-all").stdout.split())
    assert "--siblings INT|all" in told
    assert "[default: 8 (cocitation, companion), 40 (extended-" in told
    assert (
        "(γ). [default: 0.8 (simrank)] How fast the number of pages kept falls with distance (α)."
        in told
    )


def test_the_graph_can_be_named_by_the_environment(folder: Path) -> None:
    done = related("info", RELATED_GRAPH=str(folder / "web.graph"))
    assert done.returncode == 0


STILL_NEAR = {("host", "hosts"), ("shard", "shared"), ("table", "tables"), ("to", "top")}
"""Options that differ by a letter; no others may be added."""


@click.command()
@options_of([Naming, NamesFile, Filters])
def command(**options: Any) -> None:
    click.echo(json.dumps(drop_unset(options)))


def typed(*words: str, **environment: str) -> Any:
    done = CliRunner(env=environment).invoke(command, words, auto_envvar_prefix="RELATED_TO")
    return done.output if done.exit_code else json.loads(done.output)


def test_a_former_flag_is_accepted_and_not_shown() -> None:
    assert typed("--strangers") == {"unlinked": True}
    assert typed("--no-strangers", "--unlinked") == {"unlinked": True}
    assert typed("--unlinked", "--no-strangers") == {"unlinked": False}
    assert typed("--names-from", "1") == {"first_number": "1"}
    assert typed("--names", "host") == {"hosts_as_urls": True}
    assert typed("--names=auto") == {"hosts_as_urls": False}
    assert "Invalid value" in typed("--names", "other")
    help_text = CliRunner().invoke(command, ["--help"]).output
    assert "--unlinked" in help_text
    assert "--strangers" not in help_text
    assert "--names " not in help_text


def test_a_former_name_in_the_environment_is_accepted() -> None:
    assert typed(RELATED_TO_STRANGERS="1") == {"unlinked": True}
    assert typed(RELATED_TO_NAMES="host") == {"hosts_as_urls": True}
    assert typed(RELATED_TO_STRANGERS="1", RELATED_TO_UNLINKED="0") == {"unlinked": False}
    assert typed("--no-unlinked", RELATED_TO_STRANGERS="1") == {"unlinked": False}


@pytest.mark.parametrize("verb", VERBS)
def test_no_two_options_of_a_verb_are_easily_confused(verb: str) -> None:
    for one in (VERBS[verb], *commands_of(VERBS[verb]).values()):
        present, former = list(options_of_command(one)), list(former_options(one))
        assert not set(former) & set(present)
        assert len(set(former)) == len(former)
        near = {(a, b) for a, b in combinations(sorted(present), 2) if within_one_letter(a, b)}
        assert near <= STILL_NEAR


def within_one_letter(a: str, b: str) -> bool:
    """Whether one letter added, removed or replaced makes one of the other."""
    short, long = sorted((a, b), key=len)
    if len(short) == len(long):
        return sum(x != y for x, y in zip(short, long, strict=True)) <= 1
    return any(long[:i] + long[i + 1 :] == short for i in range(len(long)))


@click.command()
@graph_option
def chosen(graph: GraphChoice) -> GraphChoice:
    return graph


def test_a_command_is_given_one_graph_and_how_to_open_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RELATED_GRAPH", raising=False)
    words = ["-g", "old.graph", "--verify", "none", "--generation", "2"]
    assert chosen.main(words, standalone_mode=False) == GraphChoice("old.graph", "none", 2)
    assert chosen.main([], standalone_mode=False) == GraphChoice()
    assert GraphChoice().folder == Path("web.graph")
    assert GraphChoice("sample").folder is None


def test_another_thread_opens_the_same_generation_again(tmp_path: Path) -> None:
    folder = tmp_path / "web.graph"
    for links in (["a"], ["a", "b"]):
        wr.build([wr.Page("p", links)], folder, keep=2)
    choice = GraphChoice().at(str(folder))
    older = replace(choice, generation=1)
    with ThreadPoolExecutor(1) as pool:
        assert len(pool.submit(older.open).result()) == 2
        assert len(pool.submit(choice.open).result()) == 3


def test_the_environment_gives_way_to_a_graph_on_the_command_line(tmp_path: Path) -> None:
    words = ("evaluate", "sample", "--hold-out", "0.01", "--by", "cocitation", "--patience", "9")
    done = related(*words, cwd=tmp_path, RELATED_GRAPH="sample")
    assert "only one graph" not in done.stderr
    assert done.returncode == 0
