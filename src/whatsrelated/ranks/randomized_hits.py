"""Randomized HITS: a random surfer who follows links forwards and backwards in turn.

A single additional link can change the scores of HITS completely. Here the surfer jumps to any page
with probability ε. Otherwise they follow a random link forwards from a hub, or backwards from an
authority:

    a = ε + (1-ε) Rᵀh, R the links with rows of sum 1
    h = ε + (1-ε) C a, C the links with columns of sum 1

Both vectors are then divided by their sums. The residual is the change of the authorities, divided
by their sum.

Cost: one read of the links in each direction per iteration.  NZJ01, sec. 5.
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
class RandomizedHits(IterativeRank):
    """A random surfer who follows links forwards and backwards in turn, and sometimes jumps."""

    name = "randomized-hits"

    epsilon: float = option(
        0.15, "probability that the surfer jumps instead", symbol="ε", low=0, high=1, open_low=True
    )
    tolerance: float = tolerance_option()
    max_rounds: int = max_rounds_option()

    def solve(self, store: Store, links: LinkMatrix, convergence: Convergence) -> Scores:
        walk = ForwardsAndBackwards(links, self.epsilon)
        start = uniform(len(links), convergence.dtype)
        authorities = fixed_point(walk, start, convergence)
        hubs = walk.hubs(authorities)
        return normalize(authorities), normalize(hubs)


class ForwardsAndBackwards(Operator):
    """The operator a ↦ ε + (1-ε) Rᵀ (ε + (1-ε) C a), divided by the number of pages; no page is
    dangling.
    """

    def __init__(self, links: LinkMatrix, epsilon: float) -> None:
        self._links, self._follow = links, 1 - epsilon
        self._jump = epsilon / max(len(links), 1)
        self._in_degrees = cached(lambda dtype: np.maximum(links.T.degrees(dtype), 1))
        self._out_degrees = cached(lambda dtype: np.maximum(links.degrees(dtype), 1))
        self._hubs = cached(lambda dtype: np.empty(len(links), dtype))
        self._sum = 1.0

    def degrees(self, dtype: Precision) -> Floats:
        return self._in_degrees(dtype)

    def apply(self, x: Iterate, out: Iterate, total: Floats | None = None) -> float:
        linear = total is not None
        dtype = x.contributions.dtype.type
        jump = 0.0 if linear else self._jump
        change, out.dangling = self._links.T.pull(
            self._hub_contributions(x.contributions, jump),
            self.degrees(dtype),
            out.contributions,
            damping=self._follow,
            jump=jump,
            previous=None if linear else x.contributions,
            total=total,
        )
        if not linear:
            self._sum = float(out.contributions @ self.degrees(dtype)) or 1.0
        return change / self._sum

    def hubs(self, authorities: Floats) -> Floats:
        """The hub scores that result from these authorities."""
        dtype = authorities.dtype.type
        contributions = authorities / self._in_degrees(dtype)
        return self._hub_contributions(contributions, self._jump) * self._out_degrees(dtype)

    def _hub_contributions(self, contributions: Floats, jump: float) -> Floats:
        """ε + (1-ε) C a, divided by the out-degrees; always returns the same array."""
        dtype = contributions.dtype.type
        hubs = self._hubs(dtype)
        self._links.pull(
            contributions, self._out_degrees(dtype), hubs, damping=self._follow, jump=jump
        )
        return hubs
