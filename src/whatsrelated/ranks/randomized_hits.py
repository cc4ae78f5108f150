"""Randomized HITS: a reader who follows links forwards and backwards in turn.

HITS can change altogether when one link is added.  Here a reader jumps, with
probability ε, to any page; else he follows a link forwards from a hub, any of
its links with the same chance, and backwards from an authority:

    a = ε + (1-ε) Rᵀh, R the links with rows of sum 1
    h = ε + (1-ε) C a, C the links with columns of sum 1

Both are then divided by their sums, and the change of a round is that of the
authorities so divided.

Cost: one read of the links in each direction per round.  NZJ01, sec. 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from whatsrelated.options import option
from whatsrelated.ranks import max_rounds_option, tolerance_option
from whatsrelated.ranks.iterated import Iterated
from whatsrelated.ranks.rounds import Rounds, settle, summing_to_one
from whatsrelated.ranks.sweeping import Sweeper

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from whatsrelated.graph import Store


@dataclass(frozen=True)
class RandomizedHits(Iterated):
    """A reader who follows links forwards and backwards in turn, and now and then jumps."""

    name: ClassVar[str] = "randomized-hits"

    epsilon: float = option(
        0.15, "how often the reader jumps instead", symbol="ε", low=0, high=1, open_low=True
    )
    tolerance: float = tolerance_option()
    max_rounds: int = max_rounds_option()

    def at_rest(
        self, store: Store, sweeper: Sweeper, rounds: Rounds
    ) -> tuple[NDArray[Any], NDArray[Any] | None]:
        n = store.n_pages
        to, back = sweeper.incoming, sweeper.outgoing
        in_degrees = cache(lambda kind: np.maximum(to.degrees(kind), 1))
        out_degrees = cache(lambda kind: np.maximum(back.degrees(kind), 1))
        hubs = cache(lambda kind: np.empty(n, kind))
        size = 1.0

        def push(shares: Any, stranded: float, result: Any, total: Any, fresh: bool) -> Any:
            nonlocal size
            kind = shares.dtype.type
            follow, jump = 1 - self.epsilon, self.epsilon / max(n, 1) * fresh
            sweeper.spread(
                back, shares, out_degrees(kind), hubs(kind), factor=follow, constant=jump
            )
            change, _ = sweeper.spread(
                to,
                hubs(kind),
                in_degrees(kind),
                result,
                factor=follow,
                constant=jump,
                before=shares if fresh else None,
                total=total,
            )
            if fresh:
                size = float(result @ in_degrees(kind)) or 1.0
            return change / size, 0.0

        scores = settle(push, sweeper.uniform, in_degrees, rounds)
        kind: Any = scores.dtype.type
        push(scores / in_degrees(kind), 0.0, np.empty(n, kind), None, True)
        hubs_at_rest = summing_to_one(hubs(kind) * out_degrees(kind))
        return summing_to_one(scores), hubs_at_rest
