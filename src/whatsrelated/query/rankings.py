"""Provides the ranks of a graph to methods; each is read or computed once."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from whatsrelated import kernels
from whatsrelated.errors import OptionError
from whatsrelated.options import choose
from whatsrelated.ranks import RANKS, Rank
from whatsrelated.ranks.cache import ranking_of

if TYPE_CHECKING:
    from typing import Unpack

    from whatsrelated.graph.store import Store
    from whatsrelated.ranks import Computing
    from whatsrelated.ranks.ranking import Ranking
    from whatsrelated.stream import Progress

DEFAULT_RANK = "pagerank"
WAIT = 0.05
"""Seconds between two checks of the clock while another thread computes a rank."""


MAX_RANKS = 8
"""Number of most recently used ranks held in memory."""


class Rankings:
    """The ranks of a graph, held in memory after their first use.

    With `stores`, ranks with any options are stored with the graph, not only those with default
    options.
    """

    def __init__(self, store: Store, stores: bool = True) -> None:
        self.store = store
        self.stores = stores
        self._held: dict[Rank, Ranking] = {}
        self._lock = threading.Lock()

    def ranking(
        self,
        by: str | Rank | type[Rank] = DEFAULT_RANK,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        accept: bool = False,
        **options: Any,
    ) -> Ranking:
        """The scores of all pages, read if they are stored, otherwise computed and stored.

        `options` takes the options of the rank. Scores that did not converge are an error, unless
        `accept` is set; they are then returned but not kept.
        """
        rank = choose(by, RANKS.__getitem__, options)
        if not isinstance(rank, Rank):
            raise OptionError(f"by must be a rank, got {rank!r:.80}.")
        while not self._lock.acquire(timeout=WAIT):
            kernels.limits.check()
        try:
            ranking = self._held.pop(rank, None)
            if ranking is None:
                ranking = self._compute(rank, threads=threads, progress=progress, accept=accept)
            if ranking.converged:
                self._held[rank] = ranking
                if len(self._held) > MAX_RANKS:
                    del self._held[next(iter(self._held))]
            return ranking
        finally:
            self._lock.release()

    def _compute(self, rank: Rank, **how: Unpack[Computing]) -> Ranking:
        """Compute the scores.

        If they will be stored, continue even if nobody is waiting any more.
        """
        usual = rank == type(rank)()
        if not usual and not self.stores:
            return ranking_of(self.store, rank, stores=False, **how)
        with kernels.limits.Limits(alone=True):
            return ranking_of(self.store, rank, **how)


@dataclass(frozen=True, slots=True)
class ReportedRankings:
    """The same ranks, with progress reports while one is computed."""

    rankings: Rankings
    progress: Progress | None

    def ranking(self, by: Any, **options: Any) -> Ranking:
        return self.rankings.ranking(by, progress=self.progress, **options)
