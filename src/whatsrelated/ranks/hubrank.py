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
from typing import TYPE_CHECKING, Any, ClassVar

from whatsrelated.options import option
from whatsrelated.ranks import max_rounds_option, tolerance_option
from whatsrelated.ranks.iterated import Iterated
from whatsrelated.ranks.pagerank import walked
from whatsrelated.ranks.rounds import Rounds
from whatsrelated.ranks.sweeping import Sweeper

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from whatsrelated.graph import Store


@dataclass(frozen=True)
class HubRank(Iterated):
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

    def at_rest(
        self, store: Store, sweeper: Sweeper, rounds: Rounds
    ) -> tuple[NDArray[Any], NDArray[Any] | None]:
        to, back = sweeper.incoming, sweeper.outgoing
        biased = back if self.bias == "out" else to
        if self.matrix == "transposed":
            to, back = back, to
        weights = biased.degrees if store.n_links else None
        return walked(sweeper, to, back, weights, self.damping, rounds), None
