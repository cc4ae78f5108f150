"""A damaged graph is read as it was, or refused: no signal, no traceback, no other answer.

`RELATED_DAMAGES` says how many damages are tried: 2,000 take a quarter of an hour.
"""

from __future__ import annotations

import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.hostile.damage import answers, faults
from tests.hostile.graphs import QUERY, copy_of, generation_of
from tests.hostile.processes import Forks, python, served
from tests.waiting import eventually

DAMAGES = int(os.environ.get("RELATED_DAMAGES", "40"))


def test_the_graph_as_it_was_answers_every_question(small_graph: Path, forks: Forks) -> None:
    for question, run in answers(forks, small_graph).items():
        assert run.is_tidy, f"{question}: {run}"
        assert question == "missing" or run.status == 0, f"{question}: {run}"


def test_no_damage_is_answered_by_a_crash_a_traceback_or_another_answer(
    small_graph: Path, tmp_path: Path, forks: Forks
) -> None:
    copied = copy_of(small_graph, tmp_path / "whole.graph")
    whole = answers(forks, copied)
    others = Forks()
    try:
        with ThreadPoolExecutor(2) as threads:
            halves = [
                (forks, tmp_path / "one.graph", range(0, DAMAGES, 2)),
                (others, tmp_path / "two.graph", range(1, DAMAGES, 2)),
            ]
            found = threads.map(
                lambda half: list(faults(half[0], small_graph, whole, half[1], half[2])), halves
            )
            listed = [fault for half in found for fault in half]
    finally:
        others.close()
    counts = Counter(fault.kind for fault in listed)
    assert not listed, f"{dict(counts)}\n" + "\n".join(map(str, listed[:20]))


SHRUNK = """
import os, sys, whatsrelated
graph = whatsrelated.open(sys.argv[1])
os.truncate(sys.argv[2], int(sys.argv[3]))
try:
    print(len(graph.related(sys.argv[4], by="cocitation")))
    for page in range(len(graph)):
        graph.links_from(page).sum(), graph.links_to(page).sum(), graph.url(page)
except whatsrelated.RelatedError as error:
    print("refused:", error)
"""


@pytest.mark.parametrize("array", ["out.links", "in.links", "in.offsets", "names.text"])
def test_a_file_that_shrinks_while_it_is_mapped_is_an_error(
    array: str, small_graph: Path, tmp_path: Path
) -> None:
    graph = copy_of(small_graph, tmp_path / "web.graph")
    file = generation_of(graph) / f"{array}.npy"
    done = python(SHRUNK, graph, file, "0", QUERY)
    assert done.status == 0, done


def spoil(graph: Path) -> None:
    """Zero the middle of the links, which no length or header reveals."""
    file = generation_of(graph) / "out.links.npy"
    data = bytearray(file.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 400] = b"\xff" * 400
    file.write_bytes(data)


def test_a_server_checks_a_new_generation_before_it_takes_it_up(
    small_graph: Path, tmp_path: Path
) -> None:
    graph = copy_of(small_graph, tmp_path / "web.graph")
    with served(graph, tmp_path / "log", "--watch", "0.1") as server:
        old = server.client.get("/api/health").json()
        other = copy_of(small_graph, tmp_path / "other.graph")
        spoil(other)
        told = (other / "current").read_text().replace("generation-000001", "generation-000002")
        generation_of(other).rename(graph / "generation-000002")
        (graph / "current.new").write_text(told)
        (graph / "current.new").replace(graph / "current")

        def has_looked() -> bool:
            now = server.client.get("/api/health").json()
            return bool(now["trouble"]) or now["switches"] > old["switches"]

        eventually(has_looked)
        now = server.client.get("/api/health").json()
        assert now["switches"] == old["switches"]
        assert now["trouble"]
        assert server.client.get("/api/related", params={"url": QUERY}).status_code == 200


def test_check_finds_what_opening_does_not(small_graph: Path, tmp_path: Path, forks: Forks) -> None:
    graph = copy_of(small_graph, tmp_path / "web.graph")
    spoil(graph)
    done = forks.one("check", "-g", graph)
    assert done.is_refusal, done
