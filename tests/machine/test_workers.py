"""Workers: results in order, and no item can stop the others."""

from __future__ import annotations

import itertools
import os
import resource
import select
import signal
import threading
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from tests.machine.hanging import HangingClock, hang
from whatsrelated.errors import RelatedError
from whatsrelated.machine import workers
from whatsrelated.machine.workers import ItemFailed, Lost, WorkerPool


@dataclass(frozen=True)
class Work:
    """Does what the item says; `after` is after another has begun to hang."""

    mark: str = "done"
    folder: str = ""

    def __call__(self, item: str) -> bytes:
        what, _, argument = item.partition(" ")
        if what == "hang":
            hang(self.folder)
        elif what == "after":
            while not list(Path(self.folder).glob("hangs-*")):
                time.sleep(0.01)
            (Path(self.folder) / item).touch()
        elif what == "sleep":
            time.sleep(float(argument.partition(" ")[0]))
        elif what == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        elif what == "grow":
            bytearray(8 << 30)
        elif what == "limit":
            return str(resource.getrlimit(resource.RLIMIT_AS)[0]).encode()
        elif what == "refuse":
            raise ItemFailed(argument)
        elif what == "fail":
            raise KeyError(argument)
        elif what == "print":
            print(argument)
        elif what == "large":
            return b"x" * 5_000_000
        return f"{self.mark} {item}".encode()


results = partial(workers.results, noun="the worker")


@dataclass(frozen=True)
class CannotStart:
    """Cannot be unpickled in another process."""

    def __call__(self, item: str) -> bytes:
        return b""

    def __reduce__(self):
        return (_absent, ())


def _absent():
    raise ModuleNotFoundError("No module named 'absent'")


def test_results_come_in_the_order_of_the_items():
    items = [f"sleep {0.02 if n % 7 == 0 else 0} {n}" for n in range(60)]
    found = list(results(Work(), iter(items), workers=3))
    assert found == [(item, f"done {item}".encode()) for item in items]


def test_no_items_start_no_process():
    assert list(results(Work(), [], workers=2)) == []


def test_an_item_that_takes_too_long_is_lost_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "clock", HangingClock(tmp_path))
    items = ["a", "hang 1", "b", "c", "hang 2", "d"]
    found = dict(results(Work(folder=str(tmp_path)), items, workers=1, seconds=0.5))
    assert [item for item, answer in found.items() if isinstance(answer, Lost)] == [
        "hang 1",
        "hang 2",
    ]
    assert found["hang 1"] == Lost("took over 0.5 s")
    assert found["d"] == b"done d"


def test_a_busy_neighbour_gives_no_more_time(tmp_path, monkeypatch):
    """Every item of the neighbour's takes 0.3 s, of which 6 are too many for one item."""
    monkeypatch.setattr(workers, "clock", lambda: 0.3 * len(list(tmp_path.glob("after*"))))
    items = ["hang", *(f"after {n}" for n in range(150))]
    answers = results(Work(folder=str(tmp_path)), items, workers=2, seconds=6)
    assert next(answers) == ("hang", Lost("took over 6 s"))
    assert len(list(tmp_path.glob("after*"))) < 150
    assert all(isinstance(answer, bytes) for _, answer in answers)


def test_an_item_that_crashes_the_process_is_lost_alone():
    items = ["a", "crash 1", "b", "crash 2", "c"]
    found = list(results(Work(), items, workers=2))
    assert found == [
        ("a", b"done a"),
        ("crash 1", Lost("crashed the worker")),
        ("b", b"done b"),
        ("crash 2", Lost("crashed the worker")),
        ("c", b"done c"),
    ]


def test_an_item_that_fails_is_lost_with_its_reason():
    found = dict(results(Work(), ["refuse binary files", "fail x", "grow", "a"], workers=1))
    assert found == {
        "refuse binary files": Lost("binary files"),
        "fail x": Lost("failed with KeyError"),
        "grow": Lost("too large for memory"),
        "a": b"done a",
    }


@pytest.mark.parametrize("limit", [None, 3 << 30])
def test_a_worker_has_the_requested_memory_limit(limit, monkeypatch):
    monkeypatch.delenv("RELATED_WORKER_MEMORY", raising=False)
    [(_, answer)] = results(Work(), ["limit"], workers=1, memory=limit)
    assert int(answer) == (limit or resource.getrlimit(resource.RLIMIT_AS)[1])


def test_output_printed_by_the_work_is_not_an_answer():
    assert list(results(Work(), ["print hello"], workers=1)) == [
        ("print hello", b"done print hello")
    ]


def test_large_results_and_odd_names_pass():
    items = ["large", "ü\udcff", "x" * 60_000, "large", "y" * 60_000]
    found = list(results(Work(), items, workers=2))
    assert [len(answer) for _, answer in found[::3]] == [5_000_000, 5_000_000]
    assert [item for item, _ in found] == items


def test_a_slow_consumer_loses_nothing(monkeypatch):
    """Hours pass while answers wait to be fetched: they are not the worker's."""
    hours = itertools.count(step=3600.0)
    now = [next(hours)]
    monkeypatch.setattr(workers, "clock", lambda: now[0])
    pool = WorkerPool(Work(), 1, 0.5, "the worker")
    items = [f"large {n}" for n in range(8)]
    try:
        for number, (item, answer) in enumerate(pool.run(iter(items)), 1):
            assert len(answer) == 5_000_000, item
            if number < len(items):
                select.select([pool.workers[0].answers], [], [])
                now[0] = next(hours)
    finally:
        pool.close()


def test_workers_that_cannot_start_are_an_error_that_says_why():
    with pytest.raises(RelatedError, match="No module named 'absent'"):
        list(results(CannotStart(), ["a", "b"], workers=1))


def test_leaving_early_ends_the_processes(tmp_path, monkeypatch):
    started = []
    start = WorkerPool._start

    def recorded(pool):
        started.append(start(pool))
        return started[-1]

    monkeypatch.setattr(WorkerPool, "_start", recorded)
    for _ in results(Work(folder=str(tmp_path)), ["a", "hang 1", "hang 2"], workers=2):
        break
    assert started
    assert all(worker.process.poll() is not None for worker in started)


def test_workers_start_beside_threads():
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    try:
        assert list(results(Work(), ["a"], workers=1)) == [("a", b"done a")]
    finally:
        stop.set()
        thread.join()
