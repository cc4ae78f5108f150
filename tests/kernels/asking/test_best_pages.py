"""The best of each list, compiled and plain."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.graphs import Arrays
from whatsrelated.kernels.asking import best_pages as plain

compiled = pytest.importorskip("whatsrelated.kernels.asking._best_pages")

lists = st.lists(
    st.lists(
        st.tuples(st.integers(0, 9), st.sampled_from([0.0, 0.25, 0.5, 0.5 + 1e-12, 1.0, -1.0]))
    ),
    max_size=5,
)


@given(lists, st.integers(0, 6))
def test_the_best_have_the_highest_scores_and_then_the_lowest_numbers(
    given_lists: list[list[tuple[int, float]]], most: int
) -> None:
    starts = np.cumsum([0, *map(len, given_lists)])
    flat = [pair for pairs in given_lists for pair in pairs]
    pages = np.array([page for page, _ in flat], np.uint32)
    scores = np.array([score for _, score in flat], np.float64)
    for kernels in (compiled, plain):
        places = kernels.best(starts, pages, scores, most).tolist()
        assert places == sorted(set(places))
        for start, pairs in zip(starts.tolist(), given_lists, strict=False):
            chosen = [flat[at] for at in places if start <= at < start + len(pairs)]
            largest = max([score for _, score in pairs], default=0)
            compared = [
                (-round(score / largest, 9) if largest > 0 else -score, page)
                for page, score in pairs
            ]
            kept = [compared[pairs.index(pair)] for pair in chosen]
            assert sorted(kept) == sorted(compared)[:most]


some_scores = st.sampled_from([0.0, 0.25, 0.5, 0.5 + 1e-12, 0.5 + 3e-9, 1.0, 7.0])
rows = st.lists(st.tuples(some_scores, some_scores, some_scores, st.integers(0, 2)), max_size=40)


@given(rows, st.integers(0, 45), st.integers(0, 2), st.booleans())
def test_a_list_is_ranked_by_scores_then_ties_then_in_degree_then_number(
    listed: list[tuple[float, float, float, int]], most: int, n_ties: int, negative: bool
) -> None:
    scores = np.array([row[0] for row in listed], np.float64) * (-1 if negative else 1)
    ties = np.array([[row[1 + tie] for row in listed] for tie in range(n_ties)], np.float64)
    pages = np.random.default_rng(len(listed)).permutation(len(listed)).astype(np.uint32)
    offsets = np.cumsum([0, *(row[3] for row in listed)]).astype(np.uint64)
    graph = Arrays(np.zeros_like(offsets), pages[:0], offsets, pages[:0], None)
    compared = (pages, scores, ties if n_ties else None)
    ranked = plain.rank_best(*compared, graph.twin, most)
    assert compiled.rank_best(*compared, graph.ours, most).tolist() == ranked.tolist()
    largest = scores.max(initial=0)
    shown = np.round(scores / largest, 9) if largest > 0 else scores
    keys = [
        (-shown[at], *(-tie[at] for tie in ties), listed[pages[at]][3], pages[at])
        for at in ranked.tolist()
    ]
    assert keys == sorted(keys)
    assert len(keys) == min(most, len(listed))
