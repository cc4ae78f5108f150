"""One question to a method: the pages, and what every method may read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.query.sampling import draw, sample

if TYPE_CHECKING:
    from numpy import bool_, uint32
    from numpy.typing import NDArray

    from whatsrelated.graph import Store


@dataclass(frozen=True, slots=True)
class Question:
    """One question to a method: the pages, and what every method is told.

    `sites` has the site number of every page, None where each page is its own
    site.  `stop` are the stop pages, ascending.  `rank` gives a global rank of
    the graph, kept or computed.  `deadline` is a `time.monotonic()`, or None.
    """

    store: Store
    pages: tuple[int, ...]
    sites: NDArray[uint32] | None
    stop: NDArray[uint32]
    seed: int = 0
    rank: Callable[..., Any] | None = None
    deadline: float | None = None

    @property
    def page(self) -> int:
        """The query page of a method that is asked for one at a time."""
        return self.pages[0]

    def without_stop(self, pages: NDArray[uint32]) -> NDArray[uint32]:
        """The pages that are not on the stop list, in their order."""
        return pages[~np.isin(pages, self.stop)] if len(self.stop) else pages

    def answerable(self, pages: NDArray[uint32]) -> NDArray[bool_]:
        """Which of the pages may be results: no query page, no stop page."""
        kept = np.ones(len(pages), np.bool_)
        for page in self.pages:
            kept &= pages != page
        if len(self.stop):
            kept &= ~np.isin(pages, self.stop)
        return kept

    def parents(self, page: int, most: int) -> NDArray[uint32]:
        """The parents of a page, stop pages left out; a sample where there are more than `most`."""
        parents = self.without_stop(self.store.links_to(page))
        if len(parents) <= most:
            return parents
        return sample(parents, most, draw(self.store.url(page), self.seed))
