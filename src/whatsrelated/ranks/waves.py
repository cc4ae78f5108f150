"""Rounds in waves, with a leap after every third: fewer rounds to the same rest.

Power iteration computes all of x = A x + b from the x of the round before.  Two
things bring it to rest in some two thirds of the rounds:

1. **Waves.**  A round sweeps the pages in eight waves, and each wave reads what
   the waves before it have written (Gauss–Seidel by blocks).  Within a wave
   pages read what was there before, so that any number of threads does the same.
2. **Leaps.**  After three rounds x₀ … x₃, the next begins at x₃ + γ₁(x₁ - x₃) +
   γ₂(x₂ - x₃), where the three steps, so combined, are the shortest (reduced rank
   extrapolation), and is then divided by its sum, which waves do not keep.

Nothing is lost by it: when a round in waves moves x by less than the tolerance,
a round of the definition would move it by less than d times the tolerance, for
only what pages read before it was written is out of date.

Shares may not be negative, so a leap stops at 0.  32 bits are enough for steps
down to a millionth; where steps no longer shrink from leap to leap, others go on.

Cost: 16 bytes per page, and the buffer of a wave.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.ranks.rounds import SINGLE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from whatsrelated.ranks.rounds import Rounds
    from whatsrelated.ranks.sweeping import Waves

STEPS = 3
"""How many rounds are made from leap to leap."""
RIDGE = 1e-9
"""What keeps the leap short where the steps all point in one direction."""


def rest(waves: Waves, shares: NDArray[Any], rounds: Rounds) -> None:
    """Bring the shares to rest in place, as far as 32 bits go."""
    enough = max(rounds.tolerance, SINGLE)
    # What 32 bits call rest, 64 have to see for themselves.
    most = rounds.most if rounds.kind is np.float32 else rounds.most - 1
    stages = [np.empty_like(shares) for _ in range(STEPS)]
    least = float("inf")
    while True:
        for stage in stages:
            if rounds.change < enough or rounds.done >= most:
                return
            stage[:] = shares
            rounds.count(waves.round(shares))
        if rounds.change >= least:
            return
        least = rounds.change
        _leap(waves, stages, shares)


def _leap(waves: Waves, stages: list[NDArray[Any]], shares: NDArray[Any]) -> None:
    products = np.zeros((STEPS, STEPS))
    products[np.triu_indices(STEPS)] = waves.alignment(*stages, shares)
    products = products + np.triu(products, 1).T
    products += RIDGE * np.trace(products) * np.eye(STEPS)
    weights = np.linalg.solve(products / np.trace(products), np.ones(STEPS))
    weights /= weights.sum()
    waves.leap(stages[1], stages[2], float(weights[0]), float(weights[1]), shares)
