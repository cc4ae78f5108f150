"""The neighbourhood of a page: what every method reads before it thinks."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated import kernels

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

    def without_stop(self, pages: NDArray[uint32]) -> NDArray[uint32]:
        """The pages that are not on the stop list, in their order."""
        return pages[~np.isin(pages, self.stop)] if len(self.stop) else pages

    def parents(self, page: int, most: int) -> NDArray[uint32]:
        """The parents of a page, stop pages left out; a sample where there are more than `most`."""
        parents = self.without_stop(self.store.links_to(page))
        if len(parents) <= most:
            return parents
        return sample(parents, most, draw(self.store.url(page), self.seed))


def draw(url: str, seed: int) -> float:
    """A number in [0, 1) that depends on the seed and the URL alone, in steps of 2**-32."""
    hashed = hashlib.blake2b(f"{seed}\n{url}".encode("utf-8", "surrogatepass"), digest_size=4)
    return int.from_bytes(hashed.digest(), "big") / 2**32


def sample(pages: NDArray[uint32], most: int, start: float) -> NDArray[uint32]:
    """`most` of the pages, evenly spread: those at floor((i + start) * n / most)."""
    count = len(pages)
    if count <= most:
        return pages
    places = np.floor((np.arange(most) + start) * count / most).astype(np.int64)
    return pages[places]


_threads = threading.local()


def scratch_of(kernel: str) -> Any:
    """This thread's scratch memory for a kernel module."""
    held: dict[str, Any] = _threads.__dict__
    if kernel not in held:
        held[kernel] = getattr(kernels, kernel).Scratch()
    return held[kernel]
