"""`related site` as it is typed."""

from __future__ import annotations

from pathlib import Path

from tests.apps.site import contents, make
from tests.cli.commands import related


def test_lists_are_written_checked_and_removed(tmp_path: Path) -> None:
    site = make(tmp_path / "site")
    before = contents(site)
    check = related("site", "site", "--check", cwd=tmp_path)
    assert check.returncode == 1
    assert "coffee.html" in check.stdout.splitlines()
    assert contents(site) == before
    done = related("site", "site", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr.endswith("site: 7 pages, 5 with a list, 1 skipped; 5 files changed\n")
    again = related("site", "site", "--check", cwd=tmp_path)
    assert (again.returncode, again.stdout) == (0, "")
    removed = related("site", "site", "--remove", cwd=tmp_path)
    assert removed.returncode == 0, removed.stderr
    assert contents(site) == before


def test_incompatible_options_are_reported(tmp_path: Path) -> None:
    make(tmp_path / "site")
    both = related("site", "site", "--remove", "--data", "x.json", cwd=tmp_path)
    assert (both.returncode, "does not work with --data" in both.stderr) == (2, True)
    read = related("site", "site", "-g", "sample", "--links", "all", cwd=tmp_path)
    assert read.returncode == 2
    assert "links affects how FOLDER is read" in read.stderr
    other = related("site", "site", "-g", "sample", cwd=tmp_path)
    assert "no page of site is in the graph; set base_url" in other.stderr


def test_a_graph_from_the_environment_is_not_queried(tmp_path: Path) -> None:
    make(tmp_path / "site")
    done = related("site", "site", "--dry-run", cwd=tmp_path, RELATED_GRAPH="sample")
    assert "5 with a list" in done.stderr


def test_pages_without_a_place_are_named(tmp_path: Path) -> None:
    page = "<a href=b.html>b</a><a href=c.html>c</a><!--"
    make(tmp_path, {"a.html": page, "d.html": page, "b.html": "b", "c.html": "c"})
    done = related("site", ".", cwd=tmp_path)
    assert "a.html has no place for a list; put <!-- related-pages --> into it" in done.stderr
