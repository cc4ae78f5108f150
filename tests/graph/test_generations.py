"""A graph is replaced whole or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.graph import PAGES, files_of
from whatsrelated import api
from whatsrelated.errors import BuildError
from whatsrelated.stream import Page


def test_a_second_build_is_refused_naming_the_first(path: Path) -> None:
    def pages() -> Iterator[Page]:
        with pytest.raises(BuildError, match=f"being built by process {os.getpid()}"):
            api.build(PAGES, path)
        yield Page("only", ["this"])

    assert len(api.build(pages(), path)) == 2


def test_an_error_on_the_way_leaves_the_old_graph_and_nothing_else(path: Path) -> None:
    def pages() -> Iterator[Page]:
        yield PAGES[0]
        raise OSError(28, "No space left on device")

    before = sorted(file.relative_to(path) for file in files_of(path))
    with pytest.raises(BuildError, match=r"the disk is full.*The old graph is untouched"):
        api.build(pages(), path)
    assert sorted(file.relative_to(path) for file in files_of(path)) == before
    assert api.open(path).store.check() is None


def test_a_graph_needs_its_own_folder(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("mine")
    with pytest.raises(BuildError, match="is a file"):
        api.build(PAGES, file)
    with pytest.raises(BuildError, match=r"is not empty \('notes.txt'\)"):
        api.build(PAGES, tmp_path)
    assert file.read_text() == "mine"


def test_readers_see_one_graph_or_the_other_while_it_is_replaced(path: Path) -> None:
    """Forty replacements under readers: sizes and names always belong together."""
    stop = threading.Event()
    wrong: list[str] = []

    def read() -> None:
        while not stop.is_set():
            graph = api.open(path)
            names = [graph.url(page) for page in range(len(graph))]
            if len(names) not in (5, 2) or (len(names) == 2 and names != ["only", "this"]):
                wrong.append(str(names))

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    try:
        for turn in range(40):
            api.build([Page("only", ["this"])] if turn % 2 else PAGES, path)
    finally:
        stop.set()
        for reader in readers:
            reader.join()
    assert not wrong


KILLED = """
import os, signal, sys, threading, time
from pathlib import Path
from whatsrelated import api
from whatsrelated.stream import Page
def stop():
    time.sleep(float(sys.argv[2]))
    os.kill(os.getpid(), signal.SIGKILL)
def pages():
    for i in range(3000):
        links = [f"https://h{j % 50}.org/{j}" for j in range(i, i + 9)]
        yield Page(f"https://h{i % 50}.org/{i}", links)
api.build([Page("warm", ["up"])], sys.argv[1] + ".warm")
threading.Thread(target=stop, daemon=True).start()
while True:
    api.build(pages(), sys.argv[1], memory=200_000)
    api.build([Page("only", ["this"])], sys.argv[1])
"""


def test_the_next_build_removes_the_empty_folder_of_a_generation(
    path: Path,
) -> None:
    (path / "generation-000000").mkdir()
    api.build(PAGES, path)
    assert [entry.name for entry in path.iterdir() if entry.is_dir()] == ["generation-000002"]


def test_a_kill_at_any_moment_leaves_the_old_graph_or_the_new_one(path: Path) -> None:
    for turn in range(25):
        delay = 0.01 + 0.013 * turn
        command = [sys.executable, "-c", KILLED, str(path), str(delay)]
        done = subprocess.run(command, check=False, capture_output=True)
        assert done.returncode == -9, done.stderr.decode()
        graph = api.open(path)
        assert len(graph) in (5, 2, 3008)
        assert graph.store.check() is None
    api.build(PAGES, path)
    names = {entry.name for entry in path.iterdir()}
    assert {name for name in names if name.startswith(".building")} == set()
