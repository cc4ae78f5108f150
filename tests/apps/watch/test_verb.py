"""`related watch`: the graph of a folder while it is edited."""

from __future__ import annotations

import subprocess
from pathlib import Path

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
            assert "notes.graph: 2 pages, 1 links, generation 1" in process.stdout.readline()
            (notes / "Milk.md").write_text("[[Tea]]")
            assert "notes.graph: 2 pages, 2 links, generation 2\n" in process.stdout.readline()
            (notes / "Lost.md").symlink_to("nowhere.md")
            (notes / "Milk.md").write_text("[[Tea]] [[Lemon]]")
            line = process.stdout.readline()
            assert "3 pages, 3 links, generation 3; refused 1: 1 links to nothing" in line
        finally:
            process.kill()


def test_watch_needs_a_folder(tmp_path: Path) -> None:
    (tmp_path / "links.tsv").write_text("a\tb\n")
    done = related("watch", "links.tsv", cwd=tmp_path)
    assert done.returncode == 2
    assert "links.tsv is not a folder; use related update for files" in done.stderr
