"""An answer without results says which condition failed."""

from __future__ import annotations

import pytest

from tests.graphs import graph_of


@pytest.mark.parametrize(
    ("by", "query", "reason"),
    [
        ("cpa", "p", "no page links to p"),
        ("cpa", "q", "the pages that link to q link to no other page"),
        ("coupling", "q", "q links to no page"),
        ("coupling", "p", "no other page links to what p links to"),
        ("peers", "p", "no other page links to what p links to"),
        ("walk", "alone", "alone has no links in either direction"),
    ],
)
def test_an_empty_answer_says_which_condition_failed(by: str, query: str, reason: str) -> None:
    graph = graph_of("p -> q", "alone")
    answer = graph.related(query, by=by)
    assert len(answer) == 0
    assert answer.notes[-1] == reason
