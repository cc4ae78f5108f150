"""`related export`: a graph as files that other programs read."""

from __future__ import annotations

from pathlib import Path

from tests.cli.commands import LINKS, related


def test_a_graph_comes_out_as_it_went_in(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.tsv"
    done = related("export", "-o", str(out), cwd=folder)
    assert done.returncode == 0, done.stderr
    assert done.stderr == f"{out}: 4 pages, 4 links\n"
    head, *links = out.read_text().splitlines()
    assert head == "source\ttarget"
    assert sorted(links) == sorted(LINKS.splitlines())


def test_a_name_without_a_known_format_is_an_error(folder: Path, tmp_path: Path) -> None:
    done = related("export", "-o", str(tmp_path / "out.odd"), cwd=folder)
    assert done.returncode == 2
    assert "out.odd" in done.stderr
