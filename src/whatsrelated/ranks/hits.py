"""HITS: good hubs link to good authorities, and good authorities have good hubs.

    a = Lᵀh, normalised;  h = L a, normalised (Euclidean)

starting from hubs of 1, until a changes by less than the tolerance (L1). Only the most densely
linked part of the graph has scores above 0. In a graph without links, all scores are 0.

The authorities a are the first eigenvector of LᵀL. Power iteration, a ← LᵀL a normalised, is slow
if another part of the graph is almost as dense. Instead, each iteration searches more widely
(locally optimal conjugate gradients):

1. r = LᵀL a - (a · LᵀL a) a, the direction in which a round changes a; read the links for LᵀL r;
2. a ← the best combination of a, r and the previous step: the one for which |L a| / |a| is largest;
   it is an eigenvector of a 3 × 3 matrix.

The products of the combination are combinations of the known products. Before the end, the product
is computed again from a, and the scores are that last round. All vectors stay in the space spanned
by the start and its rounds, so the scores converge to those of power iteration.

The authorities are not unique if two separate parts of the graph have the largest eigenvalue of
LᵀL; within one part they are (Perron and Frobenius). All other parts end at 0. Both are noted
(XH14, sec. 2.3).

Cost: one read of the links in each direction per iteration; 64 bytes per page. Kle99, sec. 3. For
one page's vicinity, see the method of the same name.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.ranks.iterative import (
    IterativeRank,
    Scores,
    max_rounds_option,
    tolerance_option,
)

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

    from whatsrelated.graph import Store
    from whatsrelated.ranks.iterative import Convergence
    from whatsrelated.ranks.link_matrix import LinkMatrix
    from whatsrelated.ranks.vectors import Floats

EQUAL = 1 - 1e-9
"""The share of the largest eigenvalue from which another one is called equal."""


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
        """The first eigenvector of LᵀL, starting from hubs of 1."""
        best = _Direction.of(links, links.T.degrees(np.float64))
        step: _Direction | None = None
        recomputed = True
        while True:
            after = best.product / sqrt(_dot(best.product, best.product))
            convergence.record(float(np.abs(after - best.vector).sum()))
            if (recomputed and convergence.converged) or convergence.remaining <= 0:
                np.maximum(after, 0, out=after)
                return after
            recomputed = convergence.converged
            if recomputed:
                best, step = _Direction.of(links, best.vector), None
            else:
                change = best.product - _dot(best.vector, best.product) * best.vector
                step = _improve(best, _Direction.of(links, change), step)


@dataclass
class _Direction:
    """A vector v of length 1, and LᵀL v."""

    vector: Floats
    product: Floats

    @classmethod
    def of(cls, links: LinkMatrix, vector: Floats) -> _Direction:
        """The direction of a vector, which is overwritten."""
        vector /= sqrt(_dot(vector, vector)) or 1
        hubs, product = np.empty_like(vector), np.empty_like(vector)
        links.multiply(vector, hubs)
        links.T.multiply(hubs, product)
        return cls(vector, product)

    def scale(self, factor: float) -> None:
        self.vector *= factor
        self.product *= factor

    def add(self, other: _Direction, factor: float) -> None:
        self.vector += factor * other.vector
        self.product += factor * other.product

    def normalise(self) -> None:
        self.scale(1 / (sqrt(_dot(self.vector, self.vector)) or 1))


def _improve(best: _Direction, change: _Direction, step: _Direction | None) -> _Direction:
    """Replace the best direction by the best combination with the change and the previous step;
    return the new step.
    """
    change.add(best, -_dot(change.vector, best.vector))
    change.normalise()
    basis = [best, change]
    if step is not None:
        for other in basis:
            step.add(other, -_dot(step.vector, other.vector))
        step.normalise()
        basis.append(step)
    matrix = [[_dot(one.vector, other.product) for other in basis] for one in basis]
    shares = np.linalg.eigh(matrix)[1][:, -1]
    shares *= np.sign(shares[0]) or 1
    change.scale(shares[1])
    if step is not None:
        change.add(step, shares[2])
    best.scale(shares[0])
    best.add(change, 1)
    best.normalise()
    return change


def _dot(one: Floats, other: Floats) -> float:
    # Not np.dot: the sums of BLAS depend on its number of threads.
    return float(np.einsum("i,i", one, other))


def _remarks(links: LinkMatrix, authorities: Floats, tolerance: float) -> list[str]:
    """Whether the authorities are unique, and how many pages are left at 0."""
    remarks = []
    scoring = authorities >= tolerance
    outside = np.where(scoring & ~_part_of_the_best(links, authorities, scoring), authorities, 0)
    if outside.any() and (
        _density(links, outside) >= EQUAL * _density(links, authorities - outside)
    ):
        remarks.append(
            "The scores are not unique: separate parts of the graph are equally dense, and how "
            "they share the scores depends on the start, here equal hubs."
        )
    linked = links.T.degrees(np.float64) > 0
    zero = int(np.count_nonzero(linked & ~scoring))
    if zero:
        remarks.append(
            f"Pages that have links to them but score below the tolerance: {zero:,} of "
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
