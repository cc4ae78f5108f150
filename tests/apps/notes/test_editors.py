"""What the docs say about editors, tried in these editors."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

import whatsrelated as wr
from tests import system
from tests.cli.commands import RELATED

SAID = (system.TOP / "docs" / "how-to" / "editors.md").read_text()


def block(kind: str) -> str:
    (text,) = re.findall(rf"^```{kind}\n(.*?)^```$", SAID, re.M | re.S)
    return text


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "my notes"
    (folder / "Drinks").mkdir(parents=True)
    (folder / "Drinks" / "Tea.md").write_text("With [[Milk]].")
    (folder / "Drinks" / "Coffee.md").write_text("With [[Milk]].")
    (folder / "Breakfast.md").write_text("[[Tea]] and [[Coffee]].")
    wr.build([folder], f"{folder}.graph", format="obsidian")
    return folder


def first_answer(notes: Path) -> tuple[str, str]:
    result = wr.open(f"{notes}.graph").related("Drinks/Tea")[0]
    assert result.url == "Drinks/Coffee"
    return result.url, result.evidence["sentence"]


def run(command: list[str], cwd: Path) -> str:
    """The output of a command with `related` on its path."""
    path = f"{RELATED.parent}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, "HOME": str(cwd)}
    done = subprocess.run(
        command, cwd=cwd, env=env, capture_output=True, text=True, check=False, input=""
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.needs_system("vim")
def test_vim_fills_the_quickfix_list(notes: Path, tmp_path: Path) -> None:
    (tmp_path / "vimrc").write_text(block("vim").replace("~/notes", str(notes)))
    seen = "map(getqflist(), {_, one -> [fnamemodify(bufname(one.bufnr), ':p'), one.text]})"
    commands = ["Related", f"call writefile([json_encode({seen})], 'seen.json')", "qa!"]
    words = [word for command in commands for word in ("-c", command)]
    run(
        ["vim", "-N", "-u", "vimrc", "-i", "NONE", "-es", *words, str(notes / "Drinks" / "Tea.md")],
        tmp_path,
    )
    url, sentence = first_answer(notes)
    assert json.loads((tmp_path / "seen.json").read_text())[0] == [f"{notes}/{url}.md", sentence]


@pytest.mark.needs_system("emacs-nox")
def test_emacs_lists_the_notes_and_opens_one(notes: Path, tmp_path: Path) -> None:
    (tmp_path / "related.el").write_text(block("elisp").replace("~/notes", str(notes)))
    look = (
        '(progn (related-notes) (with-current-buffer "*related*" (princ (buffer-string))'
        " (push-button (point-min))) (princ (buffer-file-name (window-buffer))))"
    )
    tea = str(notes / "Drinks" / "Tea.md")
    seen = run(["emacs", "-Q", "--batch", "-l", "related.el", tea, "--eval", look], tmp_path)
    url, sentence = first_answer(notes)
    assert seen.startswith(f"{url}\n  {sentence}\n")
    assert seen.endswith(f"{notes}/{url}.md")


def test_the_task_of_visual_studio_code_prints_the_notes(notes: Path, tmp_path: Path) -> None:
    (task,) = json.loads(block("json"))["tasks"]
    values = {"${workspaceFolder}": str(notes), "${file}": str(notes / "Drinks" / "Tea.md")}
    words = [task["command"], *task["args"]]
    for name, value in values.items():
        words = [word.replace(name, value) for word in words]
    url, _ = first_answer(notes)
    first, *more = run(words, tmp_path).split("\n")
    assert first.startswith(f"1. {url}")
    assert any("link" in line for line in more), "the reasons"
