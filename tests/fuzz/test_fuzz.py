"""A short run of the fuzzer: a few rounds of each target, the same every time."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fuzz import make_corpus
from tests.fuzz.run import (
    CORPUS,
    STORE,
    http_faults,
    http_lines,
    http_request,
    reader_cases,
    reader_faults,
    seeds,
    sources_of,
    store_faults,
)
from tests.hostile.graphs import build_small
from tests.hostile.processes import Forks, Served, served
from whatsrelated.sources import READERS, ReadOptions, open_sources, readers
from whatsrelated.sources.files import File
from whatsrelated.sources.recognition import reader_of

SMALL = 300_000
"""The maximum size of the corpus in bytes."""


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_small(tmp_path_factory.mktemp("fuzz") / "web.graph", pages=60)


def test_the_corpus_has_a_seed_for_every_reader_and_is_small() -> None:
    assert {name.partition("/")[0] for name in seeds("readers")} == set(READERS.ours)
    assert sum(file.stat().st_size for file in CORPUS.rglob("*") if file.is_file()) < SMALL


@pytest.mark.parametrize("seed", seeds("readers"))
def test_every_seed_is_recognised_and_read_by_its_reader(seed: str) -> None:
    """The first reader of the table that recognises a file reads it: order decides."""
    reader, _, path = seed.partition("/")
    paths = sources_of(reader, CORPUS / "readers" / reader, path)
    if READERS[reader].only_titles:  # it is read alone only if its format is named
        assert reader_of(File(paths[0]), readers()).name == reader
        source = open_sources(paths, ReadOptions(format=reader))
    else:
        source = open_sources(paths)
    assert {part.name for _, part in source.parts} == {reader}
    assert list(source)


def test_a_new_seed_changes_no_other_case(tmp_path: Path) -> None:
    shutil.copytree(CORPUS, tmp_path / "corpus")
    (tmp_path / "corpus" / "readers" / "aaa").mkdir()
    (tmp_path / "corpus" / "readers" / "aaa" / "new.txt").write_text("new")
    before = {case.key: case.data for case in reader_cases(7)}
    after = {case.key: case.data for case in reader_cases(7, tmp_path / "corpus")}
    assert set(after) - set(before) == {"aaa/new.txt #7"}
    assert {key: after[key] for key in before} == before


def test_the_corpus_is_made_again_without_a_loss(tmp_path: Path) -> None:
    shutil.copytree(CORPUS, tmp_path / "corpus")
    make_corpus.main(tmp_path / "corpus")
    assert seeds("readers", tmp_path / "corpus") == seeds("readers")
    assert seeds("http", tmp_path / "corpus") == seeds("http")


def test_no_mutated_file_does_harm(tmp_path: Path, forks: Forks) -> None:
    assert list(map(str, reader_faults(forks, tmp_path / "case", range(1, 2)))) == []


def test_the_graph_of_the_corpus_is_whole(tmp_path: Path, forks: Forks) -> None:
    shutil.copytree(STORE, tmp_path / "web.graph")
    done = forks.one("check", "-g", tmp_path / "web.graph")
    assert done.status == 0, done


def test_no_mutated_graph_does_harm(tmp_path: Path, forks: Forks) -> None:
    assert list(map(str, store_faults(forks, STORE, tmp_path / "copy", range(1)))) == []


@pytest.fixture(scope="module")
def server(graph: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(graph, tmp_path_factory.mktemp("http") / "log", "--deadline", "5") as server:
        yield server


@pytest.mark.parametrize("line", http_lines(), ids=lambda line: line.decode().partition("&")[0])
def test_every_request_is_answered_before_it_is_mutated(server: Served, line: bytes) -> None:
    answer = server.client.send(http_request(server, line))
    assert answer.status_code == 200, answer.text


def test_no_mutated_request_does_harm(server: Served) -> None:
    assert list(map(str, http_faults(server, range(14)))) == []
    assert "Traceback" not in server.log()
