"""In-degree and out-degree: the share of all links that lead to a page or leave it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from whatsrelated.ranks import Rank
from whatsrelated.ranks.ranking import Ranking
from whatsrelated.ranks.vectors import normalize

if TYPE_CHECKING:
    from typing import Unpack

    from whatsrelated.graph import Store
    from whatsrelated.ranks import Computing


class Degree(Rank):
    """A page's share of all links, in one direction."""

    direction: ClassVar[str]

    def compute(self, store: Store, **how: Unpack[Computing]) -> Ranking:
        offsets = getattr(store, f"{self.direction}_offsets")
        return Ranking(store, self, normalize(np.diff(offsets).astype(np.float64)))


@dataclass(frozen=True)
class InDegree(Degree):
    """A page's share of the links into pages."""

    name = "in-degree"
    direction = "in"


@dataclass(frozen=True)
class OutDegree(Degree):
    """A page's share of the links out of pages."""

    name = "out-degree"
    direction = "out"
