"""Graphs are shared: by threads, across a fork, through pickling, and while they are closed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hostile.graphs import QUERY, build_small
from tests.hostile.processes import python

MANY = """
import sys, threading
import whatsrelated
graphs = [whatsrelated.open(path) for path in sys.argv[2:]]
names = [f"https://www.h{i % 12}.org/{i}" for i in range(40)]
methods = ["cocitation", "companion", "hits", "lli", "cpa", "walk", "simrank", "blend"]
def listed(graph, name, by):
    return [(r.url, r.score) for r in graph.related(name, by=by, limit=5)]
expected = {(g, name, by): listed(graphs[g], name, by)
            for g in range(len(graphs)) for i, name in enumerate(names[:8])
            for by in [methods[(i + g) % 8]]}
wrong = []
def ask(number):
    for step, (key, answer) in enumerate(expected.items()):
        if (step + number) % 4 == 0:
            try:
                if listed(graphs[key[0]], *key[1:]) != answer:
                    wrong.append(key)
            except BaseException as error:
                wrong.append((key, repr(error)))
threads = [threading.Thread(target=ask, args=(i,)) for i in range(int(sys.argv[1]))]
[t.start() for t in threads]
[t.join() for t in threads]
print(len(expected), wrong[:3])
"""


@pytest.fixture(scope="module")
def eight(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("eight")
    return [build_small(folder / f"{i}.graph", pages=80 + i, seed=i) for i in range(8)]


def test_64_threads_on_8_graphs_get_the_answers_that_one_gets(eight: list[Path]) -> None:
    done = python(MANY, "64", *eight)
    assert (done.status, done.out) == (0, "64 []\n"), done


FORKED = """
import os, sys, threading
import whatsrelated
graph = whatsrelated.open(sys.argv[1])
def listed():
    answers = (graph.related(sys.argv[2], by=by) for by in ("companion", "blend", "simrank"))
    return [(r.url, r.score) for answer in answers for r in answer]
expected = listed()
stop = threading.Event()
def keep_asking():
    while not stop.is_set():
        listed()
threads = [threading.Thread(target=keep_asking) for _ in range(2)] if sys.argv[3] == "busy" else []
[t.start() for t in threads]
states = []
for _ in range(8):
    child = os.fork()
    if child == 0:
        import signal
        signal.setitimer(signal.ITIMER_PROF, 20)
        signal.alarm(40)
        os._exit(0 if listed() == expected else 3)
    states.append(os.waitpid(child, 0)[1])
stop.set()
[t.join() for t in threads]
assert listed() == expected
print(states)
"""


@pytest.mark.parametrize("how", ["calm", "busy"])
def test_a_fork_after_opening_has_the_same_answers(how: str, small_graph: Path) -> None:
    """Even while other threads of the parent are answering a question."""
    done = python(FORKED, small_graph, QUERY, how)
    assert (done.status, done.out) == (0, f"{[0] * 8}\n"), done


PICKLED = """
import pickle, sys
import whatsrelated
graph = whatsrelated.open(sys.argv[1])
answer = graph.related(sys.argv[2], by="cocitation")
try:
    again = pickle.loads(pickle.dumps(graph))
except whatsrelated.RelatedError as error:
    print("refused", error)
else:
    assert [r.url for r in again.related(sys.argv[2], by="cocitation")] == [r.url for r in answer]
    assert len(pickle.dumps(graph)) < 10_000, "a graph on disk is pickled by its place"
print("fine")
"""


def test_a_graph_is_pickled_by_its_place_or_refused_in_one_sentence(small_graph: Path) -> None:
    done = python(PICKLED, small_graph, QUERY)
    assert done.status == 0, done


ANSWER_PICKLED = """
import copy, pickle, sys
import whatsrelated
graph = whatsrelated.open(sys.argv[1])
for error in (whatsrelated.RelatedError("x"),):
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
try:
    graph.page("https://nowhere.example/")
except whatsrelated.RelatedError as error:
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.nearest) == (str(error), error.nearest)
"""


def test_errors_are_pickled_with_all_their_data(small_graph: Path) -> None:
    done = python(ANSWER_PICKLED, small_graph)
    assert done.status == 0, done


CLOSED = """
import shutil, sys, threading
import whatsrelated
graph = whatsrelated.open(sys.argv[1])
expected = [r.url for r in graph.related(sys.argv[2])]
begun, done = threading.Event(), []
def ask():
    for _ in range(50):
        try:
            done.append([r.url for r in graph.related(sys.argv[2])] == expected)
        except whatsrelated.RelatedError:
            done.append(True)
        begun.set()
thread = threading.Thread(target=ask)
thread.start()
begun.wait()
graph.close()
thread.join()
try:
    graph.related(sys.argv[2])
except whatsrelated.RelatedError as error:
    print("refused:", error)
assert all(done) and len(done) == 50
"""


def test_a_graph_that_is_closed_while_a_question_runs_is_an_error_at_most(
    small_graph: Path,
) -> None:
    done = python(CLOSED, small_graph, QUERY)
    assert done.status == 0, done
    assert "refused" in done.out


REPLACED = """
import gc, shutil, sys, threading
import whatsrelated
graph = whatsrelated.open(sys.argv[1])
expected = [r.url for r in graph.related(sys.argv[2])]
wrong = []
def ask():
    for _ in range(20):
        if [r.url for r in graph.related(sys.argv[2])] != expected:
            wrong.append(1)
threads = [threading.Thread(target=ask) for _ in range(4)]
[t.start() for t in threads]
shutil.rmtree(sys.argv[1])
[t.join() for t in threads]
print(wrong)
"""


def test_a_graph_that_is_removed_while_in_use_still_answers(
    small_graph: Path, tmp_path: Path
) -> None:
    from tests.hostile.graphs import copy_of

    done = python(REPLACED, copy_of(small_graph, tmp_path / "web.graph"), QUERY)
    assert (done.status, done.out) == (0, "[]\n"), done
