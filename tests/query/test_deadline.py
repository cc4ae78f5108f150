"""A question may have a deadline; whoever can stop early is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tests.graphs import graph_of
from whatsrelated.contract.found import Found
from whatsrelated.contract.question import Question
from whatsrelated.methods.cocitation import Cocitation


@dataclass(frozen=True)
class Noting(Cocitation):
    """Cocitation that notes the deadline it was given."""

    name: ClassVar[str] = "noting"

    def find(self, question: Question) -> Found:
        found = super().find(question)
        found.notes = (f"until {question.deadline}",)
        return found


def test_the_method_is_told_the_deadline() -> None:
    graph = graph_of("a -> tea coffee", "b -> coffee tea")
    assert graph.related("tea", by=Noting(), deadline=12.5).notes == ["until 12.5"]
    assert graph.related("tea", by=Noting()).notes == ["until None"]
