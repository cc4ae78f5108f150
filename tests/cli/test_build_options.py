"""The options of a build are declared once, and are the same wherever a graph is built."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pytest

import whatsrelated as wr
from tests.cli.commands import related
from whatsrelated.api.building import BuildOptions
from whatsrelated.api.updating import UpdateOptions
from whatsrelated.apps.spark.building import SparkBuildOptions
from whatsrelated.apps.spark.verb import build_command as spark_build
from whatsrelated.cli.build import command as build
from whatsrelated.cli.config_files import options_of
from whatsrelated.cli.parameters import DeclaredOption
from whatsrelated.cli.update import command as update
from whatsrelated.options import Configured, declared_options

KINDS = [(build, BuildOptions), (update, UpdateOptions), (spark_build, SparkBuildOptions)]


@pytest.mark.parametrize(("command", "kind"), KINDS)
def test_every_option_is_a_flag_made_from_its_declaration(
    command: click.Command, kind: type[Configured]
) -> None:
    flags = options_of(command)
    for name in declared_options(kind):
        option = flags[name.replace("_", "-")]
        assert isinstance(option, DeclaredOption)
        assert kind in option.owners


def test_an_option_is_declared_in_one_place() -> None:
    for _, kind in KINDS[1:]:
        for name in declared_options(kind).keys() & declared_options(BuildOptions).keys():
            assert declared_options(kind)[name] is declared_options(BuildOptions)[name]


@pytest.mark.parametrize(
    ("words", "options"),
    [
        (("--least-parents", "2"), {"least_parents": 2}),
        (("--unordered",), {"unordered": True}),
        (("--unordered",), {"ordered": False}),
        (("--hosts-as-urls", "--merge-scheme"), {"hosts_as_urls": True, "merge_scheme": True}),
        (("--store", "packed", "--memory", "1G", "--temp", "."), {"store": "packed", "temp": "."}),
        (("--format", "columns", "--text"), {"format": "columns", "text": True}),
    ],
)
def test_a_build_is_the_same_by_the_command_and_in_python(
    tmp_path: Path, words: tuple[str, ...], options: dict[str, Any]
) -> None:
    (tmp_path / "links.tsv").write_text("a.org b.org\na.org c.org\nd.org b.org\n")
    done = related("build", "links.tsv", "-o", "one.graph", *words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    built = wr.build(tmp_path / "links.tsv", tmp_path / "two.graph", **options)
    assert wr.open(tmp_path / "one.graph").store.fingerprint == built.store.fingerprint


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--keep", "0"), "build: keep must be at least 1, got 0."),
        (("--least-parents", "-1"), "build: least_parents must be at least 0, got -1."),
        (("--memory", "1M"), "build: memory must be at least 128M, such as 512M or 2G, got '1M'."),
    ],
)
def test_a_bound_is_the_declared_one(tmp_path: Path, words: tuple[str, ...], sentence: str) -> None:
    (tmp_path / "links.tsv").write_text("a b\n")
    done = related("build", "links.tsv", *words, cwd=tmp_path)
    assert (done.returncode, sentence in done.stderr) == (2, True)


def test_an_update_cannot_change_options_fixed_by_the_graph(tmp_path: Path) -> None:
    wr.build([wr.Page("a", ["b"])], tmp_path / "web.graph")
    (tmp_path / "links.tsv").write_text("a b\n")
    for name in ("store", "merge_scheme", "least_parents"):
        with pytest.raises(wr.OptionError, match=f"has no option '{name}'"):
            wr.update(tmp_path / "web.graph", tmp_path / "links.tsv", **{name: 1})


def test_help_has_a_capital_a_full_stop_and_the_default() -> None:
    told = " ".join(related("build", "--help-all").stdout.split())
    for text in (
        "--store [auto|plain|packed] How to store links: ",
        "large graphs. [default: auto]",
        "--memory SIZE Maximum memory to use, such as 2G, besides some 80 bytes per page; half of "
        "all memory by default.",
        "--strict / --no-strict Stop at the first bad line instead of counting it.",
    ):
        assert text in told
