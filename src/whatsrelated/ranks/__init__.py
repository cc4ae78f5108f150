"""The ranks of the whole graph: one file each, one line in the table each.

A rank is a frozen dataclass: its fields are its options, `compute` gives every
page a score.  Others add theirs by an entry point in the group
`whatsrelated.ranks`; a line here and an entry point say the same thing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from whatsrelated.options import Configured, option
from whatsrelated.registry import Registry

if TYPE_CHECKING:
    from whatsrelated.graph import Store
    from whatsrelated.ranks.ranking import Ranking
    from whatsrelated.stream import Progress


class Rank(Configured):
    """What every rank has: a name, options, and a score for every page."""

    def compute(
        self,
        store: Store,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        accept: bool = False,
    ) -> Ranking:
        """The score of every page; `accept` takes scores that have not settled for what they are.

        The same scores for any number of threads; all processors where `threads` is None.
        """
        raise NotImplementedError


def tolerance_option() -> Any:
    """How far the scores may still move, the same for every rank that iterates."""
    return option(
        1e-10, "stop when a round changes the scores by less, in all", low=0, open_low=True
    )


def max_rounds_option() -> Any:
    """How long to go on, the same for every rank that iterates."""
    return option(1000, "how many rounds are made at most", low=1)


RANKS: Registry[type[Rank]] = Registry(
    "rank",
    "whatsrelated.ranks",
    {
        "pagerank": "whatsrelated.ranks.pagerank:PageRank",
        "hubrank": "whatsrelated.ranks.hubrank:HubRank",
        "hits": "whatsrelated.ranks.hits:Hits",
        "randomized-hits": "whatsrelated.ranks.randomized_hits:RandomizedHits",
        "mbcc": "whatsrelated.ranks.mbcc:Mbcc",
        "in-degree": "whatsrelated.ranks.degrees:InDegree",
        "out-degree": "whatsrelated.ranks.degrees:OutDegree",
    },
)


def rank_named(name: str) -> type[Rank]:
    """The rank of that name, ours or an installed one."""
    return RANKS[name]
