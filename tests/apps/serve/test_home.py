"""The examples of the start page are found in time, however large the graph is."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.waiting import PATIENCE
from whatsrelated.api import Graph, open
from whatsrelated.api.limits import QUESTION_MEMORY, keep_within, question_limits
from whatsrelated.apps.serve import home


class Clock:
    """Stands for the module `time`: each query of a graph takes `step` seconds."""

    def __init__(self, step: float) -> None:
        self.now, self.step = 0.0, step

    def monotonic(self) -> float:
        return self.now


def examples(step: float, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    clock = Clock(step)

    class SlowGraph(Graph):
        def related(self, *urls: Any, **options: Any) -> Any:
            clock.now += clock.step
            return super().related(*urls, **options)

    monkeypatch.setattr(home, "time", clock)
    with keep_within(question_limits(time.monotonic() + PATIENCE, QUESTION_MEMORY)):
        return [page.url for page in home.examples(SlowGraph(open("sample").store))]


def test_a_slow_graph_gets_the_examples_found_in_half_of_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert len(examples(0, monkeypatch)) == home.EXAMPLES
    assert 0 < len(examples(PATIENCE / 4, monkeypatch)) < home.EXAMPLES
