"""What pages share: the parents of two pages, and how many pages several lists hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tests.graphs import graph_of
from whatsrelated.contract.question import Question
from whatsrelated.vicinity.quoting import Quotes
from whatsrelated.vicinity.shared import JointEvidence, distinct, shared_parents
from whatsrelated.vicinity.wording import Wording

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

STORE = graph_of("long -> v x y u", "short -> u v", "other -> u w", "tie -> v u").store


def test_the_most_specific_shared_parents_come_first() -> None:
    u, v, w = (STORE.page(name) for name in "uvw")
    others = np.array([v, w], np.uint32)
    with_v, with_w = shared_parents(STORE, STORE.links_to(u), u, others, 2)
    assert with_v.total == 3
    assert with_v.evidence(Quotes(STORE)) == [
        {"url": "short", "links": 2, "distance": 1},
        {"url": "tie", "links": 2, "distance": -1},
    ]
    assert [parent for parent, _, _ in with_w.listed] == [STORE.page("other")]


class Degrees(JointEvidence[int]):
    """Evidence that notes for which pages it reads the graph."""

    readings: tuple[list[int], ...] = ()

    def read(self, others: NDArray[uint32]) -> list[int]:
        self.readings = (*self.readings, others.tolist())
        return self.question.store.in_degree(others).tolist()

    def evidence(self, say: Wording, other: int) -> dict[str, Any]:
        return {"degree": self.fact(other)}


def test_the_pages_of_an_answer_are_read_together() -> None:
    u, v, w, x = (STORE.page(name) for name in "uvwx")
    explain = Degrees(Question.about(STORE, (u,)), [v, w])
    assert [explain(page)["degree"] for page in (w, v, x, x)] == [1, 3, 1, 1]
    assert explain.readings == ([w, v], [x])


def test_a_page_in_two_lists_counts_once() -> None:
    assert distinct(np.array([1, 2], np.uint32), np.array([2, 3], np.uint32)) == 3
