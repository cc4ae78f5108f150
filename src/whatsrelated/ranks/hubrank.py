"""HubRank: PageRank with jumps that prefer pages with many links.

A good hub has many links, and good pages link to it. PageRank sees only the incoming links, so
HubRank jumps to a page in proportion to its out-degree (`bias="out"`). A hub with few parents
rises, and an authority without links falls (CON04, sec. 5).

`bias="in"` does the same for authorities. `matrix="transposed"` follows links backwards, CON04's
alternative. In a graph without links, all pages have the same score.

Cost: the same as PageRank. CON04, sec. 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from whatsrelated.options import option
from whatsrelated.ranks.iterative import IterativeRank, Scores, max_rounds_option, tolerance_option
from whatsrelated.ranks.pagerank import RandomWalk, damping_option

if TYPE_CHECKING:
    from whatsrelated.graph import Store
    from whatsrelated.ranks.iterative import Convergence
    from whatsrelated.ranks.link_matrix import LinkMatrix


@dataclass(frozen=True)
class HubRank(IterativeRank):
    """PageRank with jumps that prefer pages with many links."""

    name = "hubrank"

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
        return walk.stationary_distribution(convergence), None
