"""A trial runs a query with a method, and records the answer, its cost and errors."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import whatsrelated as wr
from tests.apps.evaluate.faulty import Faulty
from tests.graphs import graph_of
from whatsrelated.apps.evaluate import trials
from whatsrelated.apps.evaluate.contenders import Contender, contenders
from whatsrelated.apps.evaluate.trials import ask, ask_all, linked_pages, unlinked_gold
from whatsrelated.methods.cocitation import Cocitation
from whatsrelated.methods.cpa import Cpa
from whatsrelated.stream import Page

GRAPH = graph_of("p -> u v w", "q -> u w", "u -> w")
CPA = Contender("cpa", Cpa())


def test_a_trial_has_the_answer_and_what_it_read() -> None:
    trial = ask(GRAPH, CPA, "u")
    assert (trial.urls, trial.error) == (("w", "v"), "")
    assert (trial.pages, trial.links) == (5, 5)
    assert ask(GRAPH, CPA, "p").urls == ()


def test_cocitation_counts_its_siblings_and_those_cocited_twice() -> None:
    trial = ask(GRAPH, Contender("cocitation", Cocitation()), "u")
    assert (trial.siblings, trial.cocited) == (2, 1)


def test_pages_already_linked_count_neither_as_gold_nor_as_answers() -> None:
    assert linked_pages(GRAPH, "u") == {"w"}
    golds = {"u": {"w": 1.0, "v": 1.0}, "q": {"w": 1.0}}
    assert unlinked_gold(GRAPH, golds) == {"u": {"v": 1.0}}
    assert ask(GRAPH, CPA, "u", limit=1, unlinked=True).urls == ("v",)


def test_options_of_the_request_reach_the_method() -> None:
    limited = Contender("cpa", Cpa(), (("only", "v"),))
    assert ask(GRAPH, limited, "u").urls == ("v",)


def test_a_failure_is_recorded_with_its_error() -> None:
    trial = ask(GRAPH, CPA, "nowhere")
    assert "No page nowhere" in trial.error
    assert trial.urls == ()


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
    monkeypatch.setattr(trials, "FEW_QUERIES", 10)
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
    monkeypatch.setattr(trials, "FEW_QUERIES", 1)
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


def test_a_graph_in_memory_is_queried_in_this_process() -> None:
    graph = wr.Graph.from_links([("p", "a"), ("p", "b"), ("q", "a"), ("q", "b")])
    ((_, one),) = ask_all(graph, contenders("cocitation"), [(0, "a")], processes=2)
    assert (one.urls, one.siblings, one.cocited) == (("b",), 1, 1)


def test_workers_may_use_the_memory_that_the_machine_gives(
    graph: wr.Graph, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(trials, "FEW_QUERIES", 1)
    monkeypatch.setenv("RELATED_WORKER_MEMORY", str(1 << 30))
    work = [(0, graph.url(page)) for page in range(4)]
    asked = [one for _, one in ask_all(graph, contenders("walk"), work, processes=2)]
    assert [one.error for one in asked] == [""] * 4
