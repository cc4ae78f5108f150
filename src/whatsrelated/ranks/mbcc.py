"""MBCC: a walk from page to page by their common parents.

Two pages that the same pages link to are near; a reader goes from a page to
another in proportion to their common parents, and now and then jumps:

    x = β (LᵀL + e vᵀ) D⁻¹ x + (1-β) e/n

L is the link matrix, LᵀL counts common parents, D has its row sums (n where a
page has no parents, which v marks: from there the reader jumps).  The hubs are
y = L Lᵀ x, as printed.

LᵀL is never formed: a round is a product with L and one with Lᵀ, and the row
sum of a page is the sum of its parents' out-degrees.

Cost: one read of the links in each direction per round.  XH14, eq. 16.
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
class Mbcc(Iterated):
    """A walk from page to page by their common parents."""

    name: ClassVar[str] = "mbcc"

    beta: float = option(
        0.9,
        "how often the reader goes on by common parents instead of jumping",
        symbol="β",
        low=0,
        high=1,
    )
    tolerance: float = tolerance_option()
    max_rounds: int = max_rounds_option()

    def at_rest(
        self, store: Store, sweeper: Sweeper, rounds: Rounds
    ) -> tuple[NDArray[Any], NDArray[Any] | None]:
        n = store.n_pages
        to, back = sweeper.incoming, sweeper.outgoing
        row_sums = np.empty(n)
        sweeper.products(to, back.degrees(np.float64), row_sums)
        degrees = cache(lambda kind: row_sums.astype(kind, copy=False))
        through = cache(lambda kind: np.empty(n, kind))

        def push(shares: Any, stranded: float, result: Any, total: Any, fresh: bool) -> Any:
            kind = shares.dtype.type
            sweeper.products(back, shares, through(kind))
            return sweeper.spread(
                to,
                through(kind),
                degrees(kind),
                result,
                factor=self.beta,
                constant=(self.beta * stranded + (1 - self.beta) * fresh) / max(n, 1),
                before=shares if fresh else None,
                total=total,
            )

        scores = summing_to_one(settle(push, sweeper.uniform, degrees, rounds))
        hubs, shared = np.empty_like(scores), np.empty_like(scores)
        sweeper.products(to, scores, shared)
        sweeper.products(back, shared, hubs)
        return scores, summing_to_one(hubs)
