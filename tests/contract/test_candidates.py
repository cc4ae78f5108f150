"""Results are sorted in one place, and evidence is computed when it is read."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.graphs import graph_of
from whatsrelated.contract.candidates import Candidates, Result, order

STORE = graph_of("p -> a b c d", "q -> a b", "r -> a").store
PAGES = [STORE.page(name) for name in "abcd"]


def in_order(scores: list[float], limit: int | None = None, **more: Any) -> str:
    found = Candidates(np.array(PAGES, np.uint32), np.array(scores, np.float64), **more)
    return "".join(STORE.url(int(found.pages[i])) for i in order(found, STORE.links, limit))


def test_equal_scores_go_by_ties_then_the_lower_in_degree_then_the_lower_number() -> None:
    assert in_order([1, 1, 1, 1]) == "cdba"
    assert in_order([1, 2, 1, 1]) == "bcda"
    assert in_order([1, 1, 1, 1], ties=(np.array([0.0, 0, 0, 1]),)) == "dcba"
    assert in_order([1, 1 + 1e-12, 1, 1]) == "cdba"


def test_groups_come_before_scores_and_the_limit_cuts() -> None:
    assert in_order([4, 3, 2, 1], groups=np.array([1, 2, 1, 2])) == "bdac"
    assert in_order([4, 3, 2, 1], limit=2) == "ab"


def test_a_page_left_out_takes_its_ties_and_groups_with_it() -> None:
    found = Candidates(
        np.array([5, 6, 7], np.uint32),
        np.array([1.0, 2.0, 3.0]),
        ties=(np.array([0.1, 0.2, 0.3]),),
        groups=np.array([1, 2, 3]),
    )
    left = found.without([6, 9])
    assert left.pages.tolist() == [5, 7]
    assert left.scores.tolist() == [1.0, 3.0]
    assert left.ties[0].tolist() == [0.1, 0.3]
    assert left.groups is not None
    assert left.groups.tolist() == [1, 3]
    assert found.without([9]) is found


def test_evidence_is_computed_once_and_only_when_it_is_read() -> None:
    asked: list[int] = []

    def evidence(page: int) -> dict[str, Any]:
        asked.append(page)
        return {"sentence": "Why."}

    result = Result(7, "u", None, 1.0, evidence)
    assert result.as_dict() == {"url": "u", "title": None, "score": 1.0}
    assert asked == []
    assert result.as_dict(why=True)["evidence"] == {"sentence": "Why."}
    assert result.evidence == {"sentence": "Why."}
    assert asked == [7]
