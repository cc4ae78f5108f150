"""The short form of the fuzzer: some hundred cases of each target, the same in every run."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.fuzz.run import CORPUS, STORE, http_faults, reader_faults, seeds, store_faults
from tests.hostile.graphs import build_small
from tests.hostile.processes import Forks, served
from whatsrelated.sources import READERS

SMALL = 300_000
"""Bytes that the corpus may have in all."""


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_small(tmp_path_factory.mktemp("fuzz") / "web.graph", pages=60)


def test_the_corpus_has_a_seed_for_every_reader_and_is_small() -> None:
    kinds = {file.parent.name for file in seeds("readers")}
    single = {name for name in READERS if not READERS[name].folders}
    assert kinds >= single | {"html", "markdown", "npy"}  # other folders are flavours of these
    assert sum(file.stat().st_size for file in CORPUS.rglob("*") if file.is_file()) < SMALL


def test_every_seed_can_be_read_as_it_is(tmp_path: Path, forks: Forks) -> None:
    for seed in seeds("readers"):
        kind = seed.parent.name
        source = seed.parent if kind in ("npy", "html", "markdown") else seed
        words = ("build", source, "--format", kind, "-o", tmp_path / f"{kind}-{seed.name}")
        done = forks.one(*words)
        assert done.is_tidy, f"{seed}: {done}"


def test_no_mutated_file_does_harm(tmp_path: Path, forks: Forks) -> None:
    assert list(map(str, reader_faults(forks, tmp_path / "case", range(90)))) == []


def test_the_graph_of_the_corpus_is_whole(tmp_path: Path, forks: Forks) -> None:
    shutil.copytree(STORE, tmp_path / "web.graph")
    done = forks.one("check", "-g", tmp_path / "web.graph")
    assert done.status == 0, done


def test_no_mutated_graph_does_harm(tmp_path: Path, forks: Forks) -> None:
    assert list(map(str, store_faults(forks, STORE, tmp_path / "copy", range(30)))) == []


def test_no_mutated_request_does_harm(graph: Path, tmp_path: Path) -> None:
    with served(graph, tmp_path / "log", "--deadline", "5") as server:
        assert list(map(str, http_faults(server, range(200)))) == []
        assert "Traceback" not in server.log()
