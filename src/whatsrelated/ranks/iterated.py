"""What the ranks share that go on in rounds until their scores rest."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from whatsrelated.ranks import Rank
from whatsrelated.ranks.rounds import Rounds
from whatsrelated.ranks.sweeping import Sweeper

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from whatsrelated.graph import Store
    from whatsrelated.ranks.ranking import Ranking
    from whatsrelated.stream import Progress


class Iterated(Rank):
    """A rank that sweeps over the links again and again."""

    tolerance: float
    max_rounds: int

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
            scores, hubs = self.at_rest(store, sweeper, rounds)
        return rounds.ranking(store, self, scores, hubs)

    @abstractmethod
    def at_rest(
        self, store: Store, sweeper: Sweeper, rounds: Rounds
    ) -> tuple[NDArray[Any], NDArray[Any] | None]:
        """The scores, and the hubs where the rank knows them."""
