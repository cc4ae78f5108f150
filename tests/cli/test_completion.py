"""Completion, in the shells themselves."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.commands import RELATED, related
from tests.waiting import PATIENCE
from whatsrelated.cli import completion


def candidates(line: str) -> list[str]:
    done = related("completion", "--line", line)
    assert done.returncode == 0
    assert done.stderr == ""
    return [row.partition("\t")[0] for row in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("related com", ["common", "compare", "completion"]),
        ("related to --by coc", ["cocitation"]),
        ("related compare --by cocitation,wa", ["cocitation,walk"]),
        ("related rank --by hub", ["hubrank"]),
        ("related to --grap", ["--graph"]),
        ("related to -g sample www.nyt", ["www.nytimes.com/"]),
        ("related to -g sample https://www.louvre.fr/en/v", ["https://www.louvre.fr/en/visit"]),
        ("related to -g sample 'louv", ["louvre.fr/"]),
        ("related export --format ed", ["edges"]),
        ("related to -g no.graph www.nyt", []),
        ("related to --from-file x --by nothing", []),
    ],
)
def test_a_line_has_its_candidates(line: str, wanted: list[str]) -> None:
    found = candidates(line)
    assert [one for one in found if one in wanted] == wanted
    if not wanted:
        assert found == []


def test_a_word_may_be_quoted_and_the_quote_open() -> None:
    assert completion.split("related to 'Isaac N") == (["related", "to"], "Isaac N")
    assert completion.split('related to "Isaac N') == (["related", "to"], "Isaac N")
    assert completion.split("related to a ") == (["related", "to", "a"], "")


def test_a_bad_options_file_gives_no_candidates(tmp_path: Path) -> None:
    (tmp_path / "related.toml").write_text("[to]\nlimt = 3\n")
    done = related("completion", "--line", "related to --by coc", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


class Shell:
    """A shell on a terminal, by its own keys."""

    def __init__(self, *command: str) -> None:
        self.master, slave = pty.openpty()
        bin_folder = str(Path(RELATED).parent)
        environment = {
            **os.environ,
            "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
            "RELATED_GRAPH": "sample",
            "TERM": "dumb",
        }
        self.process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
        )
        os.close(slave)
        self.seen = ""

    def type(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def wait_for(self, text: str) -> None:
        """Read until the shell has written this."""
        end = time.monotonic() + PATIENCE
        while text not in self.seen:
            assert time.monotonic() < end, f"{text!r} did not come: {self.seen[-2000:]!r}"
            if select.select([self.master], [], [], 1)[0]:
                self.seen += os.read(self.master, 4096).decode("utf-8", "replace")
        self.seen = self.seen.partition(text)[2]

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)


@pytest.mark.skipif(sys.platform == "win32", reason="no such shells")
@pytest.mark.needs_system("zsh")
@pytest.mark.parametrize(
    "shell",
    [
        ("bash", "--norc", "--noprofile", "-i"),
        ("zsh", "-f", "-i"),
    ],
    ids=lambda words: words[0],
)
def test_bash_and_zsh_complete_as_you_type(shell: tuple[str, ...]) -> None:
    opened = Shell(*shell)
    try:
        if shell[0] == "zsh":
            opened.type("autoload -U compinit && compinit -D -u && unsetopt zle_bracketed_paste\n")
        opened.type(f"eval \"$(related completion {shell[0]})\"; echo loa''ded\n")
        opened.wait_for("loaded")
        opened.type("echo related; related rank --by hubr\t --top 1 | head -n 1; echo do''ne\n")
        opened.wait_for("hubrank")
        opened.wait_for("score")
        opened.wait_for("done")
        opened.type("related links https://www.nybo\t | head -n 1; echo do''ne\n")
        opened.wait_for("https://www.nybooks.com/")
        opened.wait_for("done")
    finally:
        opened.close()


@pytest.mark.needs_system("fish")
def test_fish_completes_pages_and_methods() -> None:
    script = (
        "related completion fish | source; complete -C 'related to --by coc'; "
        "complete -C 'related to https://www.nybo'"
    )
    environment = {
        **os.environ,
        "PATH": f"{Path(RELATED).parent}{os.pathsep}{os.environ['PATH']}",
        "RELATED_GRAPH": "sample",
    }
    done = subprocess.run(
        ["fish", "--no-config", "-c", script],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["cocitation", "https://www.nybooks.com/"]


def test_no_shell_and_an_unknown_one_are_refused() -> None:
    assert related("completion").returncode == 2
    done = related("completion", "tcsh")
    assert done.returncode == 2
    assert "'bash', 'zsh', 'fish'" in done.stderr
