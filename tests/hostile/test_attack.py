"""A signal, a full disk or a read-only folder: no traceback, no leftovers, no page lost."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile.attack import WRITERS, Folder, fill, kill
from tests.hostile.processes import Forks, obey_modes

GENTLE = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE)


@pytest.fixture
def folder(small_graph: Path, tmp_path: Path) -> Folder:
    return Folder(small_graph, tmp_path / "case")


@pytest.mark.parametrize("number", range(len(WRITERS)), ids=list(WRITERS))
def test_a_signal_leaves_the_graph_whole_and_nothing_else(number: int, folder: Folder) -> None:
    verb = list(WRITERS)[number]
    outcome = kill(folder, verb, GENTLE[number % len(GENTLE)], 0.4 + number % 5 / 10)
    assert outcome.faults == (), outcome.line


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
def test_a_read_only_folder_is_a_sentence_or_an_answer(
    verb: str, folder: Folder, modest_forks: Forks
) -> None:
    inner = [folder.place, *(path for path in folder.place.rglob("*") if path.is_dir())]
    for path in inner:
        path.chmod(0o555)
    try:
        run = modest_forks.one(*WRITERS[verb], cwd=folder.place)
    finally:
        for path in inner:
            path.chmod(0o755)
    assert run.is_refusal or run.status == 0, run
    assert list(folder.faults(run, tidy=True)) == []
