"""Iterative refinement: from single to double precision, whichever way corrections go."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from tests.graphs import graph_of
from tests.ranks.definitions import random_walk, web
from whatsrelated.ranks import gauss_seidel, jacobi, refine
from whatsrelated.ranks.convergence import Convergence
from whatsrelated.ranks.operators import Iterate, LinkMatrix, RandomWalk
from whatsrelated.ranks.parallel import Threads
from whatsrelated.ranks.vectors import uniform

GRAPH = web("hosts")
WALK = RandomWalk(LinkMatrix.of(GRAPH.store, Threads(1)), 0.85)


@pytest.mark.parametrize("correct", [jacobi.correct, gauss_seidel.correct])
def test_corrections_in_single_precision_reach_double(correct: Any) -> None:
    convergence = Convergence("any", 1e-14, 1000)
    scores = refine.fixed_point(WALK, uniform(len(GRAPH), np.float64), convergence, correct)
    assert scores.dtype == np.float64
    assert convergence.residual < 1e-14
    after = random_walk(GRAPH, scores, 1 / len(GRAPH))
    assert np.abs(after - scores).sum() < 1e-14


@dataclass
class Recording(Convergence):
    """A convergence that keeps every residual."""

    recorded: list[float] = field(default_factory=list)

    def record(self, residual: float) -> None:
        super().record(residual)
        self.recorded.append(residual)


@pytest.mark.parametrize("correct", [jacobi.correct, gauss_seidel.correct])
def test_the_residual_that_ends_it_is_one_in_double_precision(correct: Any) -> None:
    applied: list[float] = []

    class Watched(RandomWalk):
        def apply(self, x: Iterate, out: Iterate, total: Any = None) -> float:
            change = super().apply(x, out, total)
            if x.contributions.dtype == np.float64:
                applied.append(change)
            return change

    walk = Watched(WALK.links, 0.85)
    convergence = Recording("any", 1e-12, 1000)
    refine.fixed_point(walk, uniform(len(GRAPH), np.float64), convergence, correct)
    assert convergence.residual == applied[-1] < 1e-12
    # Each correction takes a residual to 1e-5 of it: few iterations are in double precision.
    assert 3 <= len(applied) <= 5
    assert convergence.iterations > 5 * len(applied)
    # None goes on when it has reached half of the tolerance.
    assert sum(residual < 5e-13 for residual in convergence.recorded) <= 2


def test_no_more_iterations_are_made_than_allowed() -> None:
    for most in range(1, 12):
        convergence = Convergence("any", 1e-14, most, accept=True)
        start = uniform(len(GRAPH), np.float64)
        scores = refine.fixed_point(WALK, start, convergence, gauss_seidel.correct)
        assert convergence.iterations == most
        assert scores.sum() == pytest.approx(1)


def test_double_precision_goes_on_where_single_does_not_converge() -> None:
    graph = graph_of("a -> b", "b -> a", "c -> a")
    ranking = graph.rank("randomized-hits", epsilon=0.005, tolerance=1e-6, max_rounds=3000)
    assert ranking.scores.dtype == np.float64
    assert ranking.residual < 1e-6
