"""Rounds in place, the first in 16 bits, and leaps: half the rounds to the same rest.

Power iteration computes all of x = A x + b from the x of the round before, by
reading numbers from all over memory.  Four things make that less:

1. **In place.**  A page reads what the pages before it have written in the same
   round (Gauss–Seidel, by blocks of 256 pages).
2. **Jumps in balance.**  In place the sum of x is not kept; so a round's jumps hand
   out what the pages really hold for them.
3. **16 bits** for x as long as a round moves much: half as much to read.
4. **Leaps.**  After three rounds x₀ … x₃ in 32 bits, the next begins at
   x₃ + γ₁(x₁ - x₃) + γ₂(x₂ - x₃), where the three steps, so combined, are the shortest
   (reduced rank extrapolation).  Shares may not be negative, so a leap stops at 0.

Nothing is lost by it: what the definition's next round would change is only what
pages read before it was written, d times the last change at most, and what the
jumps did not yet know.  The rounds stop when that is less than the tolerance.

Several threads cannot sweep in place and give the same every time: they go in eight
waves, each of which reads what those before it have written.  So one thread takes
fewer rounds than several, and its scores differ from theirs within the tolerance.

32 bits are enough for steps down to a millionth; where steps no longer shrink from
leap to leap, others go on.

Cost: 16 bytes per page, 20 with several threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels
from whatsrelated.ranks.rounds import SINGLE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from whatsrelated.ranks.rounds import Rounds
    from whatsrelated.ranks.sweeping import Direction, Sweeper

WAVES = 8
"""How many waves several threads make of a round."""
COARSE = 5e-3
"""How much a round moves that 16 bits are enough for."""
STEPS = 3
"""How many rounds are made from leap to leap."""
RIDGE = 1e-9
"""What keeps the leap short where the steps all point in one direction."""


class Waves:
    """A walk along the links, its shares brought to rest in place.

    Jumps go to pages as `jumps` weighs them, all alike where it is None.
    """

    def __init__(
        self,
        sweeper: Sweeper,
        over: Direction,
        back: Direction,
        jumps: NDArray[Any] | None,
        damping: float,
        shares: NDArray[Any],
    ) -> None:
        self._sweeper, self._over, self._links = sweeper, over, back.arrays[0]
        self._jumps, self._damping, self._shares = jumps, damping, shares
        self._mass = float(len(over) if jumps is None else jumps.sum(dtype=np.float64)) or 1.0
        # Without jumps nothing brings back what a part of the graph has lost: all at once.
        self._in_place = sweeper.threads == 1 and damping < 1
        waves = 1 if self._in_place or damping == 1 else WAVES
        self._waves = list(_cut(over.chunks, waves))
        self._leap(shares, shares, 0.0, 0.0)

    def rest(self, rounds: Rounds) -> None:
        """Rounds and leaps as far as 32 bits go."""
        # What fewer bits call rest, more have to see for themselves.
        most = rounds.most if rounds.kind is np.float32 else rounds.most - 1
        self._approach(rounds, most - 1)
        enough = max(rounds.tolerance, SINGLE)
        stages = [np.empty_like(self._shares) for _ in range(STEPS)]
        written = self._shares if self._in_place else np.empty_like(self._shares)
        change = least = float("inf")
        while True:
            for stage in stages:
                if change < enough or rounds.done >= most:
                    return
                change = self.round(self._shares, written, stage)
                rounds.count(change)
            if change >= least:
                return
            least = change
            one, two, _ = self._shortest(stages)
            self._leap(stages[1], stages[2], one, two)

    def _approach(self, rounds: Rounds, most: int) -> None:
        """The first rounds, in 16 bits: eight of the exponent, eight digits, no sign."""
        shares = ((self._shares.view(np.uint32) + np.uint32(1 << 14)) >> 15).astype(np.uint16)
        written = shares if self._in_place else np.empty_like(shares)
        before, change = float("inf"), 1.0
        while COARSE < change < before and rounds.done < most:
            before, change = change, self.round(shares, written, None)
            rounds.count(change)
        self._shares.view(np.uint32)[:] = shares
        self._shares.view(np.uint32)[:] <<= 15

    def round(
        self, shares: NDArray[Any], written: NDArray[Any], before: NDArray[Any] | None
    ) -> float:
        """One round, the shares before it kept; how far the next could move the scores."""
        jumping, bounds, tallies = self._jumping(), self._over.bounds, self._tallies
        jump = jumping / self._mass
        numbers = (self._damping, jump if self._jumps is None else 0.0, jump)
        flow = partial(kernels.ranking.flow, *self._over.arrays, self._links, self._jumps, *numbers)
        flow = partial(flow, shares, written, before, bounds)
        for wave in self._waves:
            self._sweeper.share_out([partial(flow, at, at + 1, tallies) for at in wave])
            if written is not shares:
                pages = slice(int(bounds[wave.start]), int(bounds[wave.stop]))
                shares[pages] = written[pages]
        moved, _, total = tallies.sum(axis=0).tolist()
        return float(self._damping * moved + abs(self._jumping() - jumping)) / (total or 1.0)

    def _jumping(self) -> float:
        """What the pages hold that the jumps hand out next."""
        _, stranded, total = self._tallies.sum(axis=0).tolist()
        return self._damping * float(stranded) + (1 - self._damping) * float(total)

    def _shortest(self, stages: list[NDArray[Any]]) -> list[float]:
        """The weights, of sum 1, with which the last steps add up to the shortest."""
        kernel, vectors = kernels.ranking.alignment, (*stages, self._shares, self._links)
        tallies = self._sweeper.tallied(kernel, self._over, *vectors, width=6)
        products = np.zeros((STEPS, STEPS))
        products[np.triu_indices(STEPS)] = tallies.sum(axis=0)
        products = products + np.triu(products, 1).T
        products += RIDGE * np.trace(products) * np.eye(STEPS)
        weights = np.linalg.solve(products / np.trace(products), np.ones(STEPS))
        found: list[float] = (weights / weights.sum()).tolist()
        return found

    def _leap(self, second: NDArray[Any], third: NDArray[Any], one: float, two: float) -> None:
        """Move the shares toward, or away from, two earlier ones."""
        vectors = (second, third, one, two, self._links, self._shares)
        self._tallies = self._sweeper.tallied(kernels.ranking.leap, self._over, *vectors, width=3)


def _cut(chunks: range, parts: int) -> Iterator[range]:
    """The chunks in at most so many parts of about the same length."""
    parts = max(min(parts, len(chunks)), 1)
    for part in range(parts):
        yield chunks[len(chunks) * part // parts : len(chunks) * (part + 1) // parts]
