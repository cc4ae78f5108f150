"""Power iteration, the Jacobi method: x ← A x + b, all of it from the x before.

An iteration multiplies the error by A, so that it shrinks at least by the damping.  In
single precision rounding may keep the residual from shrinking below the tolerance; then the
iteration ends early, and `refine` goes on.

The same iteration solves for a correction: where x has the residual r = A x + b - x, its
error is (I - A)⁻¹ r = r + A r + A² r + …, and that sum is added to x, term by term.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.ranks.operators import Iterate

if TYPE_CHECKING:
    from whatsrelated.ranks.convergence import Convergence
    from whatsrelated.ranks.operators import Operator


def solve(operator: Operator, x: Iterate, convergence: Convergence) -> Iterate:
    """Iterate until x has converged, or an iteration changes no less than the one before."""
    after = x.empty_like()
    while not convergence.ended:
        previous = convergence.residual
        residual = operator.apply(x, after)
        x, after = after, x
        convergence.record(residual)
        if residual >= previous:
            break
    return x


def correct(
    operator: Operator, x: Iterate, after: Iterate, target: float, convergence: Convergence
) -> None:
    """Add to x the error that its residual tells of, the terms down to the target.

    `after` is A x + b, and is overwritten.
    """
    np.subtract(after.contributions, x.contributions, out=after.contributions)
    term = Iterate(after.contributions.astype(np.float32), after.dangling - x.dangling)
    x.contributions += after.contributions
    x.dangling = after.dangling
    following = term.empty_like()
    while convergence.residual > target and not convergence.exhausted:
        residual = operator.apply(term, following, x.contributions)
        term, following = following, term
        x.dangling += term.dangling
        convergence.record(residual)
