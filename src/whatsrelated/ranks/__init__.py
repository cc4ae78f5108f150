"""Ranks of the whole graph. Each has its own file and one line in the table.

A rank is a frozen dataclass: its fields are its options, and `compute` gives every page a score.
Other packages add ranks through entry points in the group `whatsrelated.ranks`, in the form of a
line here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from whatsrelated.options import Configured
from whatsrelated.registry import Registry

if TYPE_CHECKING:
    from typing import Unpack

    from whatsrelated.graph import Store
    from whatsrelated.ranks.ranking import Ranking
    from whatsrelated.ranks.vectors import Floats
    from whatsrelated.stream import Progress


class Computing(TypedDict, total=False):
    """Settings for computing a rank.

    All processors are used if `threads` is None. Scores that did not converge are an error unless
    `accept` is set. `start` holds initial scores.
    """

    threads: int | None
    progress: Progress | None
    accept: bool
    start: Floats | None


class Rank(Configured):
    """A rank: a name, options, and a score for every page."""

    def compute(self, store: Store, **how: Unpack[Computing]) -> Ranking:
        """The score of every page; `Computing` explains `threads`, `progress` and `accept`."""
        raise NotImplementedError


RANKS: Registry[type[Rank]] = Registry(
    "rank",
    "whatsrelated.ranks",
    {
        "pagerank": "whatsrelated.ranks.pagerank:PageRank",
        "hubrank": "whatsrelated.ranks.hubrank:HubRank",
        "hits": "whatsrelated.ranks.hits:HitsRank",
        "randomized-hits": "whatsrelated.ranks.randomized_hits:RandomizedHits",
        "mbcc": "whatsrelated.ranks.mbcc:Mbcc",
        "in-degree": "whatsrelated.ranks.degrees:InDegree",
        "out-degree": "whatsrelated.ranks.degrees:OutDegree",
    },
)
