"""Power iteration: x = A x + b from anywhere, and the correction of a residual."""

from __future__ import annotations

import numpy as np
import pytest

from tests.ranks.definitions import random_walk, web
from whatsrelated.ranks import jacobi
from whatsrelated.ranks.convergence import Convergence
from whatsrelated.ranks.operators import Iterate, LinkMatrix, RandomWalk
from whatsrelated.ranks.parallel import Threads
from whatsrelated.ranks.vectors import uniform

GRAPH = web("hosts")
WALK = RandomWalk(LinkMatrix.of(GRAPH.store, Threads(1)), 0.85)


def test_every_iteration_is_one_of_the_definition() -> None:
    scores = uniform(len(GRAPH), np.float64)
    expected = scores.copy()
    x = Iterate.of(scores, WALK.degrees(np.float64))
    convergence = Convergence("any", 1e-12, 3)
    x = jacobi.solve(WALK, x, convergence)
    for _ in range(3):
        previous, expected = expected, random_walk(GRAPH, expected, 1 / len(GRAPH))
    assert convergence.iterations == 3
    assert convergence.residual == pytest.approx(np.abs(expected - previous).sum(), rel=1e-9)
    assert x.scores(WALK.degrees(np.float64)).tolist() == pytest.approx(expected.tolist())


def test_it_ends_where_single_precision_gets_no_nearer() -> None:
    scores = uniform(len(GRAPH), np.float32)
    x = Iterate.of(scores, WALK.degrees(np.float32))
    convergence = Convergence("any", 1e-30, 1000)
    jacobi.solve(WALK, x, convergence)
    assert not convergence.ended
    assert 20 < convergence.iterations < 200


def test_a_correction_solves_for_the_error() -> None:
    degrees = WALK.degrees(np.float64)
    x = Iterate.of(np.random.default_rng(0).dirichlet(np.ones(len(GRAPH))), degrees)
    after = x.empty_like()
    convergence = Convergence("any", 1e-14, 1000)
    convergence.record(WALK.apply(x, after))
    first = convergence.residual
    jacobi.correct(WALK, x, after, 1e-5 * first, convergence)
    assert convergence.residual <= 1e-5 * first
    dangling = (x.contributions[degrees == 0]).sum()
    assert x.dangling == pytest.approx(dangling, rel=1e-6)
    assert WALK.apply(x, after) < 2e-5 * first
