"""Serving a folder: its graph is in the cache and follows changes."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

import whatsrelated as wr
from tests.waiting import PATIENCE
from whatsrelated.apps.watch import folders
from whatsrelated.apps.watch.folders import cached_graph, follow, is_folder_of_pages
from whatsrelated.errors import ReadError


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "Tea.md").write_text("[[Milk]]")
    (folder / "Milk.md").write_text("[[Tea]]")
    return folder


def test_a_graph_is_not_a_folder_of_pages(notes: Path, tmp_path: Path) -> None:
    wr.build([notes], tmp_path / "built")
    (tmp_path / "empty.graph").mkdir()
    assert is_folder_of_pages(notes)
    for name in ("built", "empty.graph", "nowhere", "notes/Tea.md"):
        assert not is_folder_of_pages(tmp_path / name), name


def test_the_graph_of_a_folder_is_built_once_and_only_its_owner_reads_it(notes: Path) -> None:
    path = cached_graph(notes)
    assert path.is_relative_to(folders.cache_folder())
    assert path.parent.stat().st_mode & 0o077 == 0
    first = wr.open(path).store
    assert cached_graph(notes) == path
    assert wr.open(path).store.generation == first.generation == 1
    other = notes.parent / "more" / "notes"
    other.mkdir(parents=True)
    (other / "Tea.md").write_text("[[Lemon]]")
    assert cached_graph(other) != path


def test_rejected_lines_are_logged_by_reason(notes: Path, caplog: pytest.LogCaptureFixture) -> None:
    (notes / "Lost.md").symlink_to("nowhere.md")
    cached_graph(notes)
    assert caplog.messages == [f"{notes}: rejected 1: 1 links to nothing."]


def test_a_damaged_cache_is_built_again(notes: Path) -> None:
    path = cached_graph(notes)
    (path / "current").write_text("{")
    assert len(wr.open(cached_graph(notes))) == 2


def test_a_folder_without_pages_is_one_sentence(notes: Path) -> None:
    empty = notes / "empty"
    empty.mkdir()
    with pytest.raises(ReadError, match="empty is neither a graph nor a source of pages or links"):
        cached_graph(empty)


def test_a_note_is_found_by_its_file(notes: Path) -> None:
    graph = wr.open(cached_graph(notes))
    assert graph.url(graph.page(str(notes / "Tea.md"))) == "Tea"
    assert graph.url(graph.page((notes / "Tea.md").as_uri() + "#top")) == "Tea"
    with pytest.raises(wr.PageNotFound):
        graph.page(str(notes.parent / "elsewhere" / "Thea.md"))


def test_the_graph_follows_the_folder_whatever_happens_to_it(
    notes: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(folders, "RETRY", 0.0)
    path = cached_graph(notes)
    (notes / "Milk.md").write_text("[[Lemon]]")
    updates = threading.Semaphore(0)
    ended = threading.Event()
    damaged = iter([OSError("no disk")])
    real = folders.watch

    def watch(*words: object, **options: object) -> object:
        for error in damaged:
            raise error
        return real(*words, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(folders, "watch", watch)
    thread = threading.Thread(target=follow, args=(notes, path, updates.release, ended.is_set))
    thread.start()
    try:
        assert updates.acquire(timeout=PATIENCE)
        assert wr.open(path)["Milk"].links == ["Lemon"]
        assert "is not up to date: no disk" in caplog.text
        (notes / "Milk.md").write_text("[[Sugar]]")
        assert updates.acquire(timeout=PATIENCE)
        assert wr.open(path)["Milk"].links == ["Sugar"]
    finally:
        ended.set()
        thread.join()
