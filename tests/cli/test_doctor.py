"""`related doctor`: what is wrong, and how to fix it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.apps.serve import serving
from tests.cli.commands import related
from tests.graphs import graph_of
from whatsrelated.cli import doctor


def looked(*words: str, status: int = 0, **more: Any) -> dict[str, dict[str, str]]:
    done = related("doctor", "--json", *words, **more)
    assert done.returncode == status, done.stderr
    return {finding["what"]: finding for finding in json.loads(done.stdout)}


def test_a_sound_installation_is_fine(folder: Path) -> None:
    found = looked(cwd=folder)
    assert {found[what]["state"] for what in ("whatsrelated", "platform", "graph")} == {"fine"}
    assert found["extra server"]["state"] == "fine"
    assert "web.graph: 4 pages, 4 links" in found["graph"]["found"]
    assert "free" in found["disk"]["found"]
    assert not [what for what in found if what == "extra test"]


def test_plain_kernels_are_a_remark_with_what_to_do(folder: Path) -> None:
    found = looked(cwd=folder, RELATED_KERNELS="plain")["kernels"]
    assert found["state"] == "remark"
    assert "make build" in found["way_out"]


def test_a_damaged_graph_and_a_bad_options_file_are_reported(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder / "web.graph", tmp_path / "web.graph")
    (tmp_path / "web.graph" / "current").write_text("{}")
    assert looked(cwd=tmp_path, status=1)["graph"]["way_out"] == "build the graph again"
    (tmp_path / "web.graph" / "current").write_text('{"format": 99}')
    assert looked(cwd=tmp_path, status=1)["graph"]["way_out"] == "install a newer whatsrelated"
    assert looked("-g", "sample", cwd=tmp_path)["graph"]["state"] == "fine"
    (tmp_path / "related.toml").write_text("[graph\n")
    found = looked("-g", "sample", cwd=tmp_path, status=1)["options"]
    assert "is not valid TOML" in found["found"]
    (tmp_path / "related.toml").write_text("graph = 'sample'\n")
    assert "the sample Web" in looked(cwd=tmp_path)["graph"]["found"]


def test_without_a_graph_it_says_how_to_build_one(tmp_path: Path) -> None:
    found = looked(cwd=tmp_path)["graph"]
    assert (found["state"], found["way_out"]) == ("remark", "related build SOURCE -o web.graph")


def test_a_server_answers_or_not() -> None:
    with serving(graph_of("a -> tea coffee")) as client:
        url = str(client.base_url)
        assert doctor._server(url).state == "fine"
    found = doctor._server(url)
    assert (found.state, found.way_out) == ("wrong", "start it: related serve GRAPH")
    done = related("doctor", "--server", "file:///etc/passwd")
    assert done.returncode == 2
    assert "--server must be an http:// or https:// URL" in done.stderr


@pytest.mark.parametrize(
    ("count", "shown"), [(0, "0 B"), (1234, "1.23 kB"), (5e9, "5 GB"), (7e15, "7e+03 TB")]
)
def test_sizes_are_short(count: float, shown: str) -> None:
    assert doctor._bytes(count) == shown
