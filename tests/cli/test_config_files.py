"""Options from files: which file takes precedence, and what a file may not set."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from tests.cli.commands import related
from whatsrelated.cli.config_files import (
    FILE,
    PERMITTED,
    SPARK_TEXT,
    Setting,
    Settings,
    commands_of,
    options_of,
    settings_of,
)
from whatsrelated.cli.parameters import ChangingOption, ReadText
from whatsrelated.cli.verbs import VERBS
from whatsrelated.errors import OptionError

ASKED = ("to", "www.nytimes.com", "--csv")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "user" / "whatsrelated").mkdir(parents=True)
    (tmp_path / "project").mkdir()
    return tmp_path


def ask(home: Path, *words: str, **environment: str) -> tuple[int, int, str]:
    """Query in the project: the status, the number of results, and messages."""
    done = related(
        *(words or ASKED),
        cwd=home / "project",
        XDG_CONFIG_HOME=str(home / "user"),
        RELATED_GRAPH="sample",
        **environment,
    )
    assert "Traceback" not in done.stderr
    return done.returncode, max(0, done.stdout.count("\n") - 1), done.stderr


def project(home: Path, text: str) -> None:
    (home / "project" / "related.toml").write_text(text)


def test_the_setting_nearest_to_the_command_line_wins(home: Path) -> None:
    assert ask(home)[1] == 10
    (home / "user" / "whatsrelated" / "related.toml").write_text("limit = 6\n[to]\nby = 'walk'\n")
    assert ask(home)[1] == 6
    project(home, "[to]\nlimit = 5\n")
    assert ask(home)[1] == 5
    assert ask(home, RELATED_TO_LIMIT="4")[1] == 4
    assert ask(home, *ASKED, "--limit", "3", RELATED_TO_LIMIT="4")[1] == 3
    told = related(
        "config",
        "to",
        "--json",
        cwd=home / "project",
        XDG_CONFIG_HOME=str(home / "user"),
        RELATED_TO_SEED="7",
    )
    origin = {row["option"]: (row["value"], row["from"]) for row in json.loads(told.stdout)}
    assert origin["to.limit"] == (5, "related.toml")
    assert origin["to.by"] == ("walk", str(home / "user" / "whatsrelated" / "related.toml"))
    assert origin["to.seed"] == ("7", "$RELATED_TO_SEED")
    assert origin["to.why"] == (False, "default")


def test_the_environment_can_name_another_file_or_none(home: Path) -> None:
    project(home, "limit = 5\n")
    (home / "other.toml").write_text("limit = 2\n")
    assert ask(home, RELATED_CONFIG=str(home / "other.toml"))[1] == 2
    assert ask(home, RELATED_CONFIG="")[1] == 10
    status, _, said = ask(home, RELATED_CONFIG="no.toml")
    assert (status, said.count("\n")) == (2, 1)
    assert "no.toml, named by $RELATED_CONFIG, cannot be read" in said


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("limt = 3", "related.toml: no verb has an option limt; did you mean limit?"),
        ("[to]\nlimt = 3", "related.toml: to has no option limt; did you mean limit?"),
        ("[two]\nlimit = 3", "related.toml: [two] is not a verb of related; did you mean to?"),
        ("[to.lli]\nrank = 3", "related.toml: to has no table lli."),
        ("limit = [3]", "related.toml: to.limit must be one value, not a list; got [3]."),
        ("limit = true", "related.toml: to.limit must be a number or a string, got True."),
        ("[to]\nwhy = 1", "related.toml: to.why must be true or false, got 1."),
        ("[to]\nonly = 'x'", "related.toml: to.only must be a list, in brackets; got 'x'."),
        ("limit = ", "related.toml is not valid TOML: "),
        ("limit = 0", "related: limit must be at least 1"),
        ("a" * (1 << 20) + "=1", "related.toml has more than 1,048,576 bytes"),
    ],
)
def test_a_wrong_key_in_a_file_is_rejected_with_the_closest(
    home: Path, text: str, sentence: str
) -> None:
    project(home, text + "\n")
    status, _, said = ask(home)
    assert status == 2
    assert sentence in said
    if "limit = 0" in text:
        assert "Some options come from files; `related config to` lists them." in said


def test_the_options_of_a_folder_cannot_write_outside_it_or_admit_clients(home: Path) -> None:
    (home / "kept").write_text("mine")
    project(home, "[export]\noutput = '../kept'\nformat = 'edges'\n")
    status, _, said = ask(home, "export")
    assert status == 2
    assert "export.output is '../kept', which is outside the folder of related.toml" in said
    assert (home / "kept").read_text() == "mine"
    project(home, "[export]\nnames-to = '../kept'\n")
    assert (
        "export.names-to is '../kept', which is outside" in ask(home, "export", "-o", "out.tsv")[2]
    )
    for place in ("~/kept", "/kept", "a/../../kept", "\\u0000", ".git/config", "a/.venv/bin/a"):
        project(home, f'[gaps]\nreport = "{place}"\n')
        assert "outside the folder of related.toml" in ask(home, "gaps")[2]
    assert (home / "kept").read_text() == "mine"
    project(home, "[export]\nnames-to = '.git/config'\n")
    assert (
        "export.names-to is '.git/config', which is outside"
        in ask(home, "export", "-o", "out.tsv")[2]
    )
    for place in ("s3://other/edges.tsv", "gs:/other/x", "memory:x"):
        project(home, f"[export]\noutput = '{place}'\n")
        assert "hidden or an address" in ask(home, "export")[2]
    project(home, "[gaps]\nopen-with = 'https://other.example/{path}'\n")
    assert "hidden or an address" in ask(home, "gaps")[2]
    project(home, "graph = '../mine.graph'\n")
    assert "pack.graph is '../mine.graph', which is outside" in ask(home, "pack")[2]
    project(home, "[crawl]\nresolve = ['*=169.254.169.254']\n")
    assert "crawl.resolve could let others in, choose a host" in ask(home, "crawl", "http://x/")[2]
    project(home, "[doctor]\nserver = 'http://10.0.0.1/'\n")
    assert "doctor.server could let others in, choose a host" in ask(home, "config", "doctor")[2]
    project(home, "[serve]\nhost = '0.0.0.0'\n")
    status, _, said = ask(home, "serve")
    assert status == 2
    assert "serve.host could let others in" in said
    project(home, "[mcp]\nhost = '0.0.0.0'\n")
    assert "mcp.host could let others in" in ask(home, "mcp")[2]
    project(home, "[spark.build]\nconf = ['spark.jars=x.jar']\n")
    assert (
        "spark build.conf could let others in, choose a host to connect to or run a program"
        in ask(home, "spark", "build", "x", "-o", "y")[2]
    )
    project(home, "[spark.rank]\nmaster = 'spark://10.0.0.1:7077'\n")
    assert "spark rank.master could let others in" in ask(home, "spark", "rank")[2]
    project(home, "[spark.all]\noutput = '../kept'\n")
    assert "spark all.output is '../kept', which is outside" in ask(home, "spark", "all")[2]


RESTRICTED = {
    "crawl": {"resolve"},
    "doctor": {"server"},
    "mcp": {"host", "token-file"},
    "serve": {
        "accept-into",
        "cors",
        "host",
        "hosts",
        "open",
        "open-with",
        "token-file",
        "tokens",
        "writable",
    },
    "study": {"address", "host", "hosts"},
    "token": {"graphs", "read-only", "tokens"},
}
"""Options that a project's file may not set; a new one must be here or in PERMITTED."""
OUTPUTS = (
    *(
        "accept-into",
        "checkpoint",
        "data",
        "diff",
        "export",
        "graph",
        "into",
        "names-to",
        "output",
        "parquet",
    ),
    *("patch", "per-query", "picture", "report", "sarif", "save-runs", "scratch", "temp"),
    *("tokens", "warc"),
)
"""Options that name something to write, whatever the verb."""


def test_a_new_option_is_restricted_until_its_type_or_a_list_permits_it() -> None:
    known = set(VERBS.ours)
    assert set(PERMITTED) == set(RESTRICTED)
    assert {name for name in known if name in PERMITTED} == set(PERMITTED)
    for verb, restricted in RESTRICTED.items():
        assert set(options_of(VERBS[verb])) == restricted | set(PERMITTED[verb])
    outputs = set()
    for verb in known:
        for command in (VERBS[verb], *commands_of(VERBS[verb]).values()):
            for name, option in options_of(command).items():
                if name in OUTPUTS:
                    outputs.add(name)
                    assert not isinstance(option.type, ReadText), f"{verb} --{name}"
    assert outputs == set(OUTPUTS)


CHANGING = {
    *("gaps apply", "gaps dismiss", "gaps undo", "site remove", "update delete"),
}
FLAGS = (
    *("accept", "allow-empty", "anchors", "browse", "check", "chop", "compare-names", "continue"),
    *("csv", "distinct", "dry-run", "external", "heat", "hosts-as-urls", "http", "hubs", "in"),
    *("index", "internal", "json", "lint", "log-queries", "merge", "merge-scheme", "min-out"),
    *("new", "other-end", "other-folder", "other-site", "out", "own", "places", "plain", "review"),
    *("second-grade", "see-also", "serve", "ship", "sitemaps", "steps", "strict", "tables"),
    *("text", "trim", "unlinked", "unordered", "wait", "weights", "why"),
)
"""Flags that a project's file may set, as they change or delete no data; think before adding."""


def test_a_project_cannot_set_what_changes_or_deletes_data(home: Path) -> None:
    changing, flags = set(), set()
    for verb in VERBS.ours:
        for command in (VERBS[verb], *commands_of(VERBS[verb]).values()):
            for name, option in options_of(command).items():
                if isinstance(option, ChangingOption):
                    changing.add(f"{verb} {name}")
                elif option.is_flag and name in PERMITTED.get(verb, (name,)):
                    flags.add(name)
    assert changing == CHANGING
    assert flags == set(FLAGS)
    for text in ("[gaps]\napply = true", "[update]\ndelete = ['x']", "[site]\nremove = true"):
        project(home, text + "\n")
        told = ask(home, "config", text[1:].partition("]")[0])[2]
        assert "would change or delete data, so a project's file may not set it" in told


def test_a_new_text_option_of_spark_is_restricted_until_its_type_or_a_list_permits_it() -> None:
    choosable = (click.Option(["--new-thing"], type=kind) for kind in (int, click.Choice(["here"])))
    for option in (*choosable, click.Option(["--new-thing"], type=ReadText())):
        value = 4 if option.type is click.INT else "here"
        assert settings_of("spark rank", *_set(option, "spark rank", value))
    spark = [set(options_of(command)) for command in commands_of(VERBS["spark"]).values()]
    assert set(SPARK_TEXT) <= set().union(*spark)
    with pytest.raises(OptionError, match="could let others in"):
        settings_of("spark rank", *_set(click.Option(["--new-thing"]), "spark rank", "here"))


def _set(option: click.Option, verb: str, value: object) -> tuple[click.Command, Settings]:
    return click.Command(verb, params=[option]), {verb: {"new-thing": Setting(value, Path(FILE))}}


@pytest.mark.parametrize("place", ["../kept", "~/kept", ".git/config", "sub/../../kept"])
def test_an_option_without_a_type_cannot_name_a_file_elsewhere(place: str) -> None:
    for option in (
        click.Option(["--new-thing"]),
        click.Option(["--new-thing"], type=click.Path()),
        click.Option(["--new-thing"], type=click.File("w")),
    ):
        with pytest.raises(OptionError, match="outside the folder"):
            settings_of("rank", *_set(option, "rank", place))


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["pipe", "folder"])
def test_a_special_file_is_rejected_at_once(home: Path, make: Callable[[Path], None]) -> None:
    make(home / "project" / "related.toml")
    status, _, said = ask(home)
    assert status == 2
    assert "related.toml is not a regular file; remove it, or rename it." in said
    assert ask(home, RELATED_CONFIG=str(home))[0] == 2


def test_the_help_of_a_verb_has_the_method_that_a_file_chooses(home: Path) -> None:
    project(home, "[to]\nby = 'lli'\n")
    done = related("to", "--help", cwd=home / "project")
    assert "Options of lli" in done.stdout


def set_to(home: Path, option: str, **environment: str) -> tuple[object, str]:
    """The value of an option in the project, and where it comes from."""
    told = related(
        "config",
        option.partition(".")[0],
        "--json",
        cwd=home / "project",
        XDG_CONFIG_HOME=str(home / "user"),
        **environment,
    )
    (row,) = [row for row in json.loads(told.stdout) if row["option"] == option]
    return row["value"], row["from"]


def test_a_file_may_have_the_former_name_of_an_option(home: Path) -> None:
    user = home / "user" / "whatsrelated" / "related.toml"
    walk = ("to", "www.nytimes.com", "--by", "walk", "--limit", "1000", "--csv")
    linked, unlinked = ask(home, *walk)[1], ask(home, *walk, "--unlinked")[1]
    assert unlinked < linked
    user.write_text("[to]\nstrangers = true\n[build]\nnames = 'host'\n")
    assert ask(home, *walk)[1] == unlinked
    assert set_to(home, "to.unlinked") == (True, str(user))
    assert set_to(home, "build.hosts-as-urls") == (True, str(user))
    assert set_to(home, "to.unlinked", RELATED_TO_STRANGERS="0") == ("0", "$RELATED_TO_STRANGERS")
    project(home, "unlinked = false\n")
    assert set_to(home, "to.unlinked") == (True, str(user)), "the verb's own comes first"
    project(home, "[to]\nunlinked = false\n")
    assert set_to(home, "to.unlinked") == (False, "related.toml")
    assert ask(home, *walk)[1] == linked
