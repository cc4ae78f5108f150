"""PageRank: where a reader is who follows links at random, and now and then jumps.

With probability d the reader follows a link of the page, any with the same
chance; else, and where the page has no links, he jumps to a page drawn from
the teleport vector t.  A page's score is the share of his time:

    x = d (Σ over parents p: x[p] / links of p  +  t · what pages without links hold) + (1-d) t

t is uniform, or over the given pages only (Personalized PageRank).  Rounds
begin at t, and pull: each page adds up its parents' shares, so that no two
threads write to one place.  In 32 bits where the tolerance allows (`rounds`).

Cost: one read of the links into pages per round; 20 bytes per page in 32 bits
(28 with a teleport vector), 44 in 64.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from whatsrelated.options import option
from whatsrelated.ranks import Rank, max_rounds_option, tolerance_option
from whatsrelated.ranks.ranking import Ranking
from whatsrelated.ranks.rounds import Rounds, settle, summing_to_one
from whatsrelated.ranks.sweeping import Direction, Sweeper

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from whatsrelated.graph import Store
    from whatsrelated.stream import Progress


@dataclass(frozen=True)
class PageRank(Rank):
    """Where a reader is who follows links at random, and now and then jumps."""

    name: ClassVar[str] = "pagerank"

    damping: float = option(
        0.85, "how often the reader follows a link instead of jumping", symbol="d", low=0, high=1
    )
    teleport: tuple[str, ...] = option((), "the pages to jump to; all of them where none is given")
    tolerance: float = tolerance_option()
    max_rounds: int = max_rounds_option()

    def compute(
        self,
        store: Store,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        accept: bool = False,
    ) -> Ranking:
        rounds = Rounds(self.name, self.tolerance, self.max_rounds, progress, accept)
        with Sweeper(store, threads) as sweeper:
            jumps = self._jumps(store, rounds.kind) if self.teleport else None
            to, back = sweeper.incoming, sweeper.outgoing
            scores = walked(sweeper, to, back, jumps, self.damping, rounds)
        return rounds.ranking(store, self, scores)

    def _jumps(self, store: Store, kind: Any) -> NDArray[Any]:
        jumps: NDArray[Any] = np.zeros(store.n_pages, kind)
        jumps[[store.page(name) for name in self.teleport]] = 1
        return jumps


def walked(
    sweeper: Sweeper,
    incoming: Direction,
    outgoing: Direction,
    jumps: NDArray[Any] | None,
    damping: float,
    rounds: Rounds,
) -> NDArray[Any]:
    """The scores of a walk that goes `outgoing` and jumps as `jumps` weighs the pages."""
    degrees = cache(outgoing.degrees)
    if jumps is None:
        mass = max(float(len(incoming)), 1.0)
        start = sweeper.uniform(rounds.kind)
    else:
        mass = float(jumps.sum(dtype=np.float64))
        start = jumps / rounds.kind(mass)

    @cache
    def targets(kind: Any) -> NDArray[Any] | None:
        return None if jumps is None else jumps.astype(kind, copy=False)

    def push(shares: Any, stranded: float, result: Any, total: Any, fresh: bool) -> Any:
        kind = shares.dtype.type
        jump = (damping * stranded + (1 - damping) * fresh) / mass
        return sweeper.spread(
            incoming,
            shares,
            degrees(kind),
            result,
            factor=damping,
            constant=jump if jumps is None else 0.0,
            jump=jump,
            jumps=targets(kind),
            before=shares if fresh else None,
            total=total,
        )

    return summing_to_one(settle(push, start, degrees, rounds))
