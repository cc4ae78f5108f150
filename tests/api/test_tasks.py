"""A task on a graph gives the same results in one process or several; a crash loses one item."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import whatsrelated as wr
from tests.graphs import graph_of
from whatsrelated.api.tasks import run_tasks
from whatsrelated.errors import GraphFormatError, PageNotFound
from whatsrelated.machine.workers import Lost


def degree_here(graph: wr.Graph, name: str) -> tuple[int, int]:
    if name == "crash":
        os._exit(3)
    return len(graph.links_from(graph.page(name))), os.getpid()


@pytest.fixture
def graph(tmp_path: Path) -> wr.Graph:
    return graph_of("a -> b c d", "b -> a c", "c -> a").save(tmp_path / "web.graph")


def degrees(graph: wr.Graph, names: list[str], **settings: int) -> list[tuple[str, int]]:
    results = run_tasks(graph, degree_here, names, **settings)
    return [(name, result[0]) for name, result in results if not isinstance(result, Lost)]


def test_processes_give_what_one_process_gives_in_order(graph: wr.Graph) -> None:
    names = ["c", "a", "b", "d"] * 5
    shared = list(run_tasks(graph, degree_here, names, processes=2))
    assert [(name, one[0]) for name, one in shared] == degrees(graph, names, processes=1)
    assert os.getpid() not in {process for _, (_, process) in shared}


@pytest.mark.parametrize("settings", [{"processes": 1}, {"processes": 2, "few": 2}])
def test_a_few_items_are_handled_in_this_process(graph: wr.Graph, settings: dict[str, int]) -> None:
    results = list(run_tasks(graph, degree_here, ["a", "b"], **settings))
    assert results == [("a", (3, os.getpid())), ("b", (2, os.getpid()))]


def test_a_graph_in_memory_is_queried_in_this_process() -> None:
    results = list(run_tasks(graph_of("a -> b c"), degree_here, ["a", "b"], processes=2))
    assert [one[1] for _, one in results] == [os.getpid()] * 2


def test_an_item_that_crashes_its_process_is_lost_alone(graph: wr.Graph) -> None:
    results = dict(run_tasks(graph, degree_here, ["a", "crash", "b"], processes=2))
    assert results["crash"] == Lost("crashed its process")
    assert (results["a"][0], results["b"][0]) == (3, 2)


@pytest.mark.parametrize("processes", [1, 2])
def test_an_error_of_the_task_is_raised_as_it_is(graph: wr.Graph, processes: int) -> None:
    with pytest.raises(PageNotFound) as caught:
        degrees(graph, ["a", "zz", "b"], processes=processes)
    assert caught.value.asked == "zz"


def test_processes_open_the_generation_that_the_caller_has(tmp_path: Path) -> None:
    place = tmp_path / "web.graph"
    wr.build([wr.Page("a", ["b", "c"])], place, keep=2)
    old = wr.open(place)
    wr.build([wr.Page("a", ["b"])], place, keep=2)
    assert degrees(old, ["a", "b"], processes=2) == [("a", 2), ("b", 0)]
    assert degrees(wr.open(place), ["a", "b"], processes=2) == [("a", 1), ("b", 0)]


def test_a_graph_that_is_gone_is_one_sentence(tmp_path: Path) -> None:
    place = tmp_path / "web.graph"
    old = wr.build([wr.Page("a", ["b", "c"])], place)
    wr.build([wr.Page("a", ["b"])], place)
    with pytest.raises(GraphFormatError, match=r"web.graph has no generation 1; it has 2"):
        degrees(old, ["a", "b"], processes=2)
