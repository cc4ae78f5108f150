"""`related watch`: the graph of a folder while it is edited."""

from __future__ import annotations

import subprocess
from pathlib import Path

import whatsrelated as wr
from tests.cli.commands import RELATED, related


def test_watch_builds_the_graph_and_updates_it_when_a_note_is_edited(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "Tea.md").write_text("[[Milk]]")
    with subprocess.Popen(
        [RELATED, "watch", "notes", "-o", "notes.graph"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            assert "notes.graph: 2 pages, 1 link, generation 1" in process.stdout.readline()
            (notes / "Milk.md").write_text("[[Tea]]")
            assert "notes.graph: 2 pages, 2 links, generation 2\n" in process.stdout.readline()
            (notes / "Lost.md").symlink_to("nowhere.md")
            (notes / "Milk.md").write_text("[[Tea]] [[Lemon]]")
            line = process.stdout.readline()
            assert "3 pages, 3 links, generation 3; rejected 1: 1 links to nothing" in line
        finally:
            process.kill()


def test_watch_builds_with_the_options_of_a_build_and_updates_with_those_of_an_update(
    tmp_path: Path,
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "Tea.md").write_text("[[Milk]]")
    (tmp_path / "related.toml").write_text("[watch]\nkeep = 3\n")
    with subprocess.Popen(
        [RELATED, "watch", "notes", "--text", "--store", "packed", "--memory", "256M"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            for generation in (1, 2, 3):
                assert f"generation {generation}" in process.stdout.readline()
                (tmp_path / "notes" / "Milk.md").write_text("[[Tea]] " * generation + "milk")
        finally:
            process.kill()
    store = wr.open(tmp_path / "web.graph").store
    assert store.is_packed
    assert store.column("terms") is not None
    assert wr.open(tmp_path / "web.graph", generation=1).store.generation == 1


def test_watch_says_what_is_wrong_with_an_option(tmp_path: Path) -> None:
    done = related("watch", ".", "--memory", "1M", cwd=tmp_path)
    assert done.returncode == 2
    assert "watch: memory must be at least 128M" in done.stderr


def test_watch_needs_a_folder(tmp_path: Path) -> None:
    (tmp_path / "links.tsv").write_text("a\tb\n")
    done = related("watch", "links.tsv", cwd=tmp_path)
    assert done.returncode == 2
    assert "links.tsv is not a folder; use related update for files" in done.stderr
    done = related("watch", "missing", cwd=tmp_path)
    assert "watch: missing does not exist; check the path." in done.stderr
