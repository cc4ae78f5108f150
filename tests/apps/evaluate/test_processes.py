"""Work is shared among processes, and who fails loses one query."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import whatsrelated as wr
from tests.apps.evaluate.faulty import Faulty
from whatsrelated.apps.evaluate import processes
from whatsrelated.apps.evaluate.contenders import Contender, contenders
from whatsrelated.apps.evaluate.processes import ask_all
from whatsrelated.stream import Page


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> wr.Graph:
    names = [f"page-{number:02}" for number in range(30)]
    pages = [
        Page(name, [names[(3 * i + j) % 30] for j in range(1, 8)]) for i, name in enumerate(names)
    ]
    return wr.build(pages, tmp_path_factory.mktemp("processes") / "web.graph")


def test_processes_answer_what_one_process_answers(
    graph: wr.Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "FEW_QUERIES", 10)
    compared = contenders("cocitation(seed=1),lli,walk")
    work = [(number, graph.url(page)) for number in range(3) for page in range(30)]
    alone, shared = (
        [(number, replace(one, milliseconds=0)) for number, one in answers]
        for answers in (
            ask_all(graph, compared, work, processes=1),
            ask_all(graph, compared, work, processes=2),
        )
    )
    assert alone == shared
    assert [(number, one.query) for number, one in shared] == work
    assert sum(bool(one.urls) for _, one in shared) > 60


def test_a_method_that_fails_crashes_or_hangs_loses_that_query(
    graph: wr.Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "FEW_QUERIES", 1)
    work = [(0, graph.url(page)) for page in range(6)]
    faulty = [Contender("faulty", Faulty())]
    asked = [one for _, one in ask_all(graph, faulty, work, processes=2, patience=0.5)]
    assert [one.error for one in asked] == [
        "",
        "ZeroDivisionError: by nothing",
        "crashed its process",
        "took over 2.5 s",
        "",
        "",
    ]
    assert [len(one.urls) for one in asked] == [1, 0, 0, 0, 1, 1]


def test_a_graph_in_memory_is_asked_here() -> None:
    graph = wr.Graph.from_links([("p", "a"), ("p", "b"), ("q", "a"), ("q", "b")])
    ((_, one),) = ask_all(graph, contenders("cocitation"), [(0, "a")], processes=2)
    assert (one.urls, one.siblings, one.cocited) == (("b",), 1, 1)


def test_workers_may_use_the_memory_that_the_machine_gives(
    graph: wr.Graph, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(processes, "FEW_QUERIES", 1)
    monkeypatch.setenv("RELATED_WORKER_MEMORY", str(1 << 30))
    work = [(0, graph.url(page)) for page in range(4)]
    asked = [one for _, one in ask_all(graph, contenders("walk"), work, processes=2)]
    assert [one.error for one in asked] == [""] * 4
