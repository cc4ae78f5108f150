"""Editing a folder: its graph follows, without a merge for every save."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import whatsrelated as wr
from whatsrelated.apps.watch.watching import LONGEST, SHORTEST, Pauses, watch
from whatsrelated.machine import changes


@pytest.fixture(params=["inotify", "polling"])
def vault(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    if request.param == "polling":
        monkeypatch.setattr(changes.FolderChanges, "_open", lambda self: None)
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "Tea.md").write_text("[[Milk]] and [[Sugar]]")
    (folder / "Milk.md").write_text("[[Tea]]")
    (folder / "Sugar.md").write_text("")
    return folder


def links(graph: wr.Graph, name: str) -> set[str]:
    return {graph.url(int(page)) for page in graph.links_from(graph.page(name))}


def edits(vault: Path) -> Iterator[tuple[str, str, set[str]]]:
    """Edits of the vault, and the links that a note then has."""
    (vault / "Sugar.md").write_text("[[Tea]] [[Milk]]")
    yield "an edit", "Sugar", {"Tea", "Milk"}
    (vault / "deep").mkdir()
    (vault / "deep" / "Lemon.md").write_text("[[Tea]]")
    yield "a new folder", "deep/Lemon", {"Tea"}
    (vault / "deep" / "Lemon.md").write_text("[[Sugar]]")
    yield "an edit in the new folder", "deep/Lemon", {"Sugar"}
    (vault / "Milk.md").unlink()
    yield "a deletion", "Milk", set()


def test_the_graph_follows_the_folder(vault: Path, tmp_path: Path) -> None:
    stop = threading.Event()
    graphs = watch(vault, vault / "web.graph", stop=stop.is_set)
    graph = next(graphs)
    assert links(graph, "Tea") == {"Milk", "Sugar"}
    for what, note, expected in edits(vault):
        while True:
            graph = next(graphs)
            known = {graph.url(page) for page in range(len(graph))}
            if note in known and links(graph, note) == expected:
                break
        assert graph.store.check() is None, what
    again = wr.build([vault], tmp_path / "again.graph")
    assert graph.store.fingerprint == again.store.fingerprint
    stop.set()
    assert list(graphs) == []


def test_fifty_saves_in_a_minute_cost_a_few_merges() -> None:
    now = [0.0]
    pauses = Pauses(lambda: now[0])
    merges = []
    for save in range(50):
        now[0] = save * 1.2
        if pauses.remaining() <= 0:
            merges.append(now[0])
            pauses.end()
    assert merges[0] == 0
    assert merges[1] <= 1.2 + SHORTEST
    assert len(merges) <= 6
    assert pauses.remaining() <= LONGEST
    now[0] += 2 * LONGEST + 1
    assert pauses.remaining() <= 0
    pauses.end()
    assert pauses.remaining() == SHORTEST
