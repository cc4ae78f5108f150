"""Operators against their formulae, written out in dense matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.graphs import graph_of
from tests.ranks.definitions import link_matrix, random_walk, web
from whatsrelated.api import Graph
from whatsrelated.ranks.mbcc import CommonParents
from whatsrelated.ranks.operators import Iterate, LinkMatrix, Operator, RandomWalk
from whatsrelated.ranks.parallel import Threads
from whatsrelated.ranks.randomized_hits import ForwardsAndBackwards

GRAPH = graph_of("a -> b c d", "b -> c", "d -> a c f", "e -> f", "g")


def matrix_of(graph: Graph) -> LinkMatrix:
    return LinkMatrix.of(graph.store, Threads(1))


def chosen(dtype: Any) -> Any:
    return np.array([0, 3, 0, 1, 0, 0, 2], dtype)


def test_the_link_matrix_multiplies_in_both_directions() -> None:
    links, dense = matrix_of(GRAPH), link_matrix(GRAPH)
    x = np.random.default_rng(0).random(len(GRAPH))
    for matrix, expected in ((links, dense @ x), (links.T, dense.T @ x), (links.T.T, dense @ x)):
        out, total = np.empty(len(GRAPH)), np.ones(len(GRAPH))
        assert matrix.multiply(x, out) == pytest.approx(np.square(expected).sum())
        assert out.tolist() == pytest.approx(expected.tolist())
        assert matrix.multiply(x, out, total) == pytest.approx(np.square(total).sum())
        assert total.tolist() == pytest.approx((1 + expected).tolist())
    assert links.degrees(np.float64).tolist() == dense.sum(axis=1).tolist()
    assert links.T.degrees(np.float32).tolist() == dense.sum(axis=0).tolist()


def common_parents(x: Any) -> Any:
    dense, n = link_matrix(GRAPH), len(GRAPH)
    common = dense.T @ dense
    sums = common.sum(axis=1)
    divided = x / np.where(sums > 0, sums, n)
    return 0.9 * (common @ divided + divided[sums == 0].sum()) + 0.1 / n


def forwards_and_backwards(x: Any) -> Any:
    dense, n = link_matrix(GRAPH), len(GRAPH)
    hubs = 0.15 / n + 0.85 * dense @ (x / np.maximum(dense.sum(axis=0), 1))
    return 0.15 / n + 0.85 * dense.T @ (hubs / np.maximum(dense.sum(axis=1), 1))


OPERATORS: dict[str, tuple[Any, Any]] = {
    "random walk": (
        lambda links: RandomWalk(links, 0.85),
        lambda x: random_walk(GRAPH, x, 1 / len(GRAPH)),
    ),
    "random walk with a teleport vector": (
        lambda links: RandomWalk(links, 0.6, chosen),
        lambda x: random_walk(GRAPH, x, chosen(float) / 6, 0.6),
    ),
    "random walk that jumps by degree": (
        lambda links: RandomWalk(links, 0.6, links.degrees),
        lambda x: random_walk(GRAPH, x, link_matrix(GRAPH).sum(axis=1) / GRAPH.n_links, 0.6),
    ),
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
    expected = formula(scores)
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


def test_one_array_serves_where_jumps_go_by_degree() -> None:
    links = matrix_of(web("plain"))
    walk = RandomWalk(links, 0.85, links.T.T.degrees)
    assert walk.cached_weights(np.float64) is walk.degrees(np.float64)
    other = RandomWalk(links, 0.85, links.T.degrees)
    assert other.cached_weights(np.float64) is not other.degrees(np.float64)
    assert other.cached_weights(np.float64) is other.cached_weights(np.float64)
