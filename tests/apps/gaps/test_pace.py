"""Work stops early if it cannot finish by its deadline, and never without one."""

from __future__ import annotations

import time

import pytest

from tests.graphs import graph_of
from whatsrelated import kernels
from whatsrelated.apps.gaps.audit import gaps_of
from whatsrelated.apps.gaps.pace import EVERY, Pace
from whatsrelated.errors import OutOfTime


def walk(pace: Pace) -> None:
    for done in range(EVERY):
        pace.step("walking", done, EVERY)


def test_hopeless_work_ends_long_before_the_deadline() -> None:
    walk(Pace(10**18))
    with kernels.limits.Limits(time.monotonic() + 3600):
        walk(Pace(EVERY))
        with pytest.raises(OutOfTime):
            walk(Pace(10**18))


def test_progress_is_reported() -> None:
    told: list[tuple[str, int, int]] = []
    pace = Pace(2, lambda what, done, total: told.append((what, done, total)))
    pace.step("walking", 0, 2)
    assert told == [("walking", 0, 2)]


def test_a_report_cut_by_its_deadline_says_so() -> None:
    graph = graph_of("a -> b c", "b -> a", "c -> a")
    with pytest.raises(OutOfTime, match="A report on 3 pages takes longer than the time limit"):
        gaps_of(graph, deadline=time.monotonic() - 1)
    assert gaps_of(graph, deadline=time.monotonic() + 3600).pages == 3
