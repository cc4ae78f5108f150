"""A question may have a deadline; a method that can stop early sees it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import ClassVar

from tests.graphs import graph_of
from whatsrelated.contract.candidates import Candidates
from whatsrelated.contract.question import Question
from whatsrelated.kernels.scratch import QUESTION_MEMORY, keep_within, question_limits
from whatsrelated.methods.cocitation import Cocitation


@dataclass(frozen=True)
class Noting(Cocitation):
    """Cocitation that notes the deadline it was given."""

    name: ClassVar[str] = "noting"

    def find(self, question: Question) -> Candidates:
        found = super().find(question)
        found.notes = (f"until {question.deadline}",)
        return found


def test_the_method_sees_the_deadline() -> None:
    graph = graph_of("a -> tea coffee", "b -> coffee tea")
    assert graph.related("tea", by=Noting(), deadline=12.5).notes == ["until 12.5"]
    assert graph.related("tea", by=Noting()).notes == ["until inf"]


def test_within_other_limits_a_method_sees_when_to_stop() -> None:
    graph = graph_of("a -> tea coffee", "b -> coffee tea")
    with keep_within(question_limits(time.monotonic() + 3600, QUESTION_MEMORY)):
        assert graph.related("tea", by=Noting(), deadline=12.5).notes == ["until 12.5"]
