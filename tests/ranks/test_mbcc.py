"""MBCC against XH14's example; `test_ranks.py` compares it with its definition."""

from __future__ import annotations

import pytest

from tests.graphs import graph_of


def test_mbcc_gives_what_xh14s_example_gives() -> None:
    # a, b and c have no parents; each is a third of what jumps bring, a = β 3a/6 + (1-β)/6.
    # j1 and j2 have Q = 3+2+2 = 7, j3 has Q = 3: x(j3) = β (2 x(j1)/7 + x(j3)/3) + a.
    graph = graph_of("a -> j1 j2 j3", "b -> j1 j2", "c -> j1 j2")
    ranking = graph.rank("mbcc", tolerance=1e-13)
    a = (0.1 / 6) / (1 - 0.45)
    assert [ranking[page] for page in "abc"] == pytest.approx([a] * 3, abs=1e-12)
    j1, j2, j3 = (ranking[page] for page in ("j1", "j2", "j3"))
    assert j1 == pytest.approx(j2, abs=1e-15)
    assert j3 == pytest.approx(0.9 * (2 * j1 / 7 + j3 / 3) + a, abs=1e-12)
    # W(j1, ·) = 3/7, 3/7, 1/7: what j1 hands on.
    assert j1 == pytest.approx(0.9 * (3 * j1 / 7 + 3 * j2 / 7 + j3 / 3) + a, abs=1e-12)
    # y = L Lᵀ x: only a, b and c link; Lᵀx is a+b+c, a+b+c, a.
    assert ranking.hubs.tolist() == pytest.approx([7 / 19, 6 / 19, 6 / 19, 0, 0, 0])


def test_no_score_is_negative() -> None:
    graph = graph_of("p1 -> p5 p3", "p2 -> p5", "p5 -> p0 p3")
    assert graph.rank("mbcc", beta=1, accept=True).scores.min() == 0
