"""Iterative refinement: the residual in double precision, the correction in single.

Most of the time of an iteration in double precision would go into reading 64-bit numbers
from all over memory.  But the error of x, which solves e = A e + r for the residual
r = A x + b - x, needs only few digits:

1. r = A x + b - x in double precision; stop if ‖r‖ is below the tolerance;
2. solve e = A e + r in single precision, until the residual is 1e-5 of ‖r‖ or half of the
   tolerance (`jacobi.correct` or `gauss_seidel.correct`);
3. x ← x + e; the error of single precision was in proportion to e: again from 1.

So double precision costs little more than single, and the iteration after which it stops
is one in double precision.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import numpy as np

from whatsrelated.ranks import jacobi
from whatsrelated.ranks.operators import Iterate, Operator

if TYPE_CHECKING:
    from whatsrelated.ranks.convergence import Convergence
    from whatsrelated.ranks.vectors import Floats

REDUCTION = 1e-5
"""How much of a residual may be left by a correction in single precision."""

AnOperator = TypeVar("AnOperator", bound=Operator)
Correction: TypeAlias = Callable[[AnOperator, Iterate, Iterate, float, "Convergence"], None]
"""correct(operator, x, A x + b, target, convergence): bring x nearer, to that residual."""


def solve(
    operator: AnOperator, x: Iterate, convergence: Convergence, correct: Correction[AnOperator]
) -> Iterate:
    """Refine x, in double precision, until it has converged."""
    after = x.empty_like()
    while True:
        convergence.record(operator.apply(x, after))
        if convergence.ended:
            return after
        target = max(REDUCTION * convergence.residual, convergence.tolerance / 2)
        correct(operator, x, after, target, convergence)
        if convergence.exhausted:
            return x


def fixed_point(
    operator: AnOperator,
    scores: Floats,
    convergence: Convergence,
    correct: Correction[AnOperator] = jacobi.correct,
) -> Floats:
    """The scores x = A x + b, from those given, which are overwritten.

    By power iteration where single precision is enough; refined in double precision where it
    is not, or proves not to be.
    """
    if convergence.dtype is np.float64 or not convergence.ended:
        x = Iterate.of(scores, operator.degrees(convergence.dtype))
        if convergence.dtype is np.float32:
            x = jacobi.solve(operator, x, convergence)
        if convergence.dtype is np.float64 or not convergence.ended:
            x = solve(operator, x.astype(np.float64), convergence, correct)
        scores = x.scores(operator.degrees(x.contributions.dtype.type))
    convergence.check()
    return scores
