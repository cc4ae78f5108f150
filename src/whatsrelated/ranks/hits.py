"""HITS: good hubs link to good authorities, good authorities have good hubs.

    a = Lᵀh, normalised;  h = L a, normalised (Euclidean)

from hubs of 1, until a changes by less than the tolerance (L1).  A page may well
score 0: only the part of the graph that is linked most densely counts.  A
graph without links has neither hubs nor authorities, and all scores are 0.

This is power iteration, a ← y/‖y‖ with y = LᵀL a.  As in `refine`, most
iterations carry only the change: where a changes by a step s, in single
precision, y changes by LᵀL s, and is summed in double precision.  With f = 1/‖y‖
before and f′ after, the next step is f′ (y + LᵀL s) - f y = (f′ - f)(y + LᵀL s) + f LᵀL s,
so that a itself need not be stored.  y is recomputed from a, in double precision,
at first, when the step is 1e-5 of what it was then, and before the end.  Where
several parts of a graph are linked as densely, what early steps lose is never made
good; so where the tolerance asks for more digits than single precision has, large
steps are not carried.

Cost: one read of the links in each direction per iteration; 32 bytes per page.
Kle99, sec. 3; for one page's vicinity see the method of the same name.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from whatsrelated import kernels
from whatsrelated.ranks.iterative import IterativeRank, Scores
from whatsrelated.ranks.options import max_rounds_option, tolerance_option
from whatsrelated.ranks.refine import REDUCTION

if TYPE_CHECKING:
    from whatsrelated.graph import Store
    from whatsrelated.ranks.convergence import Convergence
    from whatsrelated.ranks.operators import LinkMatrix
    from whatsrelated.ranks.vectors import Floats

CARRIED = 1e7
"""How many tolerances large a step may be to be carried in single precision: 7 digits."""


@dataclass(frozen=True)
class HitsRank(IterativeRank):
    """Good hubs link to good authorities, good authorities have good hubs."""

    name: ClassVar[str] = "hits"

    tolerance: float = tolerance_option()
    max_rounds: int = max_rounds_option()

    def solve(self, store: Store, links: LinkMatrix, convergence: Convergence) -> Scores:
        if not store.n_links:
            convergence.residual = 0.0
            return np.zeros(len(links)), np.zeros(len(links))
        authorities = self._authorities(links, convergence)
        convergence.check()
        hubs = np.empty_like(authorities)
        links.multiply(authorities, hubs)
        for scores in (authorities, hubs):
            scores /= np.linalg.norm(scores)
        return authorities, hubs

    def _authorities(self, links: LinkMatrix, convergence: Convergence) -> Floats:
        """Power iteration on LᵀL, from hubs of 1."""
        product = links.T.degrees(np.float64)
        factor = 1 / float(np.linalg.norm(product))
        residual = float(np.abs(factor * product - 1).sum())
        step, hubs = np.empty(len(links), np.float32), np.empty(len(links), np.float32)
        recomputed, least = True, float("inf")
        most = float("inf") if convergence.dtype is np.float32 else CARRIED * self.tolerance
        while True:
            convergence.record(residual)
            if (recomputed and convergence.converged) or convergence.exhausted:
                return factor * product
            previous_factor = factor
            recomputed = residual < least or residual > most
            if recomputed:
                previous = product
                product, factor = _multiply(links, previous_factor * previous)
                np.subtract(factor * product, previous_factor * previous, out=previous)
                step[:] = previous
                residual = float(np.abs(previous, out=previous).sum())
                least = max(REDUCTION * residual, self.tolerance)
            else:
                links.multiply(step, hubs)
                factor = 1 / sqrt(links.T.multiply(hubs, step, product))
                residual = _next_step(links, step, product, factor, previous_factor)


def _multiply(links: LinkMatrix, authorities: Floats) -> tuple[Floats, float]:
    """LᵀL times the authorities, which are overwritten, and one over its length."""
    hubs = np.empty_like(authorities)
    links.multiply(authorities, hubs)
    return authorities, 1 / sqrt(links.T.multiply(hubs, authorities))


def _next_step(
    links: LinkMatrix,
    step: Floats,
    product: Floats,
    factor: float,
    previous_factor: float,
) -> float:
    """step ← (f′ - f) y + f step, where step is LᵀL s; its L1 norm."""
    axpby, bounds = kernels.sweep.axpby, links.columns.bounds
    a, b = factor - previous_factor, previous_factor
    return links.threads.sum_chunks(axpby, bounds, product, step, a=a, b=b)[0]
