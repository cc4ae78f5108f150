"""HITS: good hubs link to good authorities, and good authorities have good hubs.

    a = Lᵀh, normalised;  h = L a, normalised (Euclidean)

starting from hubs of 1, until a changes by less than the tolerance (L1). Only the most densely
linked part of the graph has scores above 0. In a graph without links, all scores are 0.

This is power iteration, a ← y/‖y‖ with y = LᵀL a.  As in `fixed_point`, most iterations compute
only the change.  When a changes by a step s, in single precision, y changes by LᵀL s, which is
added in double precision.  With f = 1/‖y‖ before and f′ after, the next step is
f′ (y + LᵀL s) - f y = (f′ - f)(y + LᵀL s) + f LᵀL s, so a itself is not stored.

y is recomputed from a in double precision at the start, whenever the step has shrunk to 1e-5 of
its size at the last recomputation, and before the end. If several parts of a graph are equally
dense, later steps never recover the digits that early steps lose. Large steps are therefore
computed in double precision if the tolerance needs more digits than single precision has.

The authorities are not unique if two separate parts of the graph have the largest eigenvalue of
LᵀL; within one part they are (Perron and Frobenius). All parts but the densest end at 0. Both
are noted (XH14, sec. 2.3).

Cost: one read of the links in each direction per iteration; 32 bytes per page. Kle99, sec. 3. For
one page's vicinity, see the method of the same name.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated import kernels
from whatsrelated.ranks.iterative import (
    REDUCTION,
    IterativeRank,
    Scores,
    max_rounds_option,
    tolerance_option,
)

if TYPE_CHECKING:
    from numpy import bool_, float64
    from numpy.typing import NDArray

    from whatsrelated.graph import Store
    from whatsrelated.ranks.iterative import Convergence
    from whatsrelated.ranks.link_matrix import LinkMatrix
    from whatsrelated.ranks.vectors import Floats

CARRIED = 1e7
"""Steps up to this many tolerances are computed in single precision, which has 7 digits."""


@dataclass(frozen=True)
class HitsRank(IterativeRank):
    """Good hubs link to good authorities, and good authorities have good hubs."""

    name = "hits"

    tolerance: float = tolerance_option()
    max_rounds: int = max_rounds_option()

    def solve(self, store: Store, links: LinkMatrix, convergence: Convergence) -> Scores:
        if not store.n_links:
            convergence.residual = 0.0
            return np.zeros(len(links)), np.zeros(len(links))
        authorities = self._authorities(links, convergence)
        convergence.check()
        if convergence.converged:
            convergence.remarks += _remarks(links, authorities, self.tolerance)
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
        recomputed, target = True, float("inf")
        max_step = float("inf") if convergence.dtype is np.float32 else CARRIED * self.tolerance
        while True:
            convergence.record(residual)
            if (recomputed and convergence.converged) or convergence.remaining <= 0:
                return factor * product
            previous_factor = factor
            recomputed = residual < target or residual > max_step
            if recomputed:
                previous = product
                product, factor = _multiply(links, previous_factor * previous)
                np.subtract(factor * product, previous_factor * previous, out=previous)
                step[:] = previous
                residual = float(np.abs(previous, out=previous).sum())
                target = max(REDUCTION * residual, self.tolerance)
            else:
                links.multiply(step, hubs)
                factor = 1 / sqrt(links.T.multiply(hubs, step, product))
                residual = _next_step(links, step, product, factor, previous_factor)


def _remarks(links: LinkMatrix, authorities: Floats, tolerance: float) -> list[str]:
    """Whether the authorities are unique, and how many pages are left at 0."""
    remarks = []
    scoring = authorities >= tolerance
    outside = np.where(scoring & ~_part_of_the_best(links, authorities, scoring), authorities, 0)
    equal = 1 - (1e-6 if authorities.dtype == np.float32 else 1e-9)
    if outside.any() and (
        _density(links, outside) >= equal * _density(links, authorities - outside)
    ):
        remarks.append(
            "The scores are not unique: separate parts of the graph are equally dense, and how "
            "they share the scores depends on the start, here equal hubs."
        )
    linked = links.T.degrees(np.float64) > 0
    zero = int(np.count_nonzero(linked & ~scoring))
    if zero:
        remarks.append(
            f"Pages with links into them that score below the tolerance: {zero:,} of "
            f"{np.count_nonzero(linked):,}. "
            "HITS ranks only the most densely linked part of a graph."
        )
    return remarks


def _part_of_the_best(
    links: LinkMatrix, authorities: Floats, scoring: NDArray[bool_]
) -> NDArray[bool_]:
    """The pages connected to the best page by common parents, until they include every page with a
    score.
    """
    reached = np.zeros(len(links), np.float32)
    reached[int(np.argmax(authorities))] = 1
    hubs, count = np.empty_like(reached), 0
    while np.count_nonzero(reached) > count and (scoring & (reached == 0)).any():
        count = int(np.count_nonzero(reached))
        links.multiply(reached, hubs)
        links.T.multiply(np.sign(hubs), reached)
        np.sign(reached, out=reached)
    return reached > 0


def _density(links: LinkMatrix, authorities: Floats) -> float:
    """The eigenvalue of LᵀL that belongs to the authorities."""
    hubs = np.empty_like(authorities)
    links.multiply(authorities, hubs)
    squares = [float(np.square(x, dtype=np.float64).sum()) for x in (hubs, authorities)]
    return squares[0] / squares[1]


def _multiply(links: LinkMatrix, authorities: Floats) -> tuple[Floats, float]:
    """LᵀL times the authorities, which are overwritten, and the reciprocal of its length."""
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
    """step ← (f′ - f) y + f step, where step is LᵀL s; returns its L1 norm."""
    a, b, bounds = factor - previous_factor, previous_factor, links.columns.bounds

    def combine(*, chunks: range, sums: NDArray[float64]) -> None:
        first, last = bounds[chunks.start], bounds[chunks.stop]
        kernels.sweep.axpby(product, step, a=a, b=b, first=first, last=last, sums=sums)

    return links.T.sum_chunks(combine)[0]
