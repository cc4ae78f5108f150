"""Leave out unread pages with too few parents.

Most names in a large crawl belong to pages that were never read and have a single parent. A page
is left out, with the links to it, if it was not read, has no links, and has fewer than `least`
parents. Removing it takes no parent away from other pages, so one pass is enough.

Pages are numbered and linked twice; the first time is only to count parents.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from whatsrelated.graph.format import AppendableArray, ArraysByName

if TYPE_CHECKING:
    from numpy import bool_, uint64
    from numpy.typing import NDArray

    from whatsrelated.graph.build_input import BuildInput


class NullArray:
    """An array that discards all values."""

    def append(self, values: NDArray[Any]) -> None:
        """Discard the values."""


class InDegrees:
    """The in-degrees, from the offsets of the parents."""

    def __init__(self) -> None:
        self._pieces: list[NDArray[uint64]] = []

    def append(self, values: NDArray[uint64]) -> None:
        """Add the next values."""
        self._pieces.append(values)

    def at_least(self, minimum: int) -> NDArray[bool_]:
        """Whether each page has at least `minimum` parents."""
        return np.diff(np.concatenate(self._pieces)) >= minimum


def leave_out(
    build_input: BuildInput,
    minimum: int,
    write_links: Callable[[BuildInput, ArraysByName, NDArray[bool_]], int],
) -> int:
    """Make a build leave out unread pages with fewer parents; return the number of pages."""
    pages = build_input.count_pages() if minimum else 0
    if not pages:
        return 0
    kept = np.zeros(pages, np.bool_)
    degrees = InDegrees()

    def array(name: str) -> AppendableArray:
        return degrees if name == "in.offsets" else NullArray()

    write_links(build_input, array, kept)
    build_input.mark_read(kept)
    kept |= degrees.at_least(minimum)
    build_input.keep(kept)
    return pages - int(np.count_nonzero(kept))


def described_left_out(minimum: int, pages: int) -> dict[str, int]:
    """The manifest's entries about pages left out, if the option is used."""
    return {"least_parents": minimum, "left_out": pages} if minimum else {}
