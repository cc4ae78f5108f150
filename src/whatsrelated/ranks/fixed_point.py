"""Power iteration with iterative refinement: the fixed point x = A x + b of an operator.

Power iteration, x ← A x + b, multiplies the error of x by A each time. In single precision,
rounding may keep the residual above the tolerance. Then the iteration ends early, and refinement
takes over.

In double precision, most time would be spent reading 64-bit numbers from all over memory. But the
error of x, which solves e = A e + r for the residual r = A x + b - x, needs only a few digits:

1. Compute r = A x + b - x in double precision; stop if ‖r‖ is below the tolerance.
2. Compute e = r + A r + A² r + … in single precision, adding the terms to x in double
   precision, until a term is 1e-5 of ‖r‖ or half of the tolerance.
3. Since the rounding error of single precision is proportional to e, repeat from step 1.

Double precision therefore costs little more than single precision, and the final residual is
computed in double precision.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.ranks.iterative import REDUCTION

if TYPE_CHECKING:
    from whatsrelated.ranks.iterative import Convergence
    from whatsrelated.ranks.vectors import Floats, Precision, Vector


@dataclass
class Iterate:
    """An approximation of x: the contributions, and the sum of the dangling pages' scores."""

    contributions: Floats
    dangling: float = 0.0

    @classmethod
    def of(cls, scores: Floats, degrees: Floats) -> Iterate:
        """The iterate with these scores, which are overwritten."""
        dangling = float(scores[degrees == 0].sum(dtype=np.float64))
        scores /= np.maximum(degrees, 1)
        return cls(scores, dangling)

    def scores(self, degrees: Floats) -> Floats:
        """The scores of the pages; the contributions are overwritten."""
        self.contributions *= np.maximum(degrees, 1)
        return self.contributions

    def empty_like(self) -> Iterate:
        return Iterate(np.empty_like(self.contributions))


class Operator(ABC):
    """The operator x ↦ A x + b, where A reads the contributions of x."""

    @abstractmethod
    def degrees(self, dtype: Precision) -> Floats:
        """The divisor that turns a score into a contribution; 0 if the page is dangling."""

    @abstractmethod
    def apply(self, x: Iterate, out: Iterate, total: Floats | None = None) -> float:
        """out ← A x + b; returns the L1 norm of the change from x.

        With a `total`, computes only the linear part: out ← A x, which is also added to the total.
        Returns the L1 norm of out.
        """


def fixed_point(operator: Operator, scores: Floats, convergence: Convergence) -> Floats:
    """The scores x = A x + b, starting from the given scores, which are overwritten."""
    x = Iterate.of(scores, operator.degrees(convergence.dtype))
    if convergence.dtype is np.float32:
        x = power_iteration(operator, x, convergence)
    if convergence.dtype is np.float64 or not convergence.ended:
        x.contributions = x.contributions.astype(np.float64, copy=False)
        x = refine(operator, x, convergence)
    convergence.check()
    return x.scores(operator.degrees(x.contributions.dtype.type))


def power_iteration(operator: Operator, x: Iterate, convergence: Convergence) -> Iterate:
    """Iterate until x has converged, or the residual no longer shrinks."""
    after = x.empty_like()
    while not convergence.ended:
        previous = convergence.residual
        residual = operator.apply(x, after)
        x, after = after, x
        convergence.record(residual)
        if residual >= previous:
            break
    return x


def refine(operator: Operator, x: Iterate, convergence: Convergence) -> Iterate:
    """Refine x, in double precision, until it has converged."""
    after = x.empty_like()
    while True:
        convergence.record(operator.apply(x, after))
        if convergence.ended:
            return after
        target = max(REDUCTION * convergence.residual, convergence.tolerance / 2)
        # x ← x + r + A r + …
        residual = np.subtract(after.contributions, x.contributions, out=after.contributions)
        term = Iterate(residual.astype(np.float32), after.dangling - x.dangling)
        x.contributions += residual
        x.dangling = after.dangling
        following = term.empty_like()
        while convergence.residual > target and convergence.remaining > 1:
            convergence.record(operator.apply(term, following, x.contributions))
            term, following = following, term
            x.dangling += term.dangling


def cached(vector: Vector) -> Vector:
    """One vector in both precisions, each computed only once."""
    arrays: dict[Precision, Floats] = {}

    def get(dtype: Precision) -> Floats:
        if dtype not in arrays:
            arrays[dtype] = vector(dtype)
        return arrays[dtype]

    return get
