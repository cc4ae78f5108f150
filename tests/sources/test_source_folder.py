"""The page in each file of a folder, and the page that a link leads to."""

from __future__ import annotations

from pathlib import Path

import pytest

from whatsrelated.errors import ReadError
from whatsrelated.sources.source_folder import source_folder


def test_files_are_named_and_links_resolved_as_in_a_graph(tmp_path: Path) -> None:
    (tmp_path / "guide").mkdir()
    (tmp_path / "tea.md").write_text("---\naliases: [chai]\n---\n# Tea\n")
    (tmp_path / "guide" / "cup.md").write_text("# Cup\n")
    folder = source_folder(tmp_path)
    pages = [folder.add(path, (tmp_path / path).read_text()) for path in folder.paths()]
    assert {(one.name, one.title, one.aliases) for one in pages} == {
        ("tea.md", "Tea", ("chai",)),
        ("guide/cup.md", "Cup", ()),
    }
    assert folder.target("guide/cup.md", "../tea.md#x") == "tea.md"


def test_html_is_named_as_a_server_would(tmp_path: Path) -> None:
    for name in ("index.html", "tea.html"):
        (tmp_path / name).write_text("<title>x</title>")
    folder = source_folder(tmp_path, base_url="https://example.org/")
    names = [folder.add(path, "").name for path in folder.paths()]
    assert names == ["https://example.org/", "https://example.org/tea.html"]
    assert folder.target("index.html", "tea") == "https://example.org/tea.html"


def test_a_list_of_links_has_no_text(tmp_path: Path) -> None:
    (tmp_path / "links.tsv").write_text("a\tb\n")
    with pytest.raises(ReadError, match="text cannot be shown"):
        source_folder(tmp_path / "links.tsv")
