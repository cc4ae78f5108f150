"""PageRank: where a reader is who follows links at random, and now and then jumps.

With probability d the reader follows a link of the page, any with the same
chance; else, and where the page has no links, he jumps to a page drawn from
the teleport vector t.  A page's score is the share of his time:

    x = d (Σ over parents p: x[p] / links of p  +  t · what pages without links hold) + (1-d) t

t is uniform, or over the given pages only (Personalized PageRank).  Rounds
begin at t, and pull: each page adds up its parents' shares, so that no two
threads write to one place.  They are made in place (`in_place`), in 32 bits as
far as these go, and on in 64 where the tolerance asks for it (`rounds`).

Cost: one read of the links into pages per round; 13 bytes per page in 32 bits,
36 in 64 (44 with weights to jump by); with three or four threads 4 more for each.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from whatsrelated.options import option
from whatsrelated.ranks import max_rounds_option, tolerance_option
from whatsrelated.ranks.in_place import Change, Walk
from whatsrelated.ranks.iterated import Iterated
from whatsrelated.ranks.rounds import Rounds, settle, summing_to_one
from whatsrelated.ranks.sweeping import Direction, Sweeper

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from whatsrelated.graph import Store


@dataclass(frozen=True)
class PageRank(Iterated):
    """Where a reader is who follows links at random, and now and then jumps."""

    name: ClassVar[str] = "pagerank"

    damping: float = option(
        0.85, "how often the reader follows a link instead of jumping", symbol="d", low=0, high=1
    )
    teleport: tuple[str, ...] = option((), "the pages to jump to; all of them where none is given")
    tolerance: float = tolerance_option()
    max_rounds: int = max_rounds_option()

    def at_rest(
        self, store: Store, sweeper: Sweeper, rounds: Rounds
    ) -> tuple[NDArray[Any], NDArray[Any] | None]:
        def jumps(kind: Any) -> NDArray[Any]:
            weights: NDArray[Any] = np.zeros(store.n_pages, kind)
            weights[[store.page(name) for name in self.teleport]] = 1
            return weights

        to, back = sweeper.incoming, sweeper.outgoing
        chosen = jumps if self.teleport else None
        return walked(sweeper, to, back, chosen, self.damping, rounds), None


def walked(
    sweeper: Sweeper,
    incoming: Direction,
    outgoing: Direction,
    weights: Callable[[Any], NDArray[Any]] | None,
    damping: float,
    rounds: Rounds,
) -> NDArray[Any]:
    """The scores of a walk that goes `outgoing` and jumps to pages by their weights."""
    links = (sweeper, incoming, outgoing)
    degrees = cache(outgoing.degrees)
    mass = max(float(len(incoming)), 1.0)
    known: Callable[[Any], NDArray[Any]] | None = None
    if weights is not None:
        mass = float(weights(np.float64).sum())
        # Where the weights are the out-degrees, one array will do.
        known = degrees if weights == outgoing.degrees else cache(weights)

    def jumps(kind: Any) -> NDArray[Any] | None:
        return None if known is None else known(kind)

    def begin(kind: Any) -> NDArray[Any]:
        shares = sweeper.uniform(np.float32)
        if weights is not None:
            shares[:] = weights(np.float32) / np.float32(mass)
        shares /= np.maximum(outgoing.degrees(np.float32), 1)
        if damping < 1:
            Walk(*links, damping, shares, weights and weights(np.float32)).rest(rounds)
        shares *= np.maximum(outgoing.degrees(np.float32), 1)
        return summing_to_one(shares.astype(kind, copy=False))

    def push(shares: Any, stranded: float, result: Any, total: Any, fresh: bool) -> Any:
        kind = shares.dtype.type
        jump = (damping * stranded + (1 - damping) * fresh) / mass
        return sweeper.spread(
            incoming,
            shares,
            degrees(kind),
            result,
            factor=damping,
            constant=jump if weights is None else 0.0,
            jump=jump,
            jumps=jumps(kind),
            before=shares if fresh else None,
            total=total,
        )

    def correct(shares: Any, moved: Any, change: float, enough: float) -> float:
        Change(*links, damping, moved).rest(change, enough, rounds)
        shares += moved
        own = degrees(np.float64)
        shares /= np.dot(shares, np.maximum(own, 1))
        return float(shares[own == 0].sum())

    # Without jumps nothing brings back what a part of the graph has lost in place.
    correcting = correct if damping < 1 else None
    return summing_to_one(settle(push, begin, degrees, rounds, correcting))
