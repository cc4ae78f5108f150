"""HubRank: PageRank of a reader who jumps to pages with many links.

A good hub is a page that links to much, and that good pages link to.  PageRank
knows only the second; so the jumps go to a page in proportion to its
out-degree (`bias="out"`).  A hub with few parents rises, an authority without
links falls (CON04, sec. 3).

`bias="in"` is the twin for authorities.  `matrix="transposed"` walks links
backwards, CON04's other choice.  A graph without links has nothing to jump in
proportion to, and every page the same score.

Cost: PageRank's.  CON04, sec. 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from whatsrelated.options import option
from whatsrelated.ranks import Rank, max_rounds_option, tolerance_option
from whatsrelated.ranks.pagerank import walked
from whatsrelated.ranks.ranking import Ranking
from whatsrelated.ranks.rounds import Rounds
from whatsrelated.ranks.sweeping import Sweeper

if TYPE_CHECKING:
    from whatsrelated.graph import Store
    from whatsrelated.stream import Progress


@dataclass(frozen=True)
class HubRank(Rank):
    """PageRank of a reader who jumps to pages with many links."""

    name: ClassVar[str] = "hubrank"

    damping: float = option(
        0.85, "how often the reader follows a link instead of jumping", symbol="d", low=0, high=1
    )
    bias: str = option(
        "out", "jump in proportion to the out-degree or the in-degree", choices=("out", "in")
    )
    matrix: str = option(
        "plain", "follow links forwards, or backwards", choices=("plain", "transposed")
    )
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
            to, back = sweeper.incoming, sweeper.outgoing
            biased = back if self.bias == "out" else to
            jumps = biased.degrees(rounds.kind) if store.n_links else None
            if self.matrix == "transposed":
                to, back = back, to
            scores = walked(sweeper, to, back, jumps, self.damping, rounds)
        return rounds.ranking(store, self, scores)
