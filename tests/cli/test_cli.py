"""The command itself: errors are one line and an exit status."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path
from shlex import quote

import pytest

from tests.cli.commands import RELATED, related
from whatsrelated.cli.verbs import GROUPS, VERBS


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["to", "https://nowhere.org/"], 1, "related: No page https://nowhere.org/ in web.graph; "),
        (["to", "https://x.org/", "--by", "magic"], 2, "related: No method 'magic'; choose from "),
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
        (["sing"], 2, "No command, folder or file 'sing'"),
        (["x.org"], 2, "to ask about a page: related to x.org"),
        (["gaps", "links.tsv"], 2, "build one with: related build links.tsv -o web.graph"),
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


def test_the_plain_twins_are_used_if_nothing_is_compiled(folder: Path) -> None:
    done = related("to", "x.org", "--by", "cocitation", cwd=folder, RELATED_KERNELS="plain")
    assert done.stdout == "#\tscore\tpage\ttitle\n1\t2\thttps://y.org/\t\n"
    assert "plain kernels" in related("--version", RELATED_KERNELS="plain").stdout


def test_a_closed_pipe_is_not_an_error(folder: Path) -> None:
    done = subprocess.run(
        [
            "bash",
            "-o",
            "pipefail",
            "-c",
            f"{quote(str(RELATED))} rank --top 100000 -g sample | head -n 1",
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "#\tscore\tpage\ttitle\n"


def test_alone_it_shows_how_to_begin() -> None:
    done = related()
    assert done.returncode == 0
    assert "related demo" in done.stdout


def test_help_has_every_verb_once_in_a_group() -> None:
    lines = related("--help").stdout.splitlines()
    assert [line.rstrip(":") for line in lines if line.endswith(":")] == ["Options", *GROUPS]
    listed = [line.split()[0] for line in lines if line.startswith("  ") and line[2:3].isalpha()]
    assert all(listed.count(verb) == 1 for verb in VERBS)


def test_a_url_in_place_of_a_verb_is_crawled(tmp_path: Path) -> None:
    done = related("http://127.0.0.1:9/", cwd=tmp_path, XDG_CACHE_HOME=str(tmp_path))
    assert done.returncode == 2
    assert "0 pages" in done.stderr
    assert "Traceback" not in done.stderr


def test_help_is_a_verb_and_a_mistyped_one_names_the_nearest() -> None:
    assert related("help").stdout == related("--help").stdout
    assert related("help", "links").stdout == related("links", "--help").stdout
    done = related("comapre", "x")
    assert done.returncode == 2
    assert "No command, folder or file 'comapre'; did you mean compare?" in done.stderr


def test_an_interrupt_while_the_command_is_imported_leaves_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    done = related("--help", PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")
