"""HITS: good hubs link to good authorities, good authorities have good hubs.

    a = Lᵀh, normalised;  h = L a, normalised (Euclidean)

from hubs of 1, until a moves by less than the tolerance (L1).  A page may well
score 0: only the part of the graph that is linked most densely counts.  A
graph without links has neither hubs nor authorities, and all scores are 0.

A round is a ← y/‖y‖ with y = LᵀL a.  As in `rounds`, only the change is carried: a
moves by a step d, kept in 32 bits, and y, which has 64, by δ = LᵀL d.  With f =
1/‖y‖ before and f′ after, the next step is f′(y + δ) - f y, so that a need not be
kept.  y is computed anew, in 64 bits, at first, when d has faded to 1e-5 of what it
was, and before the end.  Where several parts of a graph are linked as densely, what
early steps lose is never made good; so where the tolerance asks for more digits than
32 bits have, large steps are not carried.

Cost: one read of the links in each direction per round; 32 bytes per page.
Kle99, sec. 3; for one page's vicinity see the method of the same name.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from whatsrelated.ranks import max_rounds_option, tolerance_option
from whatsrelated.ranks.iterated import Iterated
from whatsrelated.ranks.rounds import FADED, Rounds
from whatsrelated.ranks.sweeping import Sweeper

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from whatsrelated.graph import Store

CARRIED = 1e7
"""How many tolerances large a step may be to be carried in 32 bits, which have 7 digits."""


@dataclass(frozen=True)
class Hits(Iterated):
    """Good hubs link to good authorities, good authorities have good hubs."""

    name: ClassVar[str] = "hits"

    tolerance: float = tolerance_option()
    max_rounds: int = max_rounds_option()

    def at_rest(
        self, store: Store, sweeper: Sweeper, rounds: Rounds
    ) -> tuple[NDArray[Any], NDArray[Any] | None]:
        n = store.n_pages
        if not store.n_links:
            rounds.change = 0.0
            return np.zeros(n), np.zeros(n)
        to, back = sweeper.incoming, sweeper.outgoing
        goal = to.degrees(np.float64)
        factor = 1 / float(np.linalg.norm(goal))
        change = float(np.abs(factor * goal - 1).sum())
        step, through = np.empty(n, np.float32), np.empty(n, np.float32)
        fresh, least = True, float("inf")
        most = least if rounds.kind is np.float32 else CARRIED * self.tolerance
        while True:
            rounds.count(change)
            if (fresh and rounds.settled) or rounds.done == rounds.most:
                break
            before = factor
            fresh = change < least or change > most
            if fresh:
                old, goal, factor = goal, *_anew(sweeper, before * goal)
                np.subtract(factor * goal, before * old, out=old)
                step[:] = old
                change = float(np.abs(old, out=old).sum())
                least = max(FADED * change, self.tolerance)
            else:
                sweeper.products(back, step, through)
                factor = 1 / sqrt(sweeper.add_products(to, through, goal, step))
                change = sweeper.combine(goal, factor - before, before, step)
        rounds.check()
        authorities, hubs = factor * goal, np.empty(n)
        sweeper.products(back, authorities, hubs)
        for scores in (authorities, hubs):
            scores /= np.linalg.norm(scores)
        return authorities, hubs


def _anew(sweeper: Sweeper, authorities: NDArray[Any]) -> tuple[NDArray[Any], float]:
    """LᵀL times the authorities, and one over its length."""
    hubs = np.empty_like(authorities)
    sweeper.products(sweeper.outgoing, authorities, hubs)
    squares = sweeper.products(sweeper.incoming, hubs, authorities)
    return authorities, 1 / sqrt(squares)
