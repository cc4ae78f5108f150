"""A graph that the tests of the command share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import LINKS, related


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with links.tsv and the graph made of it."""
    made = tmp_path_factory.mktemp("cli")
    (made / "links.tsv").write_text(LINKS)
    done = related("build", "links.tsv", cwd=made)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "web.graph: 4 pages, 4 links\n"
    return made
