"""In-degree and out-degree: a page's share of all links, into it or out of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from whatsrelated.ranks import Rank
from whatsrelated.ranks.ranking import Ranking
from whatsrelated.ranks.rounds import summing_to_one

if TYPE_CHECKING:
    from whatsrelated.graph import Store
    from whatsrelated.stream import Progress


class Shares(Rank):
    """A page's share of all links, in one direction."""

    way: ClassVar[str]

    def compute(
        self,
        store: Store,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        accept: bool = False,
    ) -> Ranking:
        offsets = getattr(store, f"{self.way}_offsets")
        return Ranking(store, self, summing_to_one(np.diff(offsets).astype(np.float64)))


@dataclass(frozen=True)
class InDegree(Shares):
    """A page's share of the links into pages."""

    name: ClassVar[str] = "in-degree"
    way: ClassVar[str] = "in"


@dataclass(frozen=True)
class OutDegree(Shares):
    """A page's share of the links out of pages."""

    name: ClassVar[str] = "out-degree"
    way: ClassVar[str] = "out"
