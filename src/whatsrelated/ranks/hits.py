"""HITS: good hubs link to good authorities, good authorities have good hubs.

    a = Lᵀh, normalised;  h = L a, normalised (Euclidean)

from hubs of 1, until a moves by less than the tolerance (L1).  A page may well
score 0: only the part of the graph that is linked most densely counts.  A
graph without links has neither hubs nor authorities, and all scores are 0.

A round is a ← y/‖y‖ with y = LᵀL a.  As in `rounds`, once a moves little only
its change is carried: a moves by a step d, kept in 32 bits, and y by LᵀL d, while
a and y have 64; y is computed anew from a when d has faded to 1e-5 of what it
was, and before the end.  The first steps are not so carried, for where several
parts of a graph are linked as densely, what they leave is never made good.

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
        squares = float(goal @ goal)
        authorities, hubs = np.ones(n), np.empty(n)
        step, through = np.empty(n, np.float32), np.empty(n, np.float32)
        fresh, least, most = True, float("inf"), CARRIED * self.tolerance
        while True:
            change = sweeper.approach(goal, 1 / sqrt(squares), authorities, step)
            rounds.count(change)
            if (fresh and rounds.settled) or rounds.done == rounds.most:
                break
            fresh = change < least or change > most
            if fresh:
                sweeper.products(back, authorities, hubs)
                squares = sweeper.products(to, hubs, goal)
                least = max(FADED * change, self.tolerance)
            else:
                sweeper.products(back, step, through)
                squares = sweeper.add_products(to, through, goal)
        rounds.check()
        sweeper.products(back, authorities, hubs)
        for scores in (authorities, hubs):
            scores /= np.linalg.norm(scores)
        return authorities, hubs
