"""The best of each list, compiled and plain."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated.kernels.plain import choosing as plain

compiled = pytest.importorskip("whatsrelated.kernels._choosing")

lists = st.lists(
    st.lists(st.tuples(st.integers(0, 9), st.sampled_from([0.0, 0.25, 0.5, 1.0, -1.0]))),
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
            ranked = sorted(pairs, key=lambda pair: (-pair[1], pair[0]))
            assert sorted(chosen) == sorted(ranked[:most])
