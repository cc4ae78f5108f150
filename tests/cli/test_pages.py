"""`related pages` lists the pages of a graph, and finds them by words."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.commands import related


def test_pages_are_found_by_words_and_listed_as_asked(folder: Path) -> None:
    done = related("pages", "x", "--json", cwd=folder)
    assert json.loads(done.stdout) == {
        "version": 1,
        "pages": [{"url": "https://x.org/", "title": None, "in": 2, "out": 0}],
        "total": 1,
    }
    done = related("pages", "--csv", "--limit", "1", cwd=folder)
    assert done.stdout.splitlines() == ["in,out,url,title", "2,0,https://x.org/,"]
    done = related("pages", "--order", "folder", "--limit", "2", cwd=folder)
    assert [line.split("\t")[2] for line in done.stdout.splitlines() if "://" in line] == [
        "https://a.org/",
        "https://b.org/",
    ]
    assert "2 of 4 pages." in done.stderr
    assert related("pages", "nothing", cwd=folder).returncode == 1


def test_an_index_is_built_on_request_and_its_size_reported(folder: Path) -> None:
    done = related("pages", "--index", cwd=folder)
    assert done.returncode == 0
    assert "Built an index of 0.0 MB in " in done.stderr
    assert (folder / "web.graph/search/index.json").is_file()


def test_several_pages_that_may_be_meant_end_with_exit_1(folder: Path) -> None:
    done = related("to", "org", cwd=folder)
    assert done.returncode == 1
    assert done.stderr.startswith("related: org may be one of several pages: https://")
    assert not done.stdout
