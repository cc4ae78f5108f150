"""The ranks of a graph as a service to its methods: each is read or computed once."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from whatsrelated.options import choose
from whatsrelated.ranks import Rank, rank_named
from whatsrelated.ranks.cache import ranking_of

if TYPE_CHECKING:
    from whatsrelated.graph.store import Store
    from whatsrelated.ranks.ranking import Ranking
    from whatsrelated.stream import Progress

DEFAULT_RANK = "pagerank"


class Rankings:
    """The ranks of a graph, held in memory from their first use on."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._held: dict[Rank, Ranking] = {}
        self._lock = threading.Lock()

    def ranking(
        self,
        by: str | Rank = DEFAULT_RANK,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        accept: bool = False,
        **options: Any,
    ) -> Ranking:
        """The scores of all pages: as they were stored beside the graph, else computed and stored.

        `options` are the rank's own.  Scores that did not converge are an error, unless
        `accept`; they are given once and not held.
        """
        rank = choose(by, rank_named, options)
        with self._lock:
            if rank not in self._held:
                ranking = ranking_of(
                    self.store, rank, threads=threads, progress=progress, accept=accept
                )
                if not ranking.converged:
                    return ranking
                self._held[rank] = ranking
            return self._held[rank]


@dataclass(frozen=True, slots=True)
class ReportedRankings:
    """The same, with somebody who sees the progress of a rank that has to be computed."""

    rankings: Rankings
    progress: Progress | None

    def ranking(self, by: Any, **options: Any) -> Ranking:
        return self.rankings.ranking(by, progress=self.progress, **options)
