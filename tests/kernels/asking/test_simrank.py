"""The compiled estimates agree with their plain twins, and are right on the average."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kernels.graphs import Arrays, arrays_of, graphs
from whatsrelated import kernels
from whatsrelated.kernels.asking import simrank as plain

compiled = pytest.mark.skipif(kernels.in_use() == "plain", reason="only the twins are here")

scratch = kernels.simrank.Scratch()
steps = st.floats(0.0005, 0.5)


def estimate(
    graph: Arrays,
    page: int,
    decay: float,
    key: int,
    *steps: float,
    module: Any = kernels.simrank,
) -> Any:
    named = dict(zip(("back", "meeting", "significant", "forward", "last"), steps, strict=True))
    own = (plain.Scratch(), graph.twin) if module is plain else (scratch, graph.ours)
    return module.estimate(*own, page, decay=decay, key=key, **named)


@compiled
@settings(max_examples=200)
@given(
    graphs(),
    st.integers(0, 11),
    st.floats(0.1, 0.95),
    st.tuples(*[steps] * 5),
)
def test_an_estimate_is_made_as_by_hand(
    graph: Arrays, page: int, decay: float, parts: tuple[float, ...]
) -> None:
    page %= len(graph.offsets) - 1
    ours, twin = (
        estimate(graph, page, decay, 3, *parts, module=module)
        for module in (kernels.simrank, plain)
    )
    listed = ours[1] > 0  # if all lanes are 0, either may win
    assert ours[0][listed].tolist() == twin[0][twin[1] > 0].tolist()
    assert ours[1][listed].tolist() == pytest.approx(twin[1][twin[1] > 0].tolist(), rel=1e-6)
    assert ours[2][listed].tolist() == pytest.approx(
        twin[2][twin[1] > 0].tolist(), rel=1e-4, abs=1e-12
    )
    assert ours[3:5] == twin[3:5]
    assert ours[5][listed] == pytest.approx(twin[5][twin[1] > 0], rel=1e-5, abs=1e-9)


@pytest.mark.parametrize(
    "steps", [(0.2, 1e-3, 1e-6, 1e-6), (1e-4, 0.3, 1e-6, 1e-6), (1e-4, 1e-3, 0.005, 0.05)]
)
def test_estimates_are_right_on_the_average_and_say_how_far_off_they_are(
    steps: tuple[float, ...],
) -> None:
    """Each step alone has a large variance but no bias.

    What has so little that only quanta lead to it is left out: not at these steps.
    """
    rng = np.random.default_rng(5)
    graph = arrays_of([tuple(pair) for pair in rng.integers(0, 30, (150, 2)).tolist()], 30)
    exact = all_pairs(graph, 0.8)[7]
    exact[7] = 0
    count = 2000
    means, said = np.zeros((count, 30)), np.zeros((count, 30))
    for key in range(count):
        found = estimate(graph, 7, 0.8, key, *steps, 0)
        pages, own, variances, _, nothing_left_to_chance, lanes = found
        assert lanes.mean(axis=1) == pytest.approx(own, abs=1e-6)
        assert not nothing_left_to_chance
        means[key, pages], said[key, pages] = own, variances
    deviations = means.std(axis=0)
    off = np.abs(means.mean(axis=0) - exact) / (deviations / np.sqrt(count) + 1e-4)
    assert off.max() < 4.5
    assert np.sqrt(said.mean()) == pytest.approx(np.sqrt((deviations**2).mean()), rel=0.1)


def test_on_a_chain_nothing_is_left_to_chance() -> None:
    # 0 links to 1 and 2, and these to 3 and 4: 0.8 for the first pair, 0.64 for the second.
    graph = arrays_of([(0, 1), (0, 2), (1, 3), (2, 4)], 5)
    pages, means, variances, read, exact, _ = estimate(graph, 3, 0.8, 0, *[0.01] * 5)
    assert exact
    assert pages.tolist() == [4]
    assert means.tolist() == pytest.approx([0.64], rel=1e-6)
    assert variances.tolist() == pytest.approx([0], abs=1e-12)
    assert read == 2 + 2 + 2


def all_pairs(graph: Arrays, decay: float) -> Any:
    n = len(graph.offsets) - 1
    walk = np.zeros((n, n))
    for page in range(n):
        parents = graph.in_links[int(graph.in_offsets[page]) : int(graph.in_offsets[page + 1])]
        walk[page, parents] = 1 / max(len(parents), 1)
    scores = np.eye(n)
    for _ in range(120):
        scores = decay * walk @ scores @ walk.T
        np.fill_diagonal(scores, 1)
    return scores
