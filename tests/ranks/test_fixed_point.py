"""Power iteration and refinement, on operators that are their formulae in dense matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.graphs import graph_of
from tests.ranks.definitions import link_matrix, web
from whatsrelated.api import Graph
from whatsrelated.ranks.fixed_point import Iterate, Operator, cached, fixed_point, power_iteration
from whatsrelated.ranks.iterative import Convergence
from whatsrelated.ranks.link_matrix import LinkMatrix, Threads
from whatsrelated.ranks.mbcc import CommonParents
from whatsrelated.ranks.randomized_hits import ForwardsAndBackwards
from whatsrelated.ranks.vectors import uniform

GRAPH = graph_of("a -> b c d", "b -> c", "d -> a c f", "e -> f", "g")
WEB = web("hosts")


def matrix_of(graph: Graph) -> LinkMatrix:
    return LinkMatrix.of(graph.store, Threads(1))


def common_parents(graph: Graph, x: Any) -> Any:
    dense, n = link_matrix(graph), len(graph)
    common = dense.T @ dense
    sums = common.sum(axis=1)
    divided = x / np.where(sums > 0, sums, n)
    return 0.9 * (common @ divided + divided[sums == 0].sum()) + 0.1 / n


def forwards_and_backwards(graph: Graph, x: Any) -> Any:
    dense, n = link_matrix(graph), len(graph)
    hubs = 0.15 / n + 0.85 * dense @ (x / np.maximum(dense.sum(axis=0), 1))
    return 0.15 / n + 0.85 * dense.T @ (hubs / np.maximum(dense.sum(axis=1), 1))


OPERATORS: dict[str, tuple[Any, Any]] = {
    "common parents": (lambda links: CommonParents(links, 0.9), common_parents),
    "forwards and backwards": (
        lambda links: ForwardsAndBackwards(links, 0.15),
        forwards_and_backwards,
    ),
}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", OPERATORS)
def test_an_operator_is_its_formula(name: str, dtype: Any) -> None:
    make, formula = OPERATORS[name]
    operator: Operator = make(matrix_of(GRAPH))
    scores = np.random.default_rng(1).random(len(GRAPH))
    scores /= scores.sum()
    degrees = operator.degrees(dtype)
    x = Iterate.of(scores.astype(dtype), degrees)
    out = x.empty_like()
    change = operator.apply(x, out)
    expected = formula(GRAPH, scores)
    size = expected.sum() if name == "forwards and backwards" else 1
    assert change == pytest.approx(np.abs(expected - scores).sum() / size, rel=1e-5)
    assert out.dangling == pytest.approx(expected[degrees == 0].sum(), rel=1e-5)
    assert out.scores(degrees).tolist() == pytest.approx(expected.tolist(), rel=1e-5)


@pytest.mark.parametrize("name", OPERATORS)
def test_the_linear_part_is_what_two_iterations_differ_by(name: str) -> None:
    operator: Operator = OPERATORS[name][0](matrix_of(GRAPH))
    degrees = operator.degrees(np.float64)
    one, other = np.random.default_rng(2).dirichlet(np.ones(len(GRAPH)), 2)
    first, second = Iterate.of(one.copy(), degrees), Iterate.of(other.copy(), degrees)
    difference = Iterate.of(one - other, degrees)
    outs = [first.empty_like(), second.empty_like(), difference.empty_like()]
    operator.apply(first, outs[0])
    operator.apply(second, outs[1])
    total = np.ones(len(GRAPH))
    norm = operator.apply(difference, outs[2], total)
    # The change of randomized HITS is in proportion to the sum of its last iterate.
    size = outs[1].contributions @ degrees if name == "forwards and backwards" else 1
    scores = outs[2].contributions * np.maximum(degrees, 1)
    assert norm == pytest.approx(np.abs(scores).sum() / size)
    expected = outs[0].contributions - outs[1].contributions
    assert outs[2].contributions.tolist() == pytest.approx(expected.tolist(), abs=1e-15)
    assert outs[2].dangling == pytest.approx(outs[0].dangling - outs[1].dangling, abs=1e-15)
    assert total.tolist() == pytest.approx((1 + expected).tolist())


def test_scores_become_contributions_and_back() -> None:
    degrees = np.array([2.0, 0.0, 3.0, 0.0])
    x = Iterate.of(np.array([4.0, 5.0, 6.0, 7.0]), degrees)
    assert x.contributions.tolist() == [2, 5, 2, 7]
    assert x.dangling == 12
    assert x.scores(degrees).tolist() == [4, 5, 6, 7]


WALK = CommonParents(matrix_of(WEB), 0.9)


def test_every_iteration_is_one_of_the_definition() -> None:
    scores = uniform(len(WEB), np.float64)
    expected = scores.copy()
    x = Iterate.of(scores, WALK.degrees(np.float64))
    convergence = Convergence("any", 1e-12, 3)
    x = power_iteration(WALK, x, convergence)
    for _ in range(3):
        previous, expected = expected, common_parents(WEB, expected)
    assert convergence.iterations == 3
    assert convergence.residual == pytest.approx(np.abs(expected - previous).sum(), rel=1e-9)
    assert x.scores(WALK.degrees(np.float64)).tolist() == pytest.approx(expected.tolist())


def test_power_iteration_ends_when_single_precision_gets_no_nearer() -> None:
    x = Iterate.of(uniform(len(WEB), np.float32), WALK.degrees(np.float32))
    convergence = Convergence("any", 1e-30, 1000)
    power_iteration(WALK, x, convergence)
    assert not convergence.ended
    assert 20 < convergence.iterations < 300


def test_corrections_in_single_precision_reach_double() -> None:
    applied: list[float] = []

    class Watched(CommonParents):
        def apply(self, x: Iterate, out: Iterate, total: Any = None) -> float:
            change = super().apply(x, out, total)
            if x.contributions.dtype == np.float64:
                applied.append(change)
            return change

    convergence = Convergence("any", 1e-14, 1000)
    scores = fixed_point(Watched(matrix_of(WEB), 0.9), uniform(len(WEB), np.float64), convergence)
    assert scores.dtype == np.float64
    assert np.abs(common_parents(WEB, scores) - scores).sum() < 1e-14
    assert convergence.residual == applied[-1] < 1e-14
    # Each correction takes a residual to 1e-5 of it: few iterations are in double precision.
    assert 3 <= len(applied) <= 5
    assert convergence.iterations > 5 * len(applied)


def test_the_last_of_the_allowed_iterations_is_in_double_precision() -> None:
    for most in range(1, 12):
        convergence = Convergence("any", 1e-14, most, accept=True)
        scores = fixed_point(WALK, uniform(len(WEB), np.float64), convergence)
        assert convergence.iterations == most
        assert scores.sum() == pytest.approx(1)
        # The scores are those after the last iteration, whose change was recorded.
        following = common_parents(WEB, scores)
        assert np.abs(following - scores).sum() <= convergence.residual


def test_double_precision_goes_on_if_single_does_not_converge() -> None:
    graph = graph_of("a -> b", "b -> a", "c -> a")
    ranking = graph.rank("randomized-hits", epsilon=0.005, tolerance=1e-6, max_rounds=3000)
    assert ranking.scores.dtype == np.float64
    assert ranking.residual < 1e-6


def test_a_cached_vector_is_made_once_in_each_precision() -> None:
    made: list[Any] = []

    def vector(dtype: Any) -> Any:
        made.append(dtype)
        return np.ones(2, dtype)

    twice = cached(vector)
    assert twice(np.float32) is twice(np.float32)
    assert twice(np.float64).dtype == np.float64
    assert made == [np.float32, np.float64]
