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
from whatsrelated.ranks.iterative import IterativeRank, Scores
from whatsrelated.ranks.operators import LinkMatrix, RandomWalk
from whatsrelated.ranks.options import damping_option, max_rounds_option, tolerance_option
from whatsrelated.ranks.pagerank import stationary_distribution

if TYPE_CHECKING:
    from whatsrelated.graph import Store
    from whatsrelated.ranks.convergence import Convergence


@dataclass(frozen=True)
class HubRank(IterativeRank):
    """PageRank of a reader who jumps to pages with many links."""

    name: ClassVar[str] = "hubrank"

    damping: float = damping_option()
    bias: str = option(
        "out", "jump in proportion to the out-degree or the in-degree", choices=("out", "in")
    )
    matrix: str = option(
        "plain", "follow links forwards, or backwards", choices=("plain", "transposed")
    )
    tolerance: float = tolerance_option()
    max_rounds: int = max_rounds_option()

    def solve(self, store: Store, links: LinkMatrix, convergence: Convergence) -> Scores:
        degrees = (links if self.bias == "out" else links.T).degrees
        followed = links.T if self.matrix == "transposed" else links
        walk = RandomWalk(followed, self.damping, degrees if store.n_links else None)
        return stationary_distribution(walk, convergence), None
