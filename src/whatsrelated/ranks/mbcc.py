"""MBCC: a random walk between pages with common parents.

Two pages are close if the same pages link to both. The surfer moves from one page to another in
proportion to the number of their common parents, and occasionally jumps:

    x = β (LᵀL + e vᵀ) D⁻¹ x + (1-β) e/n

L is the link matrix, LᵀL counts common parents, and D holds the row sums of LᵀL. From a page
without parents, marked in v, the surfer always jumps; its row sum is n. The hubs are y = L Lᵀ x, as
printed in the paper.

LᵀL is never formed: an iteration multiplies by L and then by Lᵀ, and the row sum of a page is
the sum of its parents' out-degrees.

Cost: one read of the links in each direction per iteration.  XH14, sec. 3, eq. 16.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from whatsrelated.options import option
from whatsrelated.ranks.fixed_point import Iterate, Operator, cached, fixed_point
from whatsrelated.ranks.iterative import IterativeRank, Scores, max_rounds_option, tolerance_option
from whatsrelated.ranks.vectors import Floats, Precision, normalize, uniform

if TYPE_CHECKING:
    from whatsrelated.graph import Store
    from whatsrelated.ranks.iterative import Convergence
    from whatsrelated.ranks.link_matrix import LinkMatrix


@dataclass(frozen=True)
class Mbcc(IterativeRank):
    """A random walk between pages with common parents."""

    name = "mbcc"

    beta: float = option(
        0.9,
        "probability that the surfer follows common parents instead of jumping",
        symbol="β",
        low=0,
        high=1,
    )
    tolerance: float = tolerance_option()
    max_rounds: int = max_rounds_option()

    def solve(self, store: Store, links: LinkMatrix, convergence: Convergence) -> Scores:
        start = uniform(len(links), convergence.dtype)
        scores = normalize(fixed_point(CommonParents(links, self.beta), start, convergence))
        parents, hubs = np.empty_like(scores), np.empty_like(scores)
        links.T.multiply(scores, parents)
        links.multiply(parents, hubs)
        return scores, normalize(hubs)


class CommonParents(Operator):
    """A x + b = β (LᵀL + e vᵀ) D⁻¹ x + (1-β) e/n; the dangling pages are those without parents."""

    def __init__(self, links: LinkMatrix, beta: float) -> None:
        self._links, self._beta = links, beta
        row_sums = np.empty(len(links))
        links.T.multiply(links.degrees(np.float64), row_sums)
        self._degrees = cached(lambda dtype: row_sums.astype(dtype, copy=False))
        self._parents = cached(lambda dtype: np.empty(len(links), dtype))

    def degrees(self, dtype: Precision) -> Floats:
        return self._degrees(dtype)

    def apply(self, x: Iterate, out: Iterate, total: Floats | None = None) -> float:
        linear = total is not None
        dtype = x.contributions.dtype.type
        parents = self._parents(dtype)
        self._links.multiply(x.contributions, parents)
        jumps = self._beta * x.dangling + (0.0 if linear else 1 - self._beta)
        change, out.dangling = self._links.T.pull(
            parents,
            self.degrees(dtype),
            out.contributions,
            damping=self._beta,
            jump=jumps / max(len(self._links), 1),
            previous=None if linear else x.contributions,
            total=total,
        )
        return change
