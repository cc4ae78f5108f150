"""Unchanged files are not parsed again, and the graph is the same."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

import whatsrelated as wr
from whatsrelated.machine import workers
from whatsrelated.sources import parsed_files
from whatsrelated.sources.parsed_files import ParsedFiles


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that workers were given."""
    seen: list[str] = []
    results = workers.results

    def watched(work, items, **settings):  # type: ignore[no-untyped-def]
        def listed():  # type: ignore[no-untyped-def]
            for item in items:
                seen.append(item)
                yield item

        return results(work, listed(), **{**settings, "workers": 1})

    monkeypatch.setattr(workers, "results", watched)
    return seen


def make(folder: Path, suffix: str, **files: str) -> None:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.{suffix}").write_text(text)
        os.utime(folder / f"{name}.{suffix}", (1, 1))


def test_only_notes_that_changed_are_parsed(tmp_path: Path, parsed: list[str]) -> None:
    notes, path = tmp_path / "notes", tmp_path / "web.graph"
    make(notes, "md", a="[[b]]", b="[[c]]", c="")
    wr.build([notes], path)
    wr.update(path, [notes])
    parsed.clear()
    wr.update(path, [notes])
    assert parsed == []
    make(notes, "md", b="[[a]]", d="[[a]]")
    wr.update(path, [notes])
    assert parsed == ["d.md"], "b has its old size and time, and was not looked at"
    os.utime(notes / "b.md", (2, 2))
    graph = wr.update(path, [notes])
    assert parsed == ["d.md", "b.md"]
    os.utime(notes / "b.md", (3, 3))
    wr.update(path, [notes])
    assert parsed == ["d.md", "b.md"], "its time is new, its bytes are not"
    again = wr.build([notes], tmp_path / "again.graph")
    assert graph.store.fingerprint == again.store.fingerprint


def test_a_file_that_was_just_written_is_compared_by_its_bytes(
    tmp_path: Path, parsed: list[str]
) -> None:
    notes, path = tmp_path / "notes", tmp_path / "web.graph"
    make(notes, "md", a="[[b]]", b="")
    wr.build([notes], path)
    (notes / "a.md").write_text("[[c]]")
    now = (notes / "a.md").stat().st_mtime_ns
    wr.update(path, [notes])
    (notes / "a.md").write_text("[[d]]")
    os.utime(notes / "a.md", ns=(now, now))
    graph = wr.update(path, [notes])
    assert [graph.url(int(page)) for page in graph.links_from(graph.page("a"))] == ["d"]


def test_pages_of_html_are_parsed_again_when_a_file_came_or_went(
    tmp_path: Path, parsed: list[str]
) -> None:
    site, path = tmp_path / "site", tmp_path / "web.graph"
    make(site, "html", a="<a href=b>b</a>", c="<a href=a.html>a</a>")
    wr.build([site], path)
    wr.update(path, [site])
    parsed.clear()
    make(site, "html", b="<a href=a.html>a</a>")
    graph = wr.update(path, [site])
    assert parsed == ["a.html", "b.html", "c.html"]
    assert [graph.url(int(page)) for page in graph.links_from(graph.page("a.html"))] == ["b.html"]


@pytest.mark.parametrize("seed", range(20))
def test_a_damaged_table_is_ignored_or_read_again(tmp_path: Path, seed: int) -> None:
    notes, path = tmp_path / "notes", tmp_path / "web.graph"
    make(notes, "md", a="[[b]]", b="[[a]]")
    expected = wr.build([notes], path).store.fingerprint
    wr.update(path, [notes])
    (table,) = (path / parsed_files.FOLDER).iterdir()
    data = bytearray(table.read_bytes())
    chance = random.Random(seed)
    if seed % 2:
        del data[chance.randrange(len(data)) :]
    else:
        data[chance.randrange(8)] ^= 1 << chance.randrange(8)
    table.write_bytes(data)
    assert wr.update(path, [notes]).store.fingerprint == expected


def test_tables_that_are_not_saved_leave_nothing(tmp_path: Path) -> None:
    tables = ParsedFiles(tmp_path / "web.graph")
    tables.close()
    tables.save()
    assert list(tmp_path.iterdir()) == []
