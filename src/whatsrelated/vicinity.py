"""The neighbourhood of a page: what every method reads before it thinks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy import uint32
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
