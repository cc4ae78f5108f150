"""`related pack`: the same graph in fewer bytes, and back."""

from __future__ import annotations

from pathlib import Path

import whatsrelated as wr
from tests.cli.commands import related
from whatsrelated import sample


def test_a_graph_is_packed_and_unpacked(tmp_path: Path) -> None:
    path = str(tmp_path / "web.graph")
    wr.build(sample.pages(), path)
    before = related("to", "www.nytimes.com", "--graph", path, "--csv").stdout
    said = related("pack", "--graph", path).stdout
    assert wr.open(path).store.is_packed
    assert f"{path}: " in said
    assert " bytes per link" in said
    assert related("to", "www.nytimes.com", "--graph", path, "--csv").stdout == before != ""
    assert "already has packed links" in related("pack", "--graph", path).stderr
    assert related("pack", "--plain", "--graph", path).returncode == 0
    assert not wr.open(path).store.is_packed


def test_the_sample_web_cannot_be_packed() -> None:
    done = related("pack", "--graph", "sample")
    assert done.returncode == 2
    assert "the sample Web is not on disk; name another graph" in done.stderr
