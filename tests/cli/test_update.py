"""`related update`: merging changed pages into a graph."""

from __future__ import annotations

from pathlib import Path

from tests.cli.commands import related


def test_update_replaces_adds_and_deletes_pages_and_says_what_has_changed(folder: Path) -> None:
    (folder / "more.tsv").write_text("https://a.org/\thttps://z.org/\n")
    (folder / "gone.txt").write_text("https://b.org/\n\nhttps://nowhere.org/\n")
    related("build", "links.tsv", "-o", "mine.graph", cwd=folder)
    done = related("update", "mine.graph", "more.tsv", "--delete", "gone.txt", cwd=folder)
    assert done.returncode == 0
    assert done.stdout.startswith(
        "mine.graph: 4 pages (1 added, 1 changed, 1 removed), 1 link (-3), generation 2, in "
    )
    assert "https://nowhere.org/ is not a page of mine.graph" in done.stderr
    done = related("update", "mine.graph", "more.tsv", cwd=folder)
    assert done.stdout == "mine.graph: nothing has changed.\n"


def test_update_keeps_pages_without_links(folder: Path) -> None:
    (folder / "own.txt").write_text("a b\nb c\nc c\nd d\ne a\n")
    (folder / "new.txt").write_text("f a\n")
    related("build", "own.txt", "-o", "own.graph", cwd=folder)
    done = related("update", "own.graph", "new.txt", cwd=folder)
    assert done.stdout.startswith(
        "own.graph: 6 pages (1 added, 0 changed, 0 removed), 4 links (+1)"
    )


def test_update_without_anything_to_do_or_without_a_graph_says_what_is_missing(
    folder: Path,
) -> None:
    done = related("update", "web.graph", cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert "name a source with changed pages, or use --delete" in done.stderr
    done = related("update", "none.graph", "links.tsv", cwd=folder)
    assert done.returncode == 2
    assert "none.graph does not exist" in done.stderr
    assert not (folder / "none.graph").exists()
