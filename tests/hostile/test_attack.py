"""A signal, a full disk or a read-only folder: no traceback, no leftovers, no page lost."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile.processes import Forks, Run, obey_modes
from tests.hostile.writers import ONLY_READ, WRITERS, Folder, command, fill, kill
from whatsrelated.cli.verbs import VERBS

GENTLE = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE)


@pytest.fixture
def folder(small_graph: Path, tmp_path: Path) -> Folder:
    return Folder(small_graph, tmp_path / "case")


def test_every_verb_either_writes_or_only_reads() -> None:
    writers = {words[0] for words in WRITERS.values()}
    assert writers | ONLY_READ | {"spark"} == set(VERBS.ours)
    assert not writers & ONLY_READ


@pytest.mark.parametrize("number", range(len(WRITERS)), ids=list(WRITERS))
def test_a_signal_leaves_the_graph_whole_and_nothing_else(number: int, folder: Folder) -> None:
    verb = list(WRITERS)[number]
    for turn, seconds in enumerate((None, 0.3 + number % 5 / 10)):
        outcome = kill(folder, verb, GENTLE[(number + turn) % len(GENTLE)], seconds)
        assert outcome.faults == (), outcome.line


def test_a_page_cut_short_and_an_unfinished_file_are_noticed(folder: Folder) -> None:
    fine = Run(0, "", "")
    (folder.place / "out.site" / "3.html").write_text("<html>")
    assert list(folder.faults(fine, tidy=True)) == ["lost pages"]
    (folder.place / ".building-1").mkdir()
    assert list(folder.faults(fine, tidy=True)) == ["lost pages", "leftovers"]
    (folder.place.parent / "mine.txt").write_text("")
    assert list(folder.faults(fine, tidy=False)) == ["touched", "lost pages"]


@pytest.mark.parametrize("verb", WRITERS)
def test_a_full_disk_leaves_the_graph_whole_and_nothing_else(verb: str, folder: Folder) -> None:
    for size in (500, 8_000):
        outcome = fill(folder, verb, size)
        assert outcome.faults == (), outcome.line


@pytest.fixture(scope="module")
def modest_forks() -> Iterator[Forks]:
    """Commands that obey the modes of files, even as root."""
    running = Forks(obey_modes)
    yield running
    running.close()


@pytest.mark.parametrize("verb", WRITERS)
def test_a_read_only_folder_gives_a_message_or_an_answer(
    verb: str, folder: Folder, modest_forks: Forks
) -> None:
    inner = [folder.place, *(path for path in folder.place.rglob("*") if path.is_dir())]
    for path in inner:
        path.chmod(0o555)
    try:
        run = modest_forks.one(*command(verb), cwd=folder.place)
    finally:
        for path in inner:
            path.chmod(0o755)
    assert run.is_refusal or run.status == 0, run
    assert list(folder.faults(run, tidy=True)) == []
