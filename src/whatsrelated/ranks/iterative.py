"""What the ranks share that iterate until their scores converge."""

from __future__ import annotations

from abc import abstractmethod
from contextlib import closing
from typing import TYPE_CHECKING, TypeAlias

from whatsrelated.ranks import Rank
from whatsrelated.ranks.convergence import Convergence
from whatsrelated.ranks.operators import LinkMatrix
from whatsrelated.ranks.parallel import Threads
from whatsrelated.ranks.ranking import Ranking

if TYPE_CHECKING:
    from typing import Unpack

    from whatsrelated.graph import Store
    from whatsrelated.ranks import Computing
    from whatsrelated.ranks.vectors import Floats

Scores: TypeAlias = "tuple[Floats, Floats | None]"
"""The scores, and the hubs where the rank knows them."""


class IterativeRank(Rank):
    """A rank that goes over all links again and again."""

    tolerance: float
    max_rounds: int

    def compute(self, store: Store, **how: Unpack[Computing]) -> Ranking:
        convergence = Convergence(
            self.name,
            self.tolerance,
            self.max_rounds,
            how.get("progress"),
            how.get("accept", False),
            start=how.get("start"),
        )
        with closing(Threads(how.get("threads"))) as threads, store.read_through():
            scores, hubs = self.solve(store, LinkMatrix.of(store, threads), convergence)
        return Ranking(
            store,
            self,
            scores,
            hubs,
            convergence.iterations,
            convergence.residual,
            convergence.converged,
            convergence.notes,
            tuple(convergence.residuals),
        )

    @abstractmethod
    def solve(self, store: Store, links: LinkMatrix, convergence: Convergence) -> Scores:
        """The scores to which the rank converges."""
