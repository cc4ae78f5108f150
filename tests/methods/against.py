"""Comparing a method's answer with the plain one: order, scores, and rounding."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.reference.graphs import LinkLists
from tests.reference.plain_graph import PlainGraph, Scores
from whatsrelated.api import Graph
from whatsrelated.query.answer import Answer
from whatsrelated.stream import Page

ROUNDING = 1e-8


def graph_from(lists: LinkLists) -> Graph:
    return Graph.from_pages(Page(page, links) for page, links in lists.items())


def assert_same(
    answer: Answer, plain: PlainGraph, scores: Scores, *ties: Mapping[str, float]
) -> None:
    """The same pages and scores in the same order; near-equal scores may change places."""
    found = {result.url: result.score for result in answer}
    largest = max(scores.values(), default=1.0) or 1.0
    # Scores near 0 may be on either side of the bound.
    for page in set(found) ^ set(scores):
        assert max(found.get(page, 0), scores.get(page, 0)) < 1.01e-6 * largest
    shared = {page: score for page, score in scores.items() if page in found}
    assert {page: found[page] for page in shared} == pytest.approx(
        shared, rel=ROUNDING, abs=ROUNDING * largest
    )
    ours = [page for page in found if page in shared]
    for mine, theirs in zip(ours, plain.ordered_list(shared, *ties), strict=True):
        if mine != theirs:
            assert shared[mine] == pytest.approx(shared[theirs], abs=ROUNDING * largest)
            assert not any(tie[mine] != tie[theirs] for tie in ties)
