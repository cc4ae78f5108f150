"""In-degree and out-degree: a page's share of all links, into it or out of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from whatsrelated.ranks import Rank
from whatsrelated.ranks.ranking import Ranking
from whatsrelated.ranks.rounds import summing_to_one

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from whatsrelated.graph import Store
    from whatsrelated.stream import Progress


@dataclass(frozen=True)
class InDegree(Rank):
    """A page's share of the links into pages."""

    name: ClassVar[str] = "in-degree"

    def compute(
        self,
        store: Store,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        accept: bool = False,
    ) -> Ranking:
        return Ranking(store, self, _shares(store.in_offsets))


@dataclass(frozen=True)
class OutDegree(Rank):
    """A page's share of the links out of pages."""

    name: ClassVar[str] = "out-degree"

    def compute(
        self,
        store: Store,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        accept: bool = False,
    ) -> Ranking:
        return Ranking(store, self, _shares(store.out_offsets))


def _shares(offsets: NDArray[Any]) -> NDArray[Any]:
    return summing_to_one((offsets[1:] - offsets[:-1]).astype(np.float64))
