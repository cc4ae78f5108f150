"""The iteration agrees with its plain twin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whatsrelated import kernels
from whatsrelated.kernels.asking import authorities as plain
from whatsrelated.kernels.asking import edges as plain_edges

pytestmark = pytest.mark.skipif(kernels.in_use() == "plain", reason="only the twins are here")

edges = st.lists(st.tuples(st.integers(0, 19), st.integers(0, 19)), max_size=120, unique=True)
sites = st.lists(st.integers(0, 5), min_size=20, max_size=20)


def rows_of(pairs: list[tuple[int, int]]) -> tuple[Any, Any]:
    pairs = sorted(pair for pair in pairs if pair[0] != pair[1])
    starts = np.searchsorted([p for p, _ in pairs], np.arange(21)).astype(np.int64)
    return starts, np.array([q for _, q in pairs], np.uint32)


@given(
    edges,
    sites,
    st.booleans(),
    st.sampled_from([1, 2, 7, 300]),
    st.sets(st.integers(0, 19)) | st.none(),
)
def test_the_iteration_is_the_plain_one_round_by_round(
    pairs: list[tuple[int, int]],
    own: list[int],
    weighted: bool,
    max_rounds: int,
    apart: set[int] | None,
) -> None:
    starts, targets = rows_of(pairs)
    weights = (None, None)
    if weighted:
        weights = plain_edges.edge_weights(starts, targets, np.array(own, np.uint32))
    roles = None
    if apart is not None:
        roles = np.array([2 + (node in apart) for node in range(20)], np.uint8)
    ours = kernels.authorities.authorities(starts, targets, *weights, 1e-9, max_rounds, roles, 1)
    twin = plain.authorities(starts, targets, *weights, 1e-9, max_rounds, roles, 1)
    np.testing.assert_allclose(ours[0], twin[0], atol=1e-8)
    np.testing.assert_allclose(ours[1], twin[1], atol=1e-8)
    assert abs(ours[2] - twin[2]) <= 1
    if max_rounds < 10:
        assert ours[3] == pytest.approx(twin[3], abs=1e-12)


def test_one_link_converges_in_the_second_round() -> None:
    starts, targets = rows_of([(3, 5)])
    authority, hub, rounds, moved = kernels.authorities.authorities(
        starts, targets, None, None, 1e-9, 1000
    )
    assert authority.tolist() == [float(node == 5) for node in range(20)]
    assert hub.tolist() == [float(node == 3) for node in range(20)]
    assert (rounds, moved) == (2, 0.0)


def test_without_links_everything_is_empty() -> None:
    starts, targets = rows_of([])
    authority, hub, rounds, _ = kernels.authorities.authorities(
        starts, targets, None, None, 1e-9, 1000
    )
    assert (authority.sum(), hub.sum(), rounds) == (0, 0, 2)


@given(
    st.lists(st.tuples(st.sampled_from([0.0, 1e-7, 0.1, 0.5, 1.0]), st.integers(0, 3)), max_size=20)
)
def test_the_best_page_not_set_apart_is_the_measure(
    nodes: list[tuple[float, int]],
) -> None:
    authority = np.array([score for score, _ in nodes], np.float64)
    roles = np.array([role for _, role in nodes], np.uint8)
    most = max([score for score, role in nodes if not role & 1], default=0)
    pages = np.arange(len(nodes), dtype=np.uint32)[::-1].copy()
    chosen = [i for i, (score, role) in enumerate(nodes) if not role & 1 and score > most * 1e-6]
    for twin in (kernels.authorities, plain):
        best, scores = twin.best(pages, authority, roles, 1, 1e-6)
        assert best.tolist() == pages[chosen].tolist()
        assert scores.tolist() == authority[chosen].tolist()


def test_a_component_with_only_excluded_nodes_starts_at_zero() -> None:
    # 0 and 1 link to 5, 1 to 6 too; 2 links to 7 and 8.
    starts, targets = rows_of([(0, 5), (1, 5), (1, 6), (2, 7), (2, 8)])
    for apart, held in (({5}, {5, 6}), ({5, 6}, {7, 8}), ({5, 6, 7, 8}, set()), ({7}, {5, 6})):
        roles = np.array([node in apart for node in range(20)], np.uint8)
        for twin in (kernels.authorities, plain):
            authority = twin.authorities(starts, targets, None, None, 1e-9, 1000, roles, 1)[0]
            assert set(np.flatnonzero(authority > 1e-6).tolist()) == held
