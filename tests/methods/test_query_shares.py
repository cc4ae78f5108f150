"""The parents and children of several query pages; tests/query/test_weights.py has the whole."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.graphs import graph_of
from whatsrelated.contract.question import Question
from whatsrelated.methods.query_shares import gather_children, gather_parents, subtract_parts

GRAPH = graph_of("p -> u v", "q -> u", "u -> a b", "v -> b c d e")


def question(**weights: float) -> Question:
    asked = GRAPH.question([GRAPH.page(name) for name in weights])
    return replace(asked, weights=tuple(weights.values()))


def test_a_page_does_not_count_more_because_more_pages_link_to_it() -> None:
    parents, shares = gather_parents(question(u=1, v=3), np.array([0.25, 0.75]), 2000)
    assert [GRAPH.url(page) for page in parents.tolist()] == ["p", "q"]
    assert shares.tolist() == [0.25, 0.75 * 2]  # u has two parents, v has one


def test_a_shared_child_counts_for_both_pages() -> None:
    children, weights = gather_children(question(u=1, v=1), np.array([0.5, 0.5]), 1000, 200_000)
    by_name = {GRAPH.url(page): weight for page, weight in zip(children, weights, strict=True)}
    assert by_name == pytest.approx(
        {"a": 0.5 * 2**0.5, "b": 0.5 * 2**0.5 + 0.5, "c": 0.5, "d": 0.5, "e": 0.5}
    )


def test_many_pages_share_the_limits_of_one() -> None:
    graph = graph_of(*(f"p{i} -> u v" for i in range(40)))
    two = graph.question([graph.page("u"), graph.page("v")])
    shares = np.array([0.5, 0.5])
    assert len(gather_parents(two, shares, 2000)[0]) == 40
    assert len(gather_parents(two, shares, 80)[0]) <= 2 * 80 // 4
    assert len(gather_parents(two, shares, 1)[0]) <= 2


def test_parts_are_subtracted_over_their_maxima_and_never_fall_below_0() -> None:
    parts = np.array([[0.5, 0.25, 0.0], [4.0, 2.0, 1.0]])
    other = np.array([[0.1, 0.5], [10.0, 1.0]])
    pages, other_pages = np.array([7, 3, 5], np.uint32), np.array([3, 7], np.uint32)
    subtract_parts(pages, parts, other_pages, other, 0.5)
    assert parts.tolist() == [
        pytest.approx([0.5 - 0.25, 0.25 - 0.05, 0]),
        pytest.approx([4 - 0.2, 0, 1]),
    ]
